#!/usr/bin/env bash
# dist.sh [NAME...]: builds packages into dist/, all of them without a NAME, and prints their names. NAMEs:
#   linux-x64, linux-arm64, linux-musl-x64, win-x64  archives of the program that need no .NET, each with a bill of materials (CycloneDX)
#   tool                the .NET tool (dotnet tool install dumpanalyze)
#   libraries           the NuGet packages Dump.Model, Dump.Analysis, Dump.Reports, Dump.Readers, Dump.Clr, Dump.Capture and Dump.Engine
#   windbg              dump-win-x64.zip: the debugger extension with the program that answers for it (installs Wine, mingw and cmake)
#   debian              a Debian package of the linux-x64 archive
#   container           an OCI image of the linux-x64 archive, without a shell, and its bill of materials (installs umoci)
#   chocolatey          a Chocolatey package with the win-x64 archive inside
#   winget              manifests with which winget installs the win-x64 archive from DownloadUrl=https://...; left out of all without it
# Last it writes dist/SHA256SUMS over everything in dist/. Needs Debian with the .NET 10 SDK. Exit status: 0 built; 2 wrong NAME, or winget without
# DownloadUrl; 3 something cannot be had here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if [ $# = 0 ]; then
    set -- linux-x64 linux-arm64 linux-musl-x64 win-x64 tool libraries windbg debian container chocolatey
    if [ -n "${DownloadUrl:-}" ]; then
        set -- "$@" winget
    else
        printf 'dist.sh: without winget, which needs DownloadUrl=https://...\n' >&2
    fi
fi
for name in "$@"; do
    case $name in
        linux-x64|linux-arm64|linux-musl-x64|win-x64) packaging/archive.sh "$name" ;;
        tool|libraries|windbg|debian|container|chocolatey|winget) "packaging/$name.sh" ;;
        *) printf 'dist.sh: there is no package %s\n' "$name" >&2; exit 2 ;;
    esac
done
cd dist
exec 9> ../artifacts/packaging/checksums.lock
flock 9
find . -maxdepth 2 -type f \( -path './*-winget/*' -o ! -path './*/*' \) ! -name 'SHA256SUMS*' -printf '%P\0' | sort -z | xargs -0 sha256sum > SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
