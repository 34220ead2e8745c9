#!/usr/bin/env bash
# lab/windows-build.sh: builds the archive for win-x64, unpacks it into the lab and prints the directory of dumpanalyze.exe: tests run what people download.
# Does nothing when no source has changed since. Exit status: 0 there; 3 its packages cannot be had here, 1 it does not build, each said on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

builds=$lab_directory/windows-build
archive=$repository/$("$repository/packaging/archive.sh" win-x64 < /dev/null)
mkdir -p "$builds"
exec 9> "$builds.lock"
flock 9
# A folder of its own for each build: a program of another test may still run from the last one.
build=$builds/$(sha256sum < "$archive" | cut -c1-16)
if [ ! -e "$build" ]; then
    rm -rf "$build.new"
    mkdir "$build.new"
    (cd "$build.new" && cmake -E tar xf "$archive")
    mv "$build.new"/* "$build"
    rmdir "$build.new"
fi
printf '%s\n' "$build"
