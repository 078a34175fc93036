#!/bin/sh
# Tries the Containerfile on this machine without a registry and without a daemon: the builder's image is a Debian made by debootstrap, whose
# `cargo` hands out programs that are built already. All other lines of the file are run as they are. Then what is in the image is run as
# user 10001 with a read-only root, no network, no capabilities and namespaces of its own.
#
#     infra/container/try-local.sh PATH/TO/nabsak [PATH/TO/nabsak-worker]
#
# Needs root and Debian's buildah and debootstrap; one to two minutes. All it makes lies in one folder and is removed.
set -eu

project=$(realpath "$(dirname "$0")/../..")
place=$(mktemp -d "${TMPDIR:-/tmp}/nabsak-image.XXXXXX")
tool() { buildah --root "$place/store" --runroot "$place/run" "$@"; }
end() { tool umount --all > /dev/null 2>&1 || true; rm -rf "$place"; }
trap end EXIT

echo "== a builder"
debian=${NABSAK_DEBIAN:-$place/debian}
[ -d "$debian" ] || debootstrap --variant=minbase --include=ca-certificates bookworm "$debian" > "$place/debootstrap.log"
mkdir "$place/builder"
cp "$@" "$place/builder/"
cat > "$place/builder/cargo" <<'END'
#!/bin/sh
[ "$*" = "build --release --locked --features full --bins" ] || { echo "not what was expected: $*" >&2; exit 2; }
[ -f Cargo.lock ] && [ -f crates/nabsak/Cargo.toml ] || { echo "the sources did not come along" >&2; exit 2; }
mkdir -p target/release && find /opt -name 'nabsak*' -exec cp {} target/release/ \;
END
chmod 755 "$place"/builder/*
first=$(tool from scratch)
tool copy -q "$first" "$debian" / > /dev/null
tool copy -q "$first" "$place/builder" /opt > /dev/null
tool config --env PATH=/opt:/usr/bin:/bin:/usr/sbin:/sbin "$first"
tool commit -q "$first" localhost/builder:try > /dev/null
tool rm "$first" > /dev/null

echo "== the image"
tool bud -q --isolation chroot --build-arg BUILDER=localhost/builder:try -t localhost/nabsak:try -f "$project/infra/container/Containerfile" "$project"
tool inspect --type image --format 'user {{.OCIv1.Config.User}}, entry {{.OCIv1.Config.Entrypoint}}, environment {{.OCIv1.Config.Env}}' localhost/nabsak:try
tool images --format '{{.Name}} {{.Size}}' localhost/nabsak:try

echo "== what is in it"
second=$(tool from localhost/nabsak:try)
root=$(tool mount "$second")
(cd "$root" && find . -type f | sort)
[ -z "$(find "$root" -perm /022 ! -type l)" ] || { echo "something in it may be written by others" >&2; exit 1; }

echo "== run with a read-only root"
mkdir -p "$place/in" "$place/out"
cp "$project/demo/defects.pgn" "$place/in/"
chown 10001:10001 "$place/out"
mkdir -p "$root/proc" "$root/srv/in" "$root/srv/out"
start() {
    # shellcheck disable=SC2016 # the words are the inner shell's
    unshare --mount --pid --net --ipc --uts --fork sh -ec '
        root=$1 place=$2
        shift 2
        mount --bind "$root" "$root"
        mount --bind "$place/in" "$root/srv/in" && mount -o remount,bind,ro "$root/srv/in"
        mount --bind "$place/out" "$root/srv/out"
        mount -t proc proc "$root/proc"
        mount -o remount,bind,ro "$root"
        exec setpriv --no-new-privs -- \
            env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt chroot --userspec=10001:10001 "$root" "$@"
    ' sh "$root" "$place" "$@"
}
start /usr/bin/nabsak --version
start /usr/bin/nabsak run /etc/nabsak/federation-audit.toml -q --set 'input.archives=["/srv/in"]' --set output.dir=/srv/out | head -n 4
for program in "$@"; do
    name=$(basename "$program")
    [ "$name" = nabsak-worker ] && start /usr/bin/nabsak-worker --version
done
find "$place/out" -name '*.parquet' | wc -l | sed 's/$/ parts written/'
echo "== done"
