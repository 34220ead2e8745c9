#!/usr/bin/env bash
# lab/tidy.sh: runs clang-tidy (rules: .clang-tidy) over the C++ of the extension, its unit tests and its test host, two files at a time. Call setup.sh first.
# A file is passed over when neither it nor any header nor a rule has changed since it was clean. Exit status: 0 no warning, 1 warnings (printed), 3 something needed is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$repository/lab/mingw-headers.sh"

command -v clang-tidy > /dev/null || cannot 'clang-tidy is missing (Debian package clang-tidy)'
need_extension_headers

cd "$repository"
clean=$lab_directory/tidy
mkdir -p "$clean"

windows=(--target=x86_64-w64-mingw32 "${mingw_headers[@]}" -isystem "$debugger_headers" -I "$generated_headers" -DUNICODE -D_UNICODE -D_WIN32_WINNT=0x0A00)
common=(-std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wreserved-identifier -I ext-native/src)

# check FILE FLAG...: prints the warnings of one file.
check() {
    local file=$1 key output
    shift
    key=$(cat .clang-tidy tests/dbghost/.clang-tidy ext-native/src/*.hpp "$generated_headers"/*.hpp tests/dbghost/*.h lab/tidy.sh lab/mingw-headers.sh "$file" | sha256sum | cut -d' ' -f1)
    [ -e "$clean/$key" ] && return 0
    output=$(clang-tidy --quiet "$file" -- "$@" 2>&1) || { printf '%s\n' "$output"; return 1; }
    touch "$clean/$key"
}

status=0
running=0
# Two at a time; the oldest is not waited for, whichever ends first makes room.
start() {
    if [ "$running" = 2 ]; then
        wait -n || status=1
        running=1
    fi
    check "$@" &
    running=$((running + 1))
}

for file in ext-native/src/*.cpp; do
    start "$file" "${common[@]}" -Wconversion "${windows[@]}" -DNOMINMAX -DWIN32_LEAN_AND_MEAN
done
for file in tests/dbghost/*.cpp; do
    # mingw declares IUnknown's methods as throwing nothing, Microsoft's headers do not.
    start "$file" "${common[@]}" "${windows[@]}" -Wno-microsoft-exception-spec
done
if [ -e /usr/include/gtest/gtest.h ]; then
    for file in ext-native/tests/*.cpp; do
        start "$file" "${common[@]}"
    done
fi
while [ "$running" != 0 ]; do
    wait -n || status=1
    running=$((running - 1))
done
exit "$status"
