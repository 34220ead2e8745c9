#!/usr/bin/env bash
# lab/single-file.sh [FRAMEWORK VERSION]: publishes the scenes of samples/managed as a program in a single file, with its runtime inside, into the lab, and prints the path of the program.
# FRAMEWORK (net8.0, net9.0) and VERSION (of that runtime, for example 9.0.19) choose another runtime than the SDK's own.
# Does nothing when no source has changed since. Exit status: 0 there; 3 its packages cannot be had here, 1 it does not build, each said on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

case $# in
    0) framework=net10.0 options=() ;;
    2) framework=$1 options=(-p:SampleFramework="$1" -p:SampleRuntimeVersion="$2") ;;
    *) printf 'usage: single-file.sh [FRAMEWORK VERSION]\n' >&2; exit 2 ;;
esac
build=$lab_directory/single-file/$framework
log=$build.log

mkdir -p "$lab_directory/single-file"
exec 9> "$build.lock"
flock 9
state=$({ cat "$repository"/samples/managed/*.cs "$repository"/samples/managed/Scenes/*.cs "$repository"/samples/managed-single/*.csproj "${BASH_SOURCE[0]}"; dotnet --version; printf '%s\n' "$*"; } | sha256sum)
if [ ! -e "$build.sha256" ] || [ "$(cat "$build.sha256")" != "$state" ]; then
    rm -rf "$build.sha256" "$build"
    if ! MSBUILDDISABLENODEREUSE=1 dotnet publish "$repository/samples/managed-single/managed-hang-single.csproj" -c Release "${options[@]}" --artifacts-path "$build" > "$log" 2>&1 < /dev/null 9>&-; then
        printf 'lab: the sample could not be published as a single file for %s; see %s\n' "$framework" "$log" >&2
        # NU: NuGet found no package, the only reason that is not a defect of these sources.
        grep -q 'error NU[0-9]' "$log" && exit 3
        grep ' error ' "$log" | sort -u | head -n 20 >&2
        exit 1
    fi
    printf '%s\n' "$state" > "$build.sha256"
fi
printf '%s\n' "$build/publish/managed-hang-single/release_linux-x64/managed-hang-single"
