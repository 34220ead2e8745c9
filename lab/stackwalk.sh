#!/usr/bin/env bash
# Prints the path of Breakpad's minidump_stackwalk, which the npm package `minidump` carries; fetches the package on the first call. Nothing of it is installed or run but this program.
# Exit status: 3 when it cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

package=minidump@0.26.0
directory=$lab_directory/minidump-stackwalk
program=$directory/package/bin/linux-x64/minidump_stackwalk

mkdir -p "$directory"
exec 9> "$directory.lock"
flock 9
if [ ! -x "$program" ]; then
    command -v npm > /dev/null || { printf "lab: Breakpad's minidump_stackwalk needs npm, which is not installed\n" >&2; exit 3; }
    (cd "$directory" && timeout --kill-after=5 120 npm pack --silent "$package" && tar xzf minidump-*.tgz) > "$directory.log" 2>&1 < /dev/null 9>&- \
        || { printf "lab: the npm package %s with Breakpad's minidump_stackwalk could not be fetched; see %s\n" "$package" "$directory.log" >&2; exit 3; }
fi
printf '%s\n' "$program"
