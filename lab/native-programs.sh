#!/usr/bin/env bash
# lab/native-programs.sh [--looks N] [--cores N] [NAME...]: looks at healthy native programs of Debian at work, and prints a table for docs/healthy-programs.md.
# NAME: python redis nginx postgres node compiler, and redis-idle nginx-idle postgres-idle, to which nobody is connected (all by default); packages that are not installed are unpacked aside, nothing is installed. Build the solution first.
# For each the frames of kept cores are compared with those of gdb and, where elfutils are installed, eu-stack, thread by thread from the innermost on to the first
# on which these two differ. Exit status: 0 when no look had a verdict of Likely or above, and 99 of 100 frames are theirs.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

looks=30 cores=2
while :; do
    case "${1:-}" in
        --looks) looks=$2; shift 2 ;;
        --cores) cores=$2; shift 2 ;;
        *) break ;;
    esac
done
names=("$@")
[ ${#names[@]} != 0 ] || names=(python redis nginx postgres node compiler redis-idle nginx-idle postgres-idle)

analyze=(dotnet "$repository/artifacts/bin/Dump.EndToEnd.Tests/release/program/dumpanalyze.dll")
scratch=$(mktemp -d)
chmod 777 "$scratch"
started=()
finish() {
    [ ${#started[@]} = 0 ] || kill "${started[@]}" 2> /dev/null || true
    wait 2> /dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

# unpack PACKAGE...: what is not installed of them goes to a directory of its own, from which it runs.
unpack() {
    mkdir -p "$scratch/archives/partial" "$scratch/root"
    apt-get install --download-only -y -q --no-install-recommends -o Dir::Cache::archives="$scratch/archives" "$@" > "$scratch/apt.log" 2>&1 \
        || { tail -n 3 "$scratch/apt.log" >&2; return 1; }
    local archive
    for archive in "$scratch"/archives/*.deb; do [ ! -f "$archive" ] || dpkg -x "$archive" "$scratch/root"; done
    chmod -R a+rX "$scratch/root"
}

# until COMMAND...: waits for it to succeed.
until_true() {
    for _ in $(seq 600); do
        ! "$@" > /dev/null 2>&1 || return 0
        sleep 0.1
    done
    printf 'native-programs.sh: did not get ready: %s\n' "$*" >&2
    return 1
}

# As an ordinary user where this runs as root: some of them refuse root.
ordinary=()
[ "$(id -u)" != 0 ] || ordinary=(setpriv --reuid=65534 --regid=65534 --clear-groups)

begin_program() {
    local root=$scratch/root
    export LD_LIBRARY_PATH=
    local work=${1%-idle}
    case $work in
        python)
            cat > "$scratch/busy.py" << 'P'
import queue, threading, json, zlib
work = queue.Queue(50)
def put():
    while True:
        work.put(json.dumps(list(range(300))).encode())
def take():
    while True:
        zlib.compress(work.get())
for f in (put, put, take, take, take):
    threading.Thread(target=f, daemon=True).start()
threading.Event().wait()
P
            python3 "$scratch/busy.py" & started+=($!); pids=($!) ;;
        node)
            cat > "$scratch/busy.js" << 'N'
const { Worker, isMainThread, parentPort } = require('worker_threads'), crypto = require('crypto'), zlib = require('zlib');
if (isMainThread) for (let i = 0; i < 3; i++) new Worker(__filename).on('message', () => 0);
setInterval(() => { crypto.pbkdf2('a', 'b', 2000, 64, 'sha512', () => 0); zlib.deflate(Buffer.alloc(100000, 'x'), () => 0); if (parentPort) parentPort.postMessage('n'); }, 5);
N
            node "$scratch/busy.js" & started+=($!); pids=($!) ;;
        compiler)
            printf '#include <regex>\n#include <map>\n#include <iostream>\nint main() { std::map<std::string, std::regex> m; std::smatch s; std::string a; std::cout << std::regex_match(a, s, m["a"]); }\n' > "$scratch/a.cpp"
            ( while :; do g++ -O2 -c "$scratch/a.cpp" -o "$scratch/a.o"; done ) & started+=($!); pids=() ;;
        redis)
            unpack redis-server
            export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu
            local threads=(--io-threads 4 --io-threads-do-reads yes)
            [ "$work" = "$1" ] || threads=()
            "${ordinary[@]}" "$root/usr/bin/redis-server" --port 0 --unixsocket "$scratch/redis.sock" --save '' "${threads[@]}" --dir /tmp > "$scratch/redis.log" &
            started+=($!); pids=($!)
            until_true "$root/usr/bin/redis-cli" -s "$scratch/redis.sock" ping
            [ "$work" = "$1" ] || { unset LD_LIBRARY_PATH; return 0; }
            "$root/usr/bin/redis-benchmark" -s "$scratch/redis.sock" -l -q -n 100000 > /dev/null 2>&1 & started+=($!) ;;
        nginx)
            unpack nginx-light
            mkdir -p "$scratch/nginx/logs"
            printf 'worker_processes 2; error_log stderr; pid %s/nginx.pid; events {} thread_pool default threads=4; http { aio threads; access_log off; client_body_temp_path %s/t1; proxy_temp_path %s/t2; fastcgi_temp_path %s/t3; uwsgi_temp_path %s/t4; scgi_temp_path %s/t5; server { listen 127.0.0.1:18099; root %s; } }\n' \
                "$scratch" "$scratch" "$scratch" "$scratch" "$scratch" "$scratch" "$scratch" > "$scratch/nginx.conf"
            head -c 3000000 /dev/zero > "$scratch/file"
            "$root/usr/sbin/nginx" -p "$scratch/nginx" -e stderr -c "$scratch/nginx.conf" -g 'daemon off;' 2> "$scratch/nginx.log" & started+=($!)
            until_true curl -sf -o /dev/null http://127.0.0.1:18099/file
            local master=${started[-1]}
            pids=($(pgrep -P "$master") "$master")
            [ "$work" = "$1" ] || { unset LD_LIBRARY_PATH; return 0; }
            ( while :; do curl -s -o /dev/null -o /dev/null -o /dev/null http://127.0.0.1:18099/file http://127.0.0.1:18099/file http://127.0.0.1:18099/none; done ) & started+=($!) ;;
        postgres)
            local bin
            bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -n 1)
            [ -n "$bin" ] || { unpack postgresql; bin=$(ls -d "$root"/usr/lib/postgresql/*/bin | tail -n 1); }
            local data=$scratch/$1
            mkdir -p "$data"; chmod 700 "$data"; [ "$(id -u)" != 0 ] || chown 65534:65534 "$data"
            "${ordinary[@]}" "$bin/initdb" -D "$data" -A trust -U lab > /dev/null
            "${ordinary[@]}" "$bin/postgres" -D "$data" -k "$data" -c listen_addresses= > "$scratch/pg.log" 2>&1 & started+=($!); pids=($!)
            until_true "$bin/psql" -h "$data" -U lab postgres -c 'select 1'
            [ "$work" = "$1" ] || { unset LD_LIBRARY_PATH; return 0; }
            "$bin/pgbench" -h "$data" -U lab -q -i postgres > /dev/null 2>&1
            "$bin/pgbench" -h "$data" -U lab -c 4 -T 100000 postgres > /dev/null 2>&1 & started+=($!)
            sleep 3
            pids+=($(pgrep -P "${pids[0]}")) ;;
    esac
    unset LD_LIBRARY_PATH
}

# Frames of a core as gdb walks them: a line for each thread, its instruction pointers; inlined frames have none of their own.
cat > "$scratch/gdb.commands" << 'G'
set backtrace past-main on
set backtrace past-entry on
python
for t in gdb.selected_inferior().threads():
    t.switch()
    f = gdb.newest_frame()
    line = "thread %d" % t.ptid[1]
    while f is not None:
        if f.type() in (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME):
            line += " %x" % f.pc()
        try:
            f = f.older()
        except gdb.error:
            break
    print(line)
end
G
# The same lines of eu-stack's output; how it ends where it cannot go on is left out.
cat > "$scratch/eu-stack.awk" << 'A'
/^TID / { if (line != "") print line; line = "thread " substr($2, 1, length($2) - 1) }
/^#/ { line = line " " substr($2, 3) }
END { if (line != "") print line }
A
# compare THREADS-JSON GDB-OUTPUT EU-STACK-OUTPUT: prints how many frames both have, up to the first on which they differ or that one doubts, how many of those
# are ours, and the first differences on standard error. Without eu-stack's, gdb's frames alone.
cat > "$scratch/compare.py" << 'C'
import json, os, sys
def read(path):
    lines = (line.split() for line in open(path))
    return {int(p[1]): [int(a, 16) for a in p[2:]] for p in lines if len(p) > 2 and p[0] == "thread"}
def common(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
ours = {t["id"]: [int(f["instructionPointer"], 16) for f in t["frames"]] for t in json.load(open(sys.argv[1]))["threads"]}
gdb = read(sys.argv[2])
other = read(sys.argv[3]) if os.path.getsize(sys.argv[3]) > 0 else gdb
all_frames = same = 0
for thread, frames in gdb.items():
    agreed = frames[:common(frames, other.get(thread, []))]
    equal = common(agreed, ours.get(thread, []))
    all_frames += len(agreed)
    same += equal
    if equal < len(agreed):
        mine = ours.get(thread, [])
        print("thread %d: %d of %d frames; then they have %x, we %s" % (thread, equal, len(agreed), agreed[equal], "%x" % mine[equal] if equal < len(mine) else "nothing"), file=sys.stderr)
print(all_frames, same)

C

bad=0
printf '| program | %d looks: exit codes | Likely or above | stood still in a look, ms: median, most | frames of %d cores as gdb and eu-stack have them |\n|---|---|---|---|---|\n' "$looks" "$cores"
for name in "${names[@]}"; do
    begin_program "$name" || { bad=1; continue; }
    sleep 2
    declare -A codes=()
    likely=0 stops=() all=0 same=0 at=0
    look() {
        # Of a compiler that starts anew each time, the one that works now.
        local pid
        [ "$name" != compiler ] || until_true pgrep -x cc1plus || return 0
        if [ "$name" = compiler ]; then pid=$(pgrep -nx cc1plus) || return 0; else pid=${pids[$((at % ${#pids[@]}))]}; fi
        at=$((at + 1)) code=0
        exe=$(readlink "/proc/$pid/exe") || { code=3; return 0; }
        "${analyze[@]}" live "$pid" --format json --interval 300ms "$@" > "$scratch/look.json" 2> "$scratch/look.errors" || code=$?
    }
    for _ in $(seq "$looks"); do
        look
        # A compiler that ended meanwhile.
        [ "$code" != 3 ] || [ "$name" != compiler ] || { look; }
        codes[$code]=$((${codes[$code]:-0} + 1))
        case $code in
            10 | 11 | 14) likely=$((likely + 1)); cp "$scratch/look.json" "$repository/artifacts/native-$name-$likely.json" ;;
        esac
        stops+=("$(sed -n 's/.*was stopped.* for \([0-9]*\) ms.*/\1/p; s/.*was stopped.* for \([0-9]*\)[.0-9]* s .*/\1000/p' "$scratch/look.errors" | head -n 1)")
    done
    for _ in $(seq "$cores"); do
        look --keep "$scratch/core"
        [ -s "$scratch/core" ] || continue
        "${analyze[@]}" threads "$scratch/core" --format json > "$scratch/threads.json" 2> /dev/null || true
        gdb -batch -nx -x "$scratch/gdb.commands" "$exe" "$scratch/core" > "$scratch/gdb.out" 2> /dev/null || true
        : > "$scratch/eu-stack.out"
        ! command -v eu-stack > /dev/null \
            || eu-stack --core "$scratch/core" -e "$exe" -n 0 2> /dev/null | awk -f "$scratch/eu-stack.awk" > "$scratch/eu-stack.out" || true
        read -r more equal < <(python3 "$scratch/compare.py" "$scratch/threads.json" "$scratch/gdb.out" "$scratch/eu-stack.out")
        all=$((all + more)) same=$((same + equal))
        rm -f "$scratch/core"
    done
    text=
    for code in 0 3 10 11 12 13 14; do [ -z "${codes[$code]:-}" ] || text="$text${text:+, }$code: ${codes[$code]}"; done
    [ "$likely" = 0 ] || bad=1
    [ $((same * 100)) -ge $((all * 99)) ] || bad=1
    sorted=$(printf '%s\n' "${stops[@]}" | grep . | sort -n || true)
    printf '| %s | %s | %d | %s, %s | %d of %d |\n' "$name" "$text" "$likely" "$(sed -n "$((($(wc -l <<< "$sorted") + 1) / 2))p" <<< "$sorted")" "$(tail -n 1 <<< "$sorted")" "$same" "$all"
    kill "${started[@]}" 2> /dev/null || true
    wait "${started[@]}" 2> /dev/null || true
    started=()
done
exit "$bad"
