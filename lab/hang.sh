#!/usr/bin/env bash
# lab/hang.sh [--torn] [--debugger crash|breakpoint] [--own] [--twice SECONDS] SAMPLE [ARGUMENTS] -- KIND OUT.dmp [COMMENT]: starts a sample, waits until it hangs, dumps it from outside and ends it.
# lab/hang.sh SAMPLE [ARGUMENTS] -- pid|stopped|attached OUT.txt COMMAND...: lets debugger.sh look at it instead, in that way; what that prints goes to OUT.txt.
#
# With --torn the dumper neither stops the process nor writes the suspend counts of its threads, as a writer that cannot: such a dump is torn.
# With --debugger the dumper is a debugger that waits for an exception that nobody handles, or for the breakpoint at which it stops the process.
# A sample that crashed without one says where it keeps the exception, which the dumper then records.
# With --own nobody dumps it from outside: the sample is a .NET program that crashes, and its runtime has the dump written (createdump.exe, always in full).
# With --twice a second dump, OUT_2.dmp, is written that many seconds after the first.
# Prints nothing but errors; the sample's own lines (ids and roles of its threads) go to OUT.txt. Call setup.sh first.
# Kinds, and what they carry of a hang's evidence:
#   full    all memory, handles, thread times, memory map: everything
#   small   stacks, PEB and TEBs, memory that stacks point to, handles, thread times: locks yes, module images no
#   normal  stacks and a window of code around each instruction pointer: no TEB, no PEB, no thread times, no locks
#   triage  stacks filtered to what looks like addresses, PEB and TEBs, handles: no lock memory, no thread times
#   0x...   any MINIDUMP_TYPE value
# Exit status: 0 dumped, 1 the sample or the writer failed, 2 wrong arguments.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

ready_seconds=240
dump_seconds=240
# Room for the largest dump of a sample, with a .NET runtime in it.
space_needed=256
# Exit status of a sample that could not print its lines; the same number stands in samples/native/common/sample.h.
unheard=74

usage() {
    printf 'usage: hang.sh [--torn] [--twice SECONDS] SAMPLE [ARGUMENTS] -- full|small|normal|triage|0xFLAGS OUT.dmp [COMMENT]\n' >&2
    exit 2
}

failed() {
    printf 'hang.sh: %s\n' "$*" >&2
    exit 1
}

flags_of() {
    case $1 in
        full) echo 0x1826 ;;      # FullMemory HandleData UnloadedModules FullMemoryInfo ThreadInfo
        small) echo 0x1965 ;;     # DataSegs HandleData UnloadedModules IndirectlyReferencedMemory ProcessThreadData FullMemoryInfo ThreadInfo
        normal) echo 0x0 ;;
        triage) echo 0x1205AC ;;  # HandleData FilterMemory UnloadedModules FilterModulePaths ProcessThreadData WithoutOptionalData IgnoreInaccessible FilterTriage
        0x*) echo "$1" ;;
        *) return 1 ;;
    esac
}

# The loader samples are programs of their own, because each needs its plug-in; those with windows are scenes of one program, all others of another one.
command_of() {
    if [ -e "$samples_directory/$1.exe" ]; then
        printf 'L:\\%s.exe\n' "$1"
    elif [ "${1#ui-}" != "$1" ]; then
        printf '%s\n' 'L:\ui.exe' "$1"
    elif [ "${1#crash-}" != "$1" ]; then
        printf '%s\n' 'L:\crash.exe' "$1"
    else
        printf '%s\n' 'L:\hang.exe' "$1"
    fi
}

start_sample() {
    : > "$roles"
    if [ -n "$own" ]; then
        export DOTNET_DbgEnableMiniDump=1 DOTNET_DbgMiniDumpType=4 DOTNET_DbgMiniDumpName="$(windows_path "$dump")"
    fi
    keep_server
    # Samples that spin must get their processor time on a busy machine too; without the right to raise the priority they run as they are.
    nice -n -15 "$(wine_loader)" "$@" > "$roles" 2> "$log" < /dev/null &
    sample_process=$!
}

end_sample() {
    kill -KILL "$sample_process" 2> /dev/null || true
    wait "$sample_process" 2> /dev/null || true
}

# Returns 1 when the start should be tried again.
wait_until_ready() {
    local waited
    status=0
    for ((waited = 0; waited < ready_seconds * 10; waited++)); do
        grep -q '^ready' "$roles" && return 0
        grep -q '^failed' "$roles" && failed "$sample: $(grep '^failed' "$roles")"
        if ! kill -0 "$sample_process" 2> /dev/null; then
            wait "$sample_process" || status=$?
            # It may have said that it is ready, or why not, and ended since the last look.
            grep -q '^\(ready\|failed\)' "$roles" && continue
            [ "$status" != "$unheard" ] || failed "$sample could not write to $roles"
            # A sample that ends without saying why did not come up under Wine, as run_windows has met it too.
            return 1
        fi
        sleep 0.1
    done
    failed "$sample was not ready within $ready_seconds s"
}

if [ "${1:-}" = --torn ]; then
    export DUMPER_TORN=1
    shift
fi
if [ "${1:-}" = --debugger ]; then
    [[ ${2:-} =~ ^(crash|breakpoint)$ ]] || usage
    export DUMPER_DEBUGGER=$2
    shift 2
fi
own=
if [ "${1:-}" = --own ]; then
    own=yes
    shift
fi
second_after=
if [ "${1:-}" = --twice ]; then
    [[ ${2:-} =~ ^[0-9]+$ ]] || usage
    second_after=$2
    shift 2
fi
[ $# -ge 3 ] || usage
sample=$1
shift
arguments=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    arguments+=("$1")
    shift
done
commands=()
if [[ ${2:-} =~ ^(pid|stopped|attached)$ ]]; then
    [ $# -ge 4 ] || usage
    attach=$2
    commands=("${@:4}")
    flags=0
    comment=
else
    [ $# -ge 3 ] && [ $# -le 4 ] || usage
    flags=$(flags_of "$2") || usage
    comment=${4:-}
fi
dump=$(realpath -m -- "$3")
roles=${dump%.*}.roles
[ ${#commands[@]} -gt 0 ] || roles=${dump%.dmp}.txt
log=$dump.log

free=$(df --output=avail --block-size=1M "$(dirname "$dump")" | tail -n 1)
[ "$free" -ge "$space_needed" ] || failed "$((free)) MiB are free in $(dirname "$dump"), and a dump of a sample may need $space_needed"

# Reads from the sample's lines what those who look at it need.
read_roles() {
    # Wine writes the line ends of Windows. A runtime that has a dump written says so between the sample's lines.
    sed -i -e 's/\r$//' -e '/^\[createdump\]/d' "$roles"
    process_id=$(sed -n 's/^pid //p' "$roles")
    local kept_exception
    kept_exception=$(sed -n 's/^address \([0-9a-f]*\) exception$/\1/p' "$roles")
    [ -z "$kept_exception" ] || export DUMPER_EXCEPTION="$(sed -n 's/^thread \([0-9]*\) crashing$/\1/p' "$roles"):$kept_exception"
}

# Each of these returns 1 with the reason in $reason when the sample should be started anew.
reason=

write_dump() {
    local attempt
    # A writer that reports success and wrote nothing did not come up under Wine.
    for attempt in 1 2 3; do
        if ! run_windows "$dump_seconds" "$log" "$samples_directory/dumper.exe" "$process_id" "$(windows_path "$1")" "$flags" \
            "$(windows_path "$debugger_directory/dbgcore.dll")" ${comment:+"$comment"}; then
            reason="the dump was not written: $(tr -d '\r' < "$log")"
            return 1
        fi
        rm -f "$log"
        [ ! -s "$1" ] || return 0
    done
    reason='the writer reported success, but wrote nothing'
    return 1
}

write_dumps() {
    write_dump "$dump" || return 1
    [ -n "$second_after" ] || return 0
    sleep "$second_after"
    write_dump "${dump%.dmp}_2.dmp"
}

wait_for_own_dump() {
    local waited
    for ((waited = 0; waited < dump_seconds * 10; waited++)); do
        kill -0 "$sample_process" 2> /dev/null || break
        sleep 0.1
    done
    if [ ! -s "$dump" ]; then
        reason="$sample left no dump: $(tail -n 3 "$log" | tr -d '\r' | tr '\n' ' ')"
        return 1
    fi
    rm -f "$log"
}

run_debugger() {
    if ! "$repository/lab/debugger.sh" "$attach:$process_id" "${commands[@]}" > "$dump"; then
        reason="the debugger failed: $(cat "$dump")"
        return 1
    fi
    # A process that was only looked at goes on.
    kill -0 "$sample_process" 2> /dev/null || failed "$sample did not outlive the debugger"
}

if [ ${#commands[@]} -gt 0 ]; then
    look=run_debugger
elif [ -n "$own" ]; then
    look=wait_for_own_dump
else
    look=write_dumps
fi

cd "$samples_directory"
mapfile -t program < <(command_of "$sample")
trap end_sample EXIT
for attempt in 1 2 3; do
    rm -f "$dump"
    start_sample "${program[@]}" "${arguments[@]}"
    if wait_until_ready; then
        read_roles
        ! "$look" || exit 0
        # Seen on a busy machine: a sample that was ready, was dumped, and was gone nine seconds later, which none of its own ways to end does.
        ! kill -0 "$sample_process" 2> /dev/null || [ -n "$own" ] || failed "$reason"
    else
        reason="$sample ended before it was ready; with status $status, having said: $(tail -n 3 "$roles" "$log" | tr -d '\r' | tr '\n' ' ')"
    fi
    end_sample
done
failed "$reason (the last of three attempts)"
