#!/usr/bin/env bash
# lab/windows-build.sh: publishes dumpanalyze for win-x64 into the lab and prints the directory of dumpanalyze.exe.
# It is the command of docs/windows.md without the store, which no debugger asks, and with an output of its own, so that it never meets a build of the repository that runs at the same time.
# Does nothing when no source has changed since. Exit status: 0 there; 3 its packages cannot be had here, 1 it does not build, each said on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

build=$lab_directory/windows-build
log=$lab_directory/windows-build.log

state_of_sources() {
    find "$repository"/analyzers "$repository"/ext-managed "$repository"/docs/detectors "$repository"/Directory.* "$repository"/global.json -type f -not -path '*/obj/*' -not -path '*/bin/*' -print0 \
        | sort -z | xargs -0 sha256sum
}

mkdir -p "$lab_directory"
exec 9> "$build.lock"
flock 9
stamp=$build.sha256
state=$(state_of_sources)
if [ ! -e "$stamp" ] || [ "$(cat "$stamp")" != "$state" ]; then
    rm -f "$stamp"
    if ! MSBUILDDISABLENODEREUSE=1 dotnet publish "$repository/ext-managed/Dump.Cli/Dump.Cli.csproj" -p:PublishProfile=win-x64 -p:WithoutStore=true --artifacts-path "$build" > "$log" 2>&1 < /dev/null 9>&-; then
        printf 'lab: dumpanalyze for win-x64 could not be published; see %s\n' "$log" >&2
        # NU: NuGet found no package, the only reason that is not a defect of these sources.
        grep -q 'error NU[0-9]' "$log" && exit 3
        grep ' error ' "$log" | sort -u | head -n 20 >&2
        exit 1
    fi
    printf '%s\n' "$state" > "$stamp"
fi
printf '%s\n' "$build/publish/Dump.Cli/release_win-x64"
