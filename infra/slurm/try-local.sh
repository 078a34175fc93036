#!/bin/sh
# Tries the chain on a real Slurm of this machine: a controller and two node daemons on loopback, all in a folder of their own, as
# the user who runs it. One task is killed in its middle. At the end the tables are compared with those of a plain run.
#
#     infra/slurm/try-local.sh PATH/TO/nabsak
#
# Needs Debian's slurmctld, slurmd, slurm-client and slurm-wlm-basic-plugins (22.05) installed; their own services need not run, and
# nothing of theirs is changed. It takes about a minute, and ends all that it starts.
set -eu

nabsak=$(realpath "$1")
project=$(realpath "$(dirname "$0")/../..")
plugins=$(ls -d /usr/lib/*/slurm-wlm)
place=$(mktemp -d "${TMPDIR:-/tmp}/nabsak-slurm.XXXXXX")
port=${SLURM_TRY_PORT:-27817}
PATH=$PATH:/usr/sbin
export PATH SLURM_CONF="$place/slurm.conf"

mkdir "$place/state" "$place/spool" "$place/log" "$place/in"
cat > "$SLURM_CONF" <<END
ClusterName=try
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/none
CryptoType=crypto/none
CredType=cred/none
PluginDir=$plugins
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool/%n
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd-%n.pid
SlurmctldLogFile=$place/log/slurmctld
SlurmdLogFile=$place/log/slurmd-%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/builtin
MpiDefault=none
ReturnToService=2
# The nodes claim more than this machine has, so that the scripts' requests fit.
SlurmdParameters=config_overrides
SlurmdTimeout=20
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=8 RealMemory=64000
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=8 RealMemory=64000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
END

daemons=
stop() {
    for pid in $daemons; do kill "$pid" 2>/dev/null || true; done
    wait
}
trap stop EXIT
cd "$place"
slurmctld -D 2> log/slurmctld.err & daemons="$daemons $!"
for node in n1 n2; do slurmd -D -N $node 2> log/slurmd-$node.err & daemons="$daemons $!"; done
tries=0
until [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || { echo "the nodes do not come up; see $place/log" >&2; exit 1; }
    sleep 1
done

cp "$project/demo/defects.pgn" "$project/demo/korat-open.pgn" "$project/demo/thai-club.pgn" "$place/in"
cat > "$place/job.toml" <<END
name = "try"
[input]
archives = ["$place/in"]
[output]
dir = "$place/out"
[analysis]
nodes = 1000
[run]
search_chunk_s = 2
END
export NABSAK_SLURM="$project/infra/slurm" NABSAK_BIN="$nabsak" NABSAK_MAX_TASKS=4
say() { printf '%s %s\n' "$(date +%T)" "$*"; }
say "two nodes are up; the chain is submitted"
first=$(sbatch --parsable "$NABSAK_SLURM/stage.sbatch" "$place/job.toml")
say "job $first"

killed=
while [ -n "$(squeue -h -o %i)" ]; do
    if [ -z "$killed" ] && [ -d out/_nabsak/attempts/search ]; then
        # One process in the middle of a search chunk, as if its node had run out of memory.
        victim=$(pgrep -f "$nabsak task $place/out/_nabsak/plans/search" | head -n 1 || true)
        if [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null; then
            killed=$victim
            say "killed one task of the search array"
        fi
    fi
    sleep 0.2
done
say "the queue is empty"
tail -n 4 slurm-*.out | grep -v '^$' || true

compare() {
    "$nabsak" -q run "$place/job.toml" --set output.dir="$place/quiet" > /dev/null
    for folder in quiet out; do
        (cd "$folder" && find . -name '*.parquet' ! -path './runs/*' ! -path './_nabsak/*' -exec sha256sum {} + | sort) > "$folder.sums"
    done
    cmp quiet.sums out.sums && say "the same $(wc -l < out.sums) parts as those of a plain run, byte for byte"
}
if [ -n "$killed" ]; then
    say "the killed task made the chain end with a commit of what was there; submitted again, it goes on:"
    sbatch --parsable "$NABSAK_SLURM/stage.sbatch" "$place/job.toml" > /dev/null
    while [ -n "$(squeue -h -o %i)" ]; do sleep 0.2; done
fi
"$nabsak" runs list out
compare
rm -rf "$place"
