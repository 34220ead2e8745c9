#!/usr/bin/env bash
# lab/debugger.sh DUMP COMMAND...: opens a dump in Microsoft's debugger engine under Wine and prints what the commands print.
# Each command's output follows the line "> COMMAND". Call setup.sh first. Exit status: that of dbghost (0 done).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

[ $# -ge 2 ] || { printf 'usage: debugger.sh DUMP COMMAND...\n' >&2; exit 2; }
engine_banner=10.0.29507
dump=$1
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
run_windows 120 "$output" "$samples_directory/dbghost.exe" "$(windows_path "$debugger_directory/dbgeng.dll")" "$engine_banner" \
    "$(windows_path "$dump")" "$@" || status=$?
tr -d '\r' < "$output"
exit "$status"
