#!/usr/bin/env bash
# lab/old-sample.sh VERSION: compiles samples/managed-old against the win-x64 runtime of that version and prints the path of old-hang.dll.
# The compiler of the SDK takes the runtime's own assemblies as references, because reference packages of old versions are not to be had everywhere.
# Exit status: 0 there; 3 the runtime cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

[ $# = 1 ] || { printf 'usage: old-sample.sh VERSION\n' >&2; exit 2; }
runtime=$("$repository/lab/windows-runtime.sh" "$1") || exit 3
output=$lab_directory/old-samples/$1
compiler=$(dotnet --list-sdks | sed -n 's/^\([^ ]*\) \[\(.*\)\]$/\2\/\1/p' | tail -1)/Roslyn/bincore/csc.dll
log=$output/compiler.log

mkdir -p "$output"
exec 9> "$output.lock"
flock 9
state=$(cat "$repository"/samples/managed-old/*.cs "${BASH_SOURCE[0]}" | sha256sum)
if [ ! -e "$output/old-hang.sha256" ] || [ "$(cat "$output/old-hang.sha256")" != "$state" ]; then
    references=()
    for file in "$runtime"/System*.dll "$runtime"/mscorlib.dll "$runtime"/netstandard.dll; do
        # The native halves have no metadata; of the private assemblies the core library alone is referenced by public ones.
        case $(basename "$file") in
            *Native*) ;;
            System.Private.CoreLib.dll | System.Private.Uri.dll) references+=("-r:$file") ;;
            System.Private.*) ;;
            *) references+=("-r:$file") ;;
        esac
    done
    dotnet "$compiler" -noconfig -nostdlib -nologo -deterministic -optimize- -debug- -warnaserror -target:exe -out:"$output/old-hang.dll" \
        "${references[@]}" "$repository"/samples/managed-old/*.cs > "$log" 2>&1 < /dev/null || { cat "$log" >&2; exit 1; }
    printf '%s\n' "$state" > "$output/old-hang.sha256"
fi
printf '%s\n' "$output/old-hang.dll"
