#!/usr/bin/env bash
# lab/extension.sh [faults]: builds the debugger extension and prints a directory laid out like the archive of dist.sh: dumpext.dll, and the engine in engine/.
# With "faults" the extension has the commands that fail on purpose. Call setup.sh first. Exit status: 0 there; 3 a tool is missing, 1 it does not build, each said on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

kind=${1:-plain}
build=$lab_directory/extension-build
layout=$lab_directory/extension/$kind
log=$lab_directory/extension.log
command -v cmake > /dev/null || { printf 'lab: cmake is missing (Debian package cmake)\n' >&2; exit 3; }
engine=$("$repository/lab/windows-build.sh")
mkdir -p "$layout"
exec 9> "$lab_directory/extension.lock"
flock 9
# A cache of a checkout that was moved or copied is of no use: CMake refuses it.
if [ -e "$build/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$repository/ext-native" "$build/CMakeCache.txt"; then
    rm -rf "$build"
fi
mkdir -p "$build"
if ! { cmake -S "$repository/ext-native" --preset mingw -B "$build" -DDEBUGGER_HEADERS="$debugger_headers" -DDUMPEXT_FAULTS=ON \
    && cmake --build "$build"; } > "$log" 2>&1 < /dev/null 9>&-; then
    printf 'lab: the extension could not be built; see %s:\n' "$log" >&2
    tail -n 20 "$log" >&2
    exit 1
fi
# A debugger of another test may have the old one loaded: that file is left alone.
cp -u --remove-destination "$build/src/$([ "$kind" = plain ] || printf '%s/' "$kind")dumpext.dll" "$layout/dumpext.dll"
ln -sfn "$engine" "$layout/engine"
printf '%s\n' "$layout"
