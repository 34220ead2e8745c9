#!/usr/bin/env bash
# samples/build.sh OUTPUT_DIRECTORY [DEBUGGER_HEADERS]: builds the native samples, the dumper and, where the headers are given, the debugger host and what stands in for the engine.
# Does nothing when no source has changed since the last build. Needs the Debian packages g++-mingw-w64-x86-64, clang and lld.
set -euo pipefail

samples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
output=$(realpath -m "${1:?usage: build.sh OUTPUT_DIRECTORY [DEBUGGER_HEADERS]}")
debugger_headers=${2:-}
debugger_host=$samples/../tests/dbghost
engine_standin=$samples/../tests/enginestandin
extension_contracts=$samples/../ext-native/src
native=$samples/native
repository=$(dirname "$samples")

# Without tail calls every function of a sample stands on its stack.
c=(x86_64-w64-mingw32-gcc -std=gnu17 -O2 -Wall -Wextra -Werror -fno-optimize-sibling-calls -D_WIN32_WINNT=0x0A00 -I "$native/common")
# GCC writes no names into PDB files: what a first report shows is built by a compiler that does. The source files stand in them as in the repository. Each PDB
# lies at the path that the image records, as on the machine of whoever built it: L: is where samples are started from.
named=(clang --target=x86_64-w64-mingw32 -fuse-ld=lld -L "$(dirname "$(x86_64-w64-mingw32-gcc -print-libgcc-file-name)")"
    "${c[@]:1}" -g -gcodeview -ffile-prefix-map="$repository/=" -fdebug-compilation-dir=.)
cpp=(x86_64-w64-mingw32-g++ -std=c++20 -O1 -Wall -Wextra -Werror -D_WIN32_WINNT=0x0A00 -static)

state_of_sources() {
    find "$samples" "$debugger_host" "$engine_standin" "$extension_contracts"/{failure_analysis,debugger_headers}.hpp -type f \( -name '*.c' -o -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.rc' -o -name build.sh \) -print0 2> /dev/null \
        | sort -z | xargs -0 sha256sum
    printf '%s\n' "$debugger_headers"
}

# A program or library with its PDB: its name, its extension, and what the compiler is told besides.
build_named() {
    local name=$1 extension=$2
    (cd "$repository" && "${named[@]}" -Wl,--pdb="$output/$name.pdb" -Wl,-Xlink=-pdbaltpath:"L:\\$name.pdb" "${@:3}" -o "$output/$name.$extension")
}

# A sample named after its host program, with the plug-in library that it loads.
build_with_plugin() {
    local host=$1 plugin=$2
    build_named "$plugin" dll -shared -D"${plugin^^}_BUILDING" "$native/loader/$plugin.c"
    build_named "$host" exe "$native/loader/${host//-/_}.c" "$native"/common/*.c "$output/$plugin.dll"
}

mkdir -p "$output"
stamp=$output/sources.sha256
state=$(state_of_sources)
[ -e "$stamp" ] && [ "$(cat "$stamp")" = "$state" ] && exit 0
rm -f "$stamp"

build_with_plugin loader-exit mathplug
build_with_plugin loader-attach auditplug
build_with_plugin loader-join joinplug
build_with_plugin loader-event waitplug
"${c[@]}" -shared "$native/loader/startplug.c" "$output/auditplug.dll" -o "$output/startplug.dll"
# Of a process that ends, the code of GCC is what the tests know.
"${c[@]}" -shared -DEXITPLUG_BUILDING "$native/loader/exitplug.c" -o "$output/exitplug.dll"
"${c[@]}" "$native/loader/process_exit.c" "$native"/common/*.c "$output/exitplug.dll" -o "$output/process-exit.exe"
"${c[@]}" -shared -Wl,--pdb="$output/startupplug.pdb" "$native/loader/startupplug.c" -o "$output/startupplug.dll"
"${c[@]}" "$native/loader/startup_lock.c" "$native"/common/*.c -o "$output/startup-lock.exe"
build_named shop exe "$native"/symbols/*.c "$native"/common/*.c
build_named hang exe "$native"/plain/*.c "$native"/common/*.c -lntdll -lsynchronization
"${c[@]}" "$native"/posix/*.c "$native"/common/*.c -lpthread -o "$output/posix-mutexes.exe"
cp "$(x86_64-w64-mingw32-gcc -print-file-name=libwinpthread-1.dll)" "$output/"
# std::mutex of libstdc++ comes with the threads of POSIX, and most programs are shipped with all of that inside.
for level in 0 2; do
    x86_64-w64-mingw32-g++-posix -std=c++17 -g -O$level -Wall -Wextra -Werror -static -ffile-prefix-map="$repository/=" "$samples/linux/two-deadlocks.cpp" \
        -o "$output/two-deadlocks-O$level.exe"
done
# The libraries of GCC stay files of their own, as most programs have them.
"${cpp[@]/#-static/-shared-libgcc}" -c "$native/crash/crash_throw.cpp" -o "$output/crash_throw.o"
"${c[@]}" "$native"/crash/*.c "$native"/common/*.c "$output/crash_throw.o" -lstdc++ -shared-libgcc -o "$output/crash.exe"
rm "$output/crash_throw.o"
cp "$(x86_64-w64-mingw32-gcc -print-file-name=libstdc++-6.dll)" "$(x86_64-w64-mingw32-gcc -print-file-name=libgcc_s_seh-1.dll)" "$output/"
x86_64-w64-mingw32-windres --codepage=65001 "$native/ui/ui.rc" -o "$output/ui.res.o"
build_named ui exe "$native"/ui/*.c "$native"/common/*.c "$output/ui.res.o"
rm "$output/ui.res.o"
"${c[@]}" "$native/managed/managed_host.c" -o "$output/managed-host.exe"
"${c[@]}" -shared -DNATIVELOCK_BUILDING "$native/managed/nativelock.c" -o "$output/nativelock.dll"
"${c[@]}" -municode "$samples"/dumper/*.c -o "$output/dumper.exe"
"${c[@]}" -shared "$samples/writer/writer.c" "$samples/dumper/handle_count.c" -o "$output/labwriter.dll"
if [ -n "$debugger_headers" ] && [ -e "$debugger_host/dbghost.cpp" ]; then
    # As system headers: they carry pragmas that only Microsoft's compiler knows.
    "${cpp[@]}" -municode -DUNICODE -isystem "$debugger_headers" -I "$extension_contracts" "$debugger_host"/*.cpp -o "$output/dbghost.exe"
    "${cpp[@]}" -municode -DUNICODE -I "$debugger_host" "$engine_standin"/*.cpp -o "$output/enginestandin.exe"
fi
printf '%s\n' "$state" > "$stamp"
