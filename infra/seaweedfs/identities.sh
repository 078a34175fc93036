#!/bin/sh
# Makes the identities of a fresh SeaweedFS, with keys of chance: s3.json for the server, and for each identity a file of environment
# variables. Keys are written to these files and nowhere else.
#
#     infra/seaweedfs/identities.sh /etc/seaweedfs [S3-ADDRESS]
set -eu
umask 077
folder=$1
address=${2:-http://127.0.0.1:8333}
[ ! -e "$folder/s3.json" ] || { echo "$folder/s3.json is there already: remove it to change all keys" >&2; exit 1; }

random() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }
# name, actions as JSON
identity() {
    id=$(random 10)
    value=$(random 24)
    printf '    {"name": "%s", "credentials": [{"accessKey": "%s", "secretKey": "%s"}], "actions": [%s]}' "$1" "$id" "$value" "$2"
    printf 'AWS_ACCESS_KEY_ID=%s\nAWS_SECRET_ACCESS_KEY=%s\nAWS_ENDPOINT_URL=%s\nAWS_REGION=us-east-1\n' "$id" "$value" "$address" > "$folder/$1.env"
}
{
    printf '{"identities": [\n'
    # For people: makes buckets, brings archives.
    identity admin '"Admin"'
    printf ',\n'
    # For the program: reads archives; reads, writes and removes results.
    identity nabsak '"Read:archives", "List:archives", "Read:results", "List:results", "Write:results"'
    printf ',\n'
    # For whoever asks the tables.
    identity reader '"Read:results", "List:results"'
    printf '\n]}\n'
} > "$folder/s3.json"
echo "made s3.json, admin.env, nabsak.env and reader.env in $folder"
