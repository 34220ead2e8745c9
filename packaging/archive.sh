#!/usr/bin/env bash
# packaging/archive.sh linux-x64|linux-arm64|linux-musl-x64|win-x64: builds dist/dumpanalyze-VERSION-RID.tar.gz or .zip, which needs no .NET, and its bill of
# materials beside it.
# Prints the archive's name. Does not publish again when no source has changed since.
# Exit status: 0 built; 3 its packages cannot be had here, 1 it does not build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

case ${1:-} in
    linux-x64|linux-arm64|linux-musl-x64) ending=tar.gz ;;
    win-x64) ending=zip ;;
    *) printf 'usage: archive.sh linux-x64|linux-arm64|linux-musl-x64|win-x64\n' >&2; exit 2 ;;
esac
rid=$1
assemblies=
if [ "$rid" = linux-x64 ]; then
    # One program of machine code, which the C compiler links.
    assemblies=$native_assemblies
    source "$repository/lab/packages.sh"
    if ! command -v clang > /dev/null || [ -z "$(clang -print-file-name=crt1.o | grep /)" ]; then
        apt_install "$build/clang.log" clang libc6-dev \
            || { printf 'dist: clang, which links the program, is missing (Debian packages clang and libc6-dev)\n' >&2; exit 3; }
    fi
fi
name=dumpanalyze-$version-$rid

mkdir -p "$build" "$dist"
exec 9> "$build/$rid.lock"
flock 9
if ! is_built "$rid" "$repository/packaging/start-methods.txt" "$repository"/packaging/native/*; then
    build_packaging_program
    rm -rf "$build/$rid/publish" "$build/$rid.sha256"
    # The analyzers have their say in the build of the repository, which is made besides.
    run_logged "$rid" dotnet publish "$repository/ext-managed/Dump.Cli/Dump.Cli.csproj" -p:RunAnalyzers=false -p:PublishProfile="archive-$rid" \
        -p:MethodProfileProgram="$packaging_assembly" --artifacts-path "$build/$rid" 9>&-
    set_built "$rid"
fi

# The archive comes into being whole and under its name at once: another package may be made of it at the same time.
if [ ! "$dist/$name.$ending" -nt "$build/$rid.sha256" ] \
    || [ -n "$(find "$repository/packaging" "$repository/LICENSE" -newer "$dist/$name.$ending" -print -quit)" ]; then
    work=$build/$rid/archive
    rm -rf "$work"
    mkdir -p "$work"
    cp -RL "$build/$rid/publish/Dump.Cli/release_$rid" "$work/$name"
    find "$work/$name" \( -name '*.pdb' -o -name '*.dbg' \) -delete
    describe "$work/$name" "$work/bill" "$assemblies"
    cd "$work"
    # Sorted, of one owner and one date, so that the same files give the same archive.
    if [ $ending = zip ]; then
        packaging_program zip "$name" new
    else
        tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=2000-01-01T00:00:00Z --mode=u+w,go-w,a+rX -c "$name" | gzip -9n > new
    fi
    mv bill "$dist/$name.cdx.json"
    mv new "$dist/$name.$ending"
    rm -rf "$work"
fi
printf 'dist/%s.%s\n' "$name" "$ending"
