#!/usr/bin/env bash
# lab/windows-program.sh [--command NAME] DUMP [OPTIONS]: runs the win-x64 build of dumpanalyze under Wine on a dump and prints what it prints. Options that are paths must be Windows paths.
# Exit status: the program's; 124 when it did not end within five minutes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

command=()
if [ "${1:-}" = --command ]; then
    command=("${2:-}")
    shift 2
fi
[ $# -ge 1 ] || { printf 'usage: windows-program.sh [--command NAME] DUMP [OPTIONS]\n' >&2; exit 2; }
program=$("$repository/lab/windows-build.sh")/dumpanalyze.exe
dump=$(windows_path "$1")
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
speaks=yes run_windows 300 "$output" "$program" "${command[@]}" "$dump" "$@" || status=$?
cat "$output"
exit "$status"
