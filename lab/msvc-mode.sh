#!/usr/bin/env bash
# lab/msvc-mode.sh: parses the extension's sources as Microsoft's compiler is known to take them: clang for the target x86_64-pc-windows-msvc, without GNU extensions, pedantic. Call setup.sh first.
# The headers are mingw's, because Microsoft's cannot be had here. Some of them do not parse in that mode; what is said about them does not count. So this shows that
# our sources use no extension of another compiler; it does not show that they compile with Microsoft's own headers and library.
# Exit status: 0 nothing to say about our files, 1 something (printed), 3 something needed is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$repository/lab/mingw-headers.sh"

command -v clang++ > /dev/null || cannot 'clang++ is missing (Debian package clang)'
need_extension_headers

cd "$repository"
# __GNUC__ and what it brings are defined for the headers of mingw, not for ours: nothing of ours but the headers that bring in the debugger's looks at it.
microsoft=(--target=x86_64-pc-windows-msvc -fms-extensions -fms-compatibility -fms-compatibility-version=19.40 -fno-delayed-template-parsing -fgnuc-version=12.2 -D__MINGW32__ -D__MINGW64__)
strict=(-std=c++20 -fsyntax-only -ferror-limit=0 -Wall -Wextra -pedantic-errors -Wgnu -Wmicrosoft -Wconversion -Wshadow)
headers=(-isystem "$debugger_headers" "${mingw_headers[@]}" -isystem /usr/x86_64-w64-mingw32/include -I ext-native/src -I "$generated_headers")
output=$(clang++ "${microsoft[@]}" "${strict[@]}" "${headers[@]}" \
    -DUNICODE -D_UNICODE -DNOMINMAX -DWIN32_LEAN_AND_MEAN -D_WIN32_WINNT=0x0A00 ext-native/src/*.cpp ext-native/src/*/*.cpp 2>&1 || true)
# A diagnostic of a foreign header names it at the start of its line.
complaints=$(grep -E '^(ext-native|clang)[^ ]*:.*(error|warning):' <<< "$output" || true)
# Attributes, built-in functions and pragmas of one compiler are known to both here; only the headers that bring in the debugger's may have them.
complaints+=$'\n'$(grep -nE '\b__[A-Za-z]|_MSC_VER|# *pragma +[^o]|# *pragma +once[^$]' ext-native/src/*.cpp ext-native/src/*/*.[ch]pp \
    | grep -vE '^ext-native/src/(system/debugger|model/model)_headers.hpp:' || true)
[ "$complaints" = $'\n' ] && exit 0
printf '%s\n' "$complaints"
exit 1
