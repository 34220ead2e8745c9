# Sourced by the scripts of this folder: where packages are built, their version, and the steps that several of them share.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dist=$repository/dist
# An output of its own, so that it never meets a build of the repository that runs at the same time.
build=$repository/artifacts/packaging
version=$(sed -n 's:.*<Version>\(.*\)</Version>.*:\1:p' "$repository/Directory.Build.props")
packages=${NUGET_PACKAGES:-$HOME/.nuget/packages}
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 MSBUILDDISABLENODEREUSE=1

# run_logged NAME COMMAND...: runs a step of the build quietly; ends the script with what it said when it fails, with status 3 when NuGet found no package.
run_logged() {
    local log=$build/$1.log
    shift
    mkdir -p "$build"
    "$@" > "$log" 2>&1 < /dev/null && return 0
    printf 'dist: %s failed; see %s\n' "$1 ${2:-}" "$log" >&2
    grep -q 'error NU1[0-9]' "$log" && exit 3
    grep -E ' (error|warning) ' "$log" | sort -u | head -n 20 >&2
    exit 1
}

# state_of_sources: one line that changes with every file that the program is made of.
state_of_sources() {
    find "$repository"/{analyzers,ext-managed,docs/detectors} "$repository"/Directory.* "$repository"/global.json -type f \
        -not -path '*/obj/*' -not -path '*/bin/*' -print0 | sort -z | xargs -0 sha256sum | sha256sum
}

# is_built NAME [FILE...]: true when NAME was built from the sources as they are, and FILEs have not changed since.
is_built() {
    local stamp=$build/$1.sha256
    shift
    [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$(state_of_sources) $(dotnet --version)" ] && { [ $# = 0 ] || [ -z "$(find "$@" -newer "$stamp")" ]; }
}

# set_built NAME: says so.
set_built() {
    printf '%s\n' "$(state_of_sources) $(dotnet --version)" > "$build/$1.sha256"
}

# The program Dump.Packaging, once build_packaging_program has built it.
packaging_assembly=$build/tools/bin/Dump.Packaging/release/Dump.Packaging.dll

# One at a time: archives of several systems are built beside each other, and two builds of one output break each other.
build_packaging_program() {
    mkdir -p "$build"
    (
        flock 7
        run_logged packaging dotnet build "$repository/packaging/Dump.Packaging/Dump.Packaging.csproj" -c Release --artifacts-path "$build/tools" 7>&-
    ) 7> "$build/tools.lock" || exit
}

# packaging_program ARGUMENTS...: what Dump.Packaging does.
packaging_program() {
    build_packaging_program
    dotnet "$packaging_assembly" "$@"
}

# The assemblies that the archive for Linux on x64, which has none, is compiled from.
native_assemblies=$build/linux-x64/bin/Dump.Cli/release_linux-x64

# describe FOLDER BILL [ASSEMBLIES]: adds LICENSE and the notices of others to a folder of the program, and writes its bill of materials.
describe() {
    cp "$repository/LICENSE" "$1/LICENSE"
    packaging_program describe "$1" "$packages" "$2" ${3:+"$3"}
}
