#!/bin/sh
# A workflow that survives the death of everything around it: the server is killed twice, once while the workflow sleeps and once while its
# actions run. It goes on where it was; nothing that was done is done again.
#
#   sh examples/demo.sh path/to/waymark
set -eu
waymark=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
server=
cleanup() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null && wait "$server" 2>/dev/null || true; fi
    rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
# All it leaves behind is in a folder of its own.
export WAYMARK_HOME="$folder/home" WAYMARK_DATABASE_URL="sqlite:$folder/waymark.db" WAYMARK_LOG_LEVEL=warn

say() { printf '\n• %s\n' "$1" >&2; }
serve() {
    "$waymark" dev --actions "$here/ir/checkout.actions.json" --workers 2 2>>"$folder/server.log" &
    server=$!
}
crash() {
    kill -9 "$server"
    wait "$server" 2>/dev/null || true
    server=
}
checkout() { "$waymark" run "$here/ir/checkout.ir" --input "@$here/ir/checkout.input.json" --id o-42 "$@"; }

say "A server, with workers that answer from a script, on a SQLite file"
serve
say "An order: charge (the bank fails once, and is tried again), sleep, ship three items at once, sleep, thank"
checkout --no-wait
sleep 2
say "kill -9 of the server, while the workflow sleeps"
crash
sleep 1
say "Another server on the same file"
serve
sleep 2
say "kill -9 again, while items are being shipped"
crash
say "A third one; the same start again finds the instance that is there, and waits for it"
serve
checkout
