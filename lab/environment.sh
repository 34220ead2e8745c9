# Sourced by the lab's scripts: where the lab lives and how Wine is called.
#
# DUMP_LAB_DIRECTORY moves the lab (prefix, debugger, built samples) away from .lab/ of the repository.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
lab_directory=${DUMP_LAB_DIRECTORY:-$repository/.lab}
debugger_directory=$lab_directory/debugger
debugger_headers=$lab_directory/debugger-headers
samples_directory=$lab_directory/samples

export WINEPREFIX=$lab_directory/prefix WINEARCH=win64 WINEDEBUG=-all
# Without the last entry Wine silently substitutes its own dbgeng, dbghelp and dbgcore, even for a DLL loaded by its full path.
export WINEDLLOVERRIDES='mshtml=;winemenubuilder.exe=d;dbgeng,dbghelp,dbgcore,dbgmodel=n,b'
unset DISPLAY

# cannot WORDS: ends the script with status 3: something that it needs cannot be had here, said in one line.
cannot() {
    printf 'lab: %s\n' "$*" >&2
    exit 3
}

# Prints the path of the 64-bit Wine loader. The script /usr/bin/wine is not used: it asks for 32-bit packages on every call.
wine_loader() {
    local candidate
    for candidate in /usr/lib/wine/wine64 "$(command -v wine64)"; do
        if [ -x "$candidate" ]; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

# Prints the path of Wine's server: the one that setup.sh has mended, where there is one.
wine_server() {
    if [ -x "$lab_directory/wineserver64" ]; then
        printf '%s\n' "$lab_directory/wineserver64"
    else
        printf '%s\n' "$(dirname "$(wine_loader)")/wineserver64"
    fi
}

# Prints the name that a Windows program must use for a file of this system.
windows_path() {
    local path
    path=$(realpath -m -- "$1")
    printf 'Z:%s\n' "${path//\//\\}"
}

# keep_server: lets Wine's server outlive its last program by a minute, after which it ends by itself. Each program would else start a server, and those of the
# system with it: 1.2 s instead of 0.15 s, and now and then a program met a server that was just ending.
keep_server() {
    local server
    server=$(wine_server)
    [ ! -x "$server" ] || nice -n -10 "$server" -p60 > /dev/null 2>&1 < /dev/null 9>&- || true
}

# server_was_closing FILE: true when a program's output says that it met Wine's server just as the server ended for want of programs.
# Seen as "wine client error:0: recvmsg: Connection reset by peer"; another start brings a new server up.
server_was_closing() {
    grep -q '^wine client error' "$1"
}

# run_windows SECONDS OUTPUT PROGRAM [ARGUMENTS]: runs one Windows program with a time limit; what it prints goes to the file OUTPUT.
# A file and never a pipe: Wine's background processes inherit the descriptor and would hold a pipe open.
# .NET 10 maps compiled code twice, writable and executable, and under Wine ends itself ("Internal CLR error. (0x80131506)") where it frees a dynamic method
# mapped so. It does when a collection runs before the program ends: in a quarter of the short runs on a machine that tells no cache sizes, in all of them with
# DOTNET_GCgen0size=0x10000 DOTNET_GCgen0MaxBudget=0x10000. Nothing like it is known of Windows.
run_windows() {
    local seconds=$1 output=$2 attempt status
    shift 2
    keep_server
    for attempt in 1 2 3; do
        status=0
        DOTNET_EnableWriteXorExecute=0 timeout --kill-after=5 "$seconds" "$(wine_loader)" "$@" > "$output" 2>&1 < /dev/null || status=$?
        # A program that fails without a word did not start: seen with exit status 1 after 25 ms, when the server was just ending, and with exit status 0 on a
        # busy machine: speaks=yes says that the program prints something whenever all is well.
        server_was_closing "$output" || { [ ! -s "$output" ] && { [ "$status" = 1 ] || [ "${speaks:-}$status" = yes0 ]; }; } || break
    done
    return "$status"
}
