#!/usr/bin/env bash
# lab/tidy.sh [--each]: runs clang-tidy (rules: .clang-tidy) over the C++ of the extension, its unit tests, its test host and what stands in for the engine, two at a time. Call setup.sh first.
# Most of its time goes into the headers of Windows and of the C++ library, so that the files of a directory are checked as one text that includes each header once. What that complains
# about, and what is a file or two, is checked file by file: only that decides; --each does nothing else.
# A file is passed over when neither it nor any header nor a rule has changed since it was clean. Exit status: 0 no warning, 1 warnings (printed), 3 something needed is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$repository/lab/mingw-headers.sh"

fewest_together=3
[ "${1:-}" != --each ] || fewest_together=1000
command -v clang-tidy > /dev/null || cannot 'clang-tidy is missing (Debian package clang-tidy)'
need_extension_headers

cd "$repository"
clean=$lab_directory/tidy
mkdir -p "$clean"

windows=(--target=x86_64-w64-mingw32 "${mingw_headers[@]}" -isystem "$debugger_headers" -I "$generated_headers" -DUNICODE -D_UNICODE -D_WIN32_WINNT=0x0A00)
common=(-std=c++20 -Wall -Wextra -Wpedantic -Wreserved-identifier -I ext-native/src)
state_of_rules=$(cat .clang-tidy tests/*/.clang-tidy ext-native/src/*/*.hpp "$generated_headers"/*.hpp tests/dbghost/*.h lab/tidy.sh lab/mingw-headers.sh \
    | sha256sum)

# The mark of a file that is clean.
mark_of() { printf '%s\n' "$state_of_rules" | cat - "$1" | sha256sum | cut -d' ' -f1; }

# check FILE FLAG...: prints the warnings of one file.
check() {
    local file=$1 mark output
    shift
    mark=$(mark_of "$file")
    # A name that is hidden is one of the same file: together, files hide each other's.
    output=$(clang-tidy --quiet "$file" -- "$@" -Wshadow 2>&1) || { printf '%s\n' "$output"; return 1; }
    touch "$clean/$mark"
}

# check_together NAME FILE... -- FLAG...: the same for files of one directory as one text, with each #include once. What it complains about is said of each file alone.
check_together() {
    local name=$1 files=() file status=0
    shift
    while [ "$1" != -- ]; do files+=("$1"); shift; done
    shift
    if [ "${#files[@]}" -ge "$fewest_together" ]; then
        awk '/^ *# *include / { if (seen[$0]++) { print ""; next } } { print }' "${files[@]}" > "$clean/$name.cpp"
        # Seems to lie in the directory of its files: there are its rules.
        printf "{ 'version': 0, 'roots': [ { 'name': '%s/%s.cpp', 'type': 'file', 'external-contents': '%s' } ] }\n" \
            "$repository/$(dirname "${files[0]}")" "$name" "$clean/$name.cpp" > "$clean/$name.yaml"
        if clang-tidy --quiet --vfsoverlay="$clean/$name.yaml" "$repository/$(dirname "${files[0]}")/$name.cpp" -- "$@" > "$clean/$name.log" 2>&1; then
            for file in "${files[@]}"; do touch "$clean/$(mark_of "$file")"; done
            return 0
        fi
    fi
    for file in "${files[@]}"; do check "$file" "$@" || status=1; done
    return "$status"
}

status=0
running=0
# Two at a time; the oldest is not waited for, whichever ends first makes room.
start() {
    if [ "$running" = 2 ]; then
        wait -n || status=1
        running=1
    fi
    check_together "$@" &
    running=$((running + 1))
}

# group NAME PARTS FILE... -- FLAG...: starts the check of the files that are not known to be clean, in so many parts.
group() {
    local name=$1 parts=$2 files=() part size
    shift 2
    while [ "$1" != -- ]; do
        [ -e "$clean/$(mark_of "$1")" ] || files+=("$1")
        shift
    done
    size=$(((${#files[@]} + parts - 1) / parts))
    for ((part = 0; part * size < ${#files[@]}; part++)); do
        start "together_$name$part" "${files[@]:part * size:size}" "$@"
    done
}

group extension 2 ext-native/src/*.cpp ext-native/src/*/*.cpp -- "${common[@]}" -Wconversion "${windows[@]}" -DNOMINMAX -DWIN32_LEAN_AND_MEAN
# mingw declares IUnknown's methods as throwing nothing, Microsoft's headers do not.
group host 1 tests/dbghost/*.cpp -- "${common[@]}" "${windows[@]}" -Wno-microsoft-exception-spec
group standin 1 tests/enginestandin/*.cpp -- "${common[@]}" "${windows[@]}" -I tests/dbghost
if [ -e /usr/include/gtest/gtest.h ]; then
    group tests 1 ext-native/tests/*.cpp -- "${common[@]}"
fi
while [ "$running" != 0 ]; do
    wait -n || status=1
    running=$((running - 1))
done
exit "$status"
