#!/usr/bin/env bash
# Makes everything that a real hang and its dump need: Debian packages, a Wine prefix, Microsoft's debugger engine and the samples.
# Finished steps are skipped, so a second call takes well under a second; a lock makes parallel calls wait for each other.
# Exit status: 0 ready; 3 something needed cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

debugger_package=Microsoft.Debugging.Platform.DbgEng
debugger_version=20260109.1235.0

install_packages() {
    local missing=()
    wine_loader > /dev/null || missing+=(wine wine64)
    command -v x86_64-w64-mingw32-g++ > /dev/null || missing+=(g++-mingw-w64-x86-64)
    command -v cmake > /dev/null || missing+=(cmake)
    command -v clang-tidy > /dev/null || missing+=(clang-tidy)
    command -v clang++ > /dev/null || missing+=(clang)
    compgen -G "/usr/lib/llvm-*/include/c++/v1" > /dev/null || missing+=(libc++-dev libc++abi-dev)
    command -v lld-link > /dev/null || missing+=(lld)
    command -v llvm-pdbutil > /dev/null || missing+=(llvm)
    [ -e /usr/include/gtest/gtest.h ] || missing+=(libgtest-dev)
    [ -e /usr/include/nlohmann/json.hpp ] || missing+=(nlohmann-json3-dev)
    command -v eu-addr2line > /dev/null || missing+=(elfutils)
    command -v musl-gcc > /dev/null || missing+=(musl-tools)
    [ -x /usr/bin/rustc ] || missing+=(rustc)
    [ ${#missing[@]} = 0 ] && return 0

    local log=$lab_directory/packages.log
    command -v apt-get > /dev/null || cannot "missing packages: ${missing[*]} (only apt-get is known here)"
    as_root true || cannot "missing packages: ${missing[*]} (installing them needs root or sudo without a password)"
    printf 'lab: installing %s\n' "${missing[*]}" >&2
    apt_install "$log" "${missing[@]}" || cannot "apt-get could not install ${missing[*]}; see $log"
    wine_loader > /dev/null || cannot "the package wine64 brought no 64-bit loader"
}

# Wine's server lists the handles of all processes for a dump. It compares the index of a process's last handle without its sign, so that it reads on to the end
# of its memory where a process is just being started and has none (-1): it dies, and no program of the prefix is ever answered again. Wine 8.0; seen in 5 of 220
# dumps beside other starts. The lab runs a copy that compares before the first entry and with the sign: two bytes. Another build's code is left as it is.
mend_server() {
    local original mended=$lab_directory/wineserver64
    original=$(dirname "$(wine_loader)")/wineserver64
    [ ! -e "$mended" ] || return 0
    perl -0777 -pe 's/(\x49\x8b\x52\x60\x41\xb8\x04\0\0\0\x31\xff\xeb)\x7d(.{119}\x41\x39\x7a\x54)\x72\x22/$1\x77$2\x7c\x22/s' "$original" > "$mended.new"
    chmod +x "$mended.new"
    cmp -s "$original" "$mended.new" && printf 'lab: the fault in the server of Wine 8.0 is not found in this one, which is used as it is\n' >&2
    mv "$mended.new" "$mended"
}

make_prefix() {
    local stamp=$lab_directory/prefix.done log=$lab_directory/prefix.log
    [ -e "$stamp" ] && return 0
    printf 'lab: making the Wine prefix\n' >&2
    rm -rf "$WINEPREFIX"
    mkdir -p "$WINEPREFIX"
    run_windows 180 "$log" wineboot -i || cannot "wineboot failed; see $log"
    # As Windows 10, else dumps record version 6.1; the null graphics driver gives windows without a display.
    run_windows 180 "$log" winecfg -v win10 || cannot "winecfg failed; see $log"
    set_registry_value 'HKCU\Software\Wine\Drivers' Graphics null
    # An unhandled exception must end the process; Wine's default debugger keeps it for ever.
    local post_mortem='HKLM\Software\Microsoft\Windows NT\CurrentVersion\AeDebug'
    set_registry_value "$post_mortem" Debugger 'cmd.exe /c exit %ld %ld'
    set_registry_value "$post_mortem" Auto 1
    touch "$stamp"
}

set_registry_value() {
    run_windows 180 "$lab_directory/prefix.log" reg add "$1" /v "$2" /d "$3" /f || cannot "the registry value $2 could not be set"
}

fetch_debugger() {
    local stamp=$lab_directory/debugger-$debugger_version-dia.done log=$lab_directory/debugger.log project=$lab_directory/debugger-package
    [ -e "$stamp" ] && return 0
    command -v dotnet > /dev/null || cannot 'dotnet is not on the path'
    download_package "$debugger_package" "$debugger_version" "$project" > "$log" 2>&1 || cannot "the package $debugger_package $debugger_version did not restore; see $log"

    local package
    package=$(package_directory "$debugger_package" "$debugger_version")
    rm -rf "$debugger_directory" "$debugger_headers"
    mkdir -p "$debugger_directory" "$debugger_headers"
    # dbghelp reads PDB files through msdia140; without it beside itself it says nothing and has export names only.
    cp "$package"/content/amd64/{dbgeng,dbghelp,dbgcore,dbgmodel,msdia140}.dll "$debugger_directory" || cannot "the package $debugger_package lacks its DLLs"
    cp "$package"/build/native/inc/*.h "$debugger_headers" || cannot "the package $debugger_package lacks its headers"
    touch "$stamp"
}

mkdir -p "$lab_directory"
exec 9> "$lab_directory/setup.lock"
flock 9
install_packages 9>&-
mend_server
make_prefix 9>&-
# Samples start from a drive of their own, so that dumps do not record where this machine keeps them.
ln -sfn "$samples_directory" "$WINEPREFIX/dosdevices/l:"
fetch_debugger 9>&-
"$repository/samples/build.sh" "$samples_directory" "$debugger_headers" 9>&- || cannot 'the samples did not build'
