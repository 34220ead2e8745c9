#!/usr/bin/env bash
# packaging/chocolatey.sh: builds dist/dumpanalyze.portable.VERSION.nupkg, a Chocolatey package of the win-x64 archive, which it builds first; prints its name.
# The program is inside: installing it downloads nothing and runs no script. Exit status: 0 built; 3 its packages cannot be had here, 1 it does not build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

"$repository/packaging/archive.sh" win-x64 > /dev/null
archive=dumpanalyze-$version-win-x64.zip
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
exec 8> "$build/chocolatey.lock"
flock 8
packaging_program unzip "$dist/$archive" "$work"
mv "$work/${archive%.zip}" "$work/tools"

# Chocolatey's names for what must be there, and its mark for programs that get no command of their own.
cp "$work/tools/LICENSE" "$work/tools/LICENSE.txt"
touch "$work/tools/createdump.exe.ignore"
{
    cat <<TEXT
VERIFICATION
The files of this package come from $archive of the authors of the program.
It has the SHA-256 $(sha256sum "$dist/$archive" | cut -d ' ' -f 1).
Unpack it and compare (PowerShell: Get-FileHash). LICENSE.txt is its file LICENSE.
Files with their SHA-256:

TEXT
    (cd "$work/tools" && find . -type f ! -name LICENSE.txt ! -name '*.ignore' -printf '%P\0' | sort -z | xargs -0 sha256sum)
} | sed 's/$/\r/' > "$work/VERIFICATION.txt"
mv "$work/VERIFICATION.txt" "$work/tools/"

if [ -n "${DocumentationUrl:-}" ]; then
    sed "s|@VERSION@|$version|; s|@DOCUMENTATION@|$DocumentationUrl|" "$repository/packaging/chocolatey/dumpanalyze.portable.nuspec"
else
    sed "s|@VERSION@|$version|; /@DOCUMENTATION@/d" "$repository/packaging/chocolatey/dumpanalyze.portable.nuspec"
fi > "$work/dumpanalyze.portable.nuspec"

# NuGet makes the package, of which Chocolatey's is a kind; the project only lends its name. Its advice is on libraries.
run_logged chocolatey dotnet pack "$repository/packaging/Dump.Packaging/Dump.Packaging.csproj" -c Release --artifacts-path "$build/tools" \
    -p:IsPackable=true -p:NuspecFile="$work/dumpanalyze.portable.nuspec" -p:NuspecBasePath="$work/tools" -p:NoPackageAnalysis=true -p:NoWarn=NU5125 \
    -o "$work/packed" 8>&-
mv "$work/packed/dumpanalyze.portable.$version.nupkg" "$dist/"
printf 'dist/dumpanalyze.portable.%s.nupkg\n' "$version"
