#!/bin/sh
# Runs the job of ../base as Indexed Jobs, stage after stage, and commits. Started again, it goes on where it stopped.
#
#     infra/kubernetes/array/array.sh IMAGE [PARALLEL]
#
# `array.sh --render STEP ...` prints a manifest instead of applying it; the tests validate those.
set -eu
here=$(dirname "$0")
job=/etc/nabsak/nightly.toml

# name, arguments as a YAML list
step() { sed -e "s|nabsak-STEP|nabsak-$1|" -e "s|ARGS|$2|" -e "s|image: nabsak$|image: $image|" "$here/step.yaml"; }
# stage, manifest, tasks, parallel
tasks() {
    sed -e "s|nabsak-STAGE|nabsak-$1|" -e "s|MANIFEST|$2|" -e "s|completions: 1 # TASKS|completions: $3|" \
        -e "s|parallelism: 1 # PARALLEL|parallelism: $4|" -e "s|\"TASKS\"|\"$3\"|" -e "s|image: nabsak$|image: $image|" "$here/tasks.yaml"
}
plan_args() { echo "[\"plan\", \"$job\", \"--stage\", \"$1\", \"--max-tasks\", \"1000\"]"; }

if [ "${1:-}" = --render ]; then
    image=registry.example/nabsak:0.1.0
    step plan-replay "$(plan_args replay)"
    echo ---
    tasks replay s3://games/nightly/_nabsak/plans/replay/0123456789abcdef0123456789abcdef 7 3
    echo ---
    step commit "[\"commit\", \"$job\"]"
    exit
fi

image=$1
parallel=${2:-10}
# Waits until a job of the cluster has ended, well or not.
ended() {
    until kubectl -n nabsak get job "$1" -o jsonpath='{.status.conditions[*].type}' | grep -qE 'Complete|Failed'; do sleep 5; done
}
start() { kubectl -n nabsak delete job "$1" --ignore-not-found --wait; kubectl apply -f -; ended "$1"; }

for stage in index replay search assemble; do
    step "plan-$stage" "$(plan_args $stage)" | start "nabsak-plan-$stage"
    plan=$(kubectl -n nabsak logs "job/nabsak-plan-$stage")
    field() { printf '%s\n' "$plan" | sed -n "s/^$1=//p"; }
    [ -n "$(field chunks)" ] || { echo "the plan of $stage failed: $plan" >&2; exit 5; }
    [ "$(field chunks)" != 0 ] || continue
    tasks "$stage" "$(field manifest)" "$(field tasks)" "$parallel" | start "nabsak-$stage"
done
step commit "[\"commit\", \"$job\"]" | start nabsak-commit
kubectl -n nabsak logs job/nabsak-commit
