#!/usr/bin/env bash
# lab/debugger.sh DUMP|pid:ID|stopped:ID|attached:ID [--dml] COMMAND...: opens a dump, or looks at a process by its Windows id, in Microsoft's debugger engine under Wine and prints what the commands print.
# A process goes on (pid) or is stopped meanwhile (stopped) and is not debugged, or it is (attached), from the debugger's break-in on, and is let go at the end.
# Each command's output follows the line "> COMMAND". Call setup.sh first. Exit status: that of dbghost (0 done).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

[ $# -ge 2 ] || { printf 'usage: debugger.sh DUMP|pid:ID|stopped:ID|attached:ID [--dml] COMMAND...\n' >&2; exit 2; }
engine_banner=10.0.29507
case $1 in
pid:* | stopped:* | attached:*) target=$1 ;;
*) target=$(windows_path "$1") ;;
esac
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
speaks=yes run_windows 300 "$output" "$samples_directory/dbghost.exe" "$(windows_path "$debugger_directory/dbgeng.dll")" "$engine_banner" \
    "$target" "$@" || status=$?
tr -d '\r' < "$output"
exit "$status"
