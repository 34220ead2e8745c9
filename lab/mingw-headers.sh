# Sourced by the scripts that show the extension's sources to clang, after environment.sh: mingw's headers, of which clang does not know where Debian keeps them.

# Of the extension's build only its headers are needed: generated ones, and the directory that shows nlohmann-json and nothing else of this system's.
generated_headers=$lab_directory/extension-build/src
json_headers=$lab_directory/extension-build/json-headers

need_extension_headers() {
    [ -e "$debugger_headers/dbgeng.h" ] || cannot "the debugger's headers are missing (lab/setup.sh fetches them)"
    # Its version does not matter to a check of the sources.
    { [ -e "$generated_headers/version.hpp" ] && [ -e "$json_headers/nlohmann/json.hpp" ]; } || "$repository/lab/extension.sh" > /dev/null \
        || cannot 'the extension was not built: its headers are needed'
}

command -v x86_64-w64-mingw32-g++ > /dev/null || cannot 'x86_64-w64-mingw32-g++ is missing (Debian package g++-mingw-w64-x86-64)'

# The C++ library and nlohmann-json; intrinsics are clang's own.
mingw_headers=(-nostdinc++ -isystem "$json_headers")
while read -r directory; do
    mingw_headers+=(-isystem "$directory")
done < <(x86_64-w64-mingw32-g++ -v -E -x c++ /dev/null 2>&1 | sed -n 's:^ \(/.*include/c++.*\)$:\1:p')
