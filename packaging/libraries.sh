#!/usr/bin/env bash
# packaging/libraries.sh: builds dist/Dump.Model, Analysis, Reports, Readers, Clr, Capture and Engine.VERSION.nupkg with their documentation; prints their names.
# Exit status: 0 built; 3 their packages cannot be had here, 1 they do not build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

mkdir -p "$build" "$dist"
exec 9> "$build/libraries.lock"
flock 9
projects=(analyzers/Dump.{Model,Analysis,Reports} ext-managed/Dump.{Readers,Clr,Capture,Engine})
if ! is_built libraries "$repository"/packaging/*libraries* "$repository/LICENSE"; then
    rm -f "$dist"/Dump.*.nupkg "$build/libraries.sha256"
    for project in "${projects[@]}"; do
        name=$(basename "$project")
        run_logged "$name" dotnet pack "$repository/$project/$name.csproj" -c Release -p:ForLibraries=true --artifacts-path "$build/libraries" -o "$dist" 9>&-
    done
    set_built libraries
fi
for project in "${projects[@]}"; do
    printf 'dist/%s.%s.nupkg\n' "$(basename "$project")" "$version"
done
