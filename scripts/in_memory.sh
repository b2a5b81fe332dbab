#!/usr/bin/env bash
# Runs a command with a folder for temporary files that lies in memory: scripts/in_memory.sh COMMAND [ARGUMENT ...]
#
# Tests make and remove some hundred thousand small files. Where the command cannot have such a folder, since it needs root
# and free memory, it runs with the usual one.
set -euo pipefail

room_kib=$((12 * 1024 * 1024)) # what must be free; the tests write some gigabytes
free_kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || echo 0)
in_memory='mount --make-rprivate / && mount -t tmpfs -o mode=1777,size=50% tests "$TMPDIR" && exec "$@"'

if [ "$(id -u)" -eq 0 ] && [ "$free_kib" -ge "$room_kib" ] && command -v unshare >/dev/null; then
    folder=$(mktemp -d "${TMPDIR:-/tmp}/tally-tests-XXXXXX")
    : >"$folder/in-use" # from outside it would look empty, and to remove it takes the memory away from the command
    trap 'rm -f "$folder/in-use"; rmdir "$folder"' EXIT
    trap 'exit 143' TERM
    if TMPDIR=$folder unshare --mount sh -c "$in_memory" sh true 2>/dev/null; then
        TMPDIR=$folder unshare --mount sh -c "$in_memory" sh "$@"
        exit
    fi
fi
"$@"
