#!/usr/bin/env bash
# dist.sh [NAME...]: builds packages into dist/, all of them without a NAME, and prints their names. NAMEs:
#   linux-x64, win-x64  archives of the program that need no .NET, each with a bill of materials (CycloneDX)
#   tool                the .NET tool (dotnet tool install dumpanalyze)
#   libraries           the NuGet packages Dump.Model, Dump.Analysis, Dump.Reports, Dump.Readers, Dump.Clr and Dump.Capture
#   windbg              dump-win-x64.zip: the debugger extension with the program that answers for it (installs Wine, mingw and cmake)
#   debian              a Debian package of the linux-x64 archive
# Last it writes dist/SHA256SUMS over everything in dist/. Needs Debian with the .NET 10 SDK. Exit status: 0 built; 3 something cannot be had here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

[ $# != 0 ] || set -- linux-x64 win-x64 tool libraries windbg debian
for name in "$@"; do
    case $name in
        linux-x64|win-x64) packaging/archive.sh "$name" ;;
        tool|libraries|windbg|debian) "packaging/$name.sh" ;;
        *) printf 'dist.sh: there is no package %s\n' "$name" >&2; exit 2 ;;
    esac
done
cd dist
exec 9> ../artifacts/packaging/checksums.lock
flock 9
find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\0' | sort -z | xargs -0 sha256sum > SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
