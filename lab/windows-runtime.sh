#!/usr/bin/env bash
# lab/windows-runtime.sh VERSION: puts a win-x64 .NET runtime, native and managed files side by side, into the lab and prints its directory.
# The files come from the NuGet package of that version; beside its createdump.exe lie Microsoft's libraries that write dumps. Exit status: 0 there; 3 the package cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

[ $# = 1 ] || { printf 'usage: windows-runtime.sh VERSION\n' >&2; exit 2; }
version=$1
package=Microsoft.NETCore.App.Runtime.win-x64
# Before 3.0 the package had another name.
case $version in 1.*|2.*) package=runtime.win-x64.Microsoft.NETCore.App ;; esac
runtime=$lab_directory/runtimes/$version

mkdir -p "$lab_directory/runtimes"
exec 9> "$lab_directory/runtimes/$version.lock"
flock 9
marker=$runtime.with-createdump.done
if [ ! -e "$marker" ]; then
    log=$lab_directory/runtimes/$version.log
    if ! download_package "$package" "$version" "$lab_directory/runtimes/$version-package" > "$log" 2>&1 9>&-; then
        printf 'lab: the package %s %s did not restore; see %s\n' "$package" "$version" "$log" >&2
        exit 3
    fi
    files=$(package_directory "$package" "$version")/runtimes/win-x64
    rm -rf "$runtime"
    mkdir -p "$runtime"
    cp "$files"/native/*.dll "$files"/lib/*/*.dll "$runtime"
    if [ -e "$files/native/createdump.exe" ] && [ -d "$debugger_directory" ]; then
        cp "$files/native/createdump.exe" "$debugger_directory/dbghelp.dll" "$debugger_directory/dbgcore.dll" "$runtime"
    fi
    touch "$marker"
fi
printf '%s\n' "$runtime"
