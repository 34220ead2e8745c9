#!/usr/bin/env bash
# test.sh [OPTION...]: builds the solution, sets up the lab and runs all tests but those marked slow, which test-all.sh adds, and the matrix of lab/matrix.sh.
# OPTIONs are those of dotnet test.
# The end-to-end tests run the program of the archive for Linux, as people download it, which is built and unpacked for that; with --slow-too they run the build for
# the installed .NET as well, once each.
# Prints "N passed, N failed, N skipped" as its last line. Where Wine cannot be installed, the tests that need it are skipped, with the reason, and counted as skipped.
# Exit status: 0 when at least one test ran and none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 MSBUILDDISABLENODEREUSE=1
results=artifacts/test-results
lab_unavailable=3
archive_unavailable=3
# Half as much again as a run was measured to take at its peak, 6,556 MiB.
space_needed=9728
quick=(Dump.Readers.Tests Dump.Triage.Tests Dump.Store.Tests Dump.Reports.Tests Dump.Analysis.Tests Dump.Clr.Tests Dump.Fetching.Tests Dump.Capture.Tests Dump.Engine.Tests)

filter=(--filter 'Category!=Slow&Category!=Matrix')
both=
if [ "${1:-}" = --slow-too ]; then
    both=yes
    filter=(--filter 'Category!=Matrix')
    shift
else
    printf 'test.sh: tests marked slow are left out; test-all.sh runs them too\n' >&2
fi
for option in "$@"; do
    [ "$option" != --filter ] || filter=()
done

# Sum of one counter over all result files; the attribute stands once a file, in the element Counters.
sum_of() {
    sed -n "s/.*<Counters [^>]*\b$1=\"\([0-9]*\)\".*/\1/p" $(find "$results" -name '*.trx') < /dev/null | awk '{ sum += $1 } END { print sum + 0 }'
}

# run_tests PROJECT... -- SETTING...: runs the tests of built projects.
run_tests() {
    local assemblies=()
    while [ "$1" != -- ]; do
        assemblies+=("artifacts/bin/$1/release/$1.dll")
        shift
    done
    # Tests end programs by signals, which whatever a shell starts in the background, or nohup does, would ignore.
    env --default-signal=HUP,INT,QUIT dotnet test "${assemblies[@]}" --logger 'trx;LogFilePrefix=tests' --results-directory "$results" "${filter[@]}" "${options[@]}" "$@" < /dev/null
}

# All that the tests write lies in one folder, which goes with the run. A run that was killed leaves its folder, some gigabytes, to the next one, which finds it unlocked.
scratch=${TMPDIR:-/tmp}
find "$scratch" -maxdepth 1 -name 'dump-tests.*' -mmin +1 -exec flock --nonblock {} rm -rf {} \; || true
TMPDIR=$(mktemp -d "$scratch/dump-tests.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
exec {scratch_lock}< "$TMPDIR"
flock "$scratch_lock"

free=$(df --output=avail --block-size=1M "$TMPDIR" | tail -n 1)
if [ "$free" -lt "$space_needed" ]; then
    printf 'test.sh: %d MiB are free in %s, and the tests need %d: free some, or set TMPDIR to a folder on another disk\n' "$free" "$scratch" "$space_needed" >&2
    exit 1
fi

options=("$@")
rm -rf "$results"
mkdir -p "$results"

# The lab waits for Wine most of the time, so the solution and the archive are built beside it. A shell's background commands ignore Ctrl+C, and all that they start
# does too, unless told otherwise.
env --default-signal=INT,QUIT lab/setup.sh < /dev/null &
lab=$!
env --default-signal=INT,QUIT packaging/archive.sh linux-x64 > "$TMPDIR/archive" < /dev/null &
archive=$!
tests=0
dotnet build Dump.sln -c Release -nodeReuse:false < /dev/null || tests=$?
status=0
wait "$lab" || status=$?
if [ "$status" = "$lab_unavailable" ]; then
    printf 'test.sh: without the lab, tests of real hangs are skipped\n' >&2
elif [ "$status" != 0 ]; then
    printf 'test.sh: the lab could not be set up\n' >&2
fi

if [ "$tests" = 0 ]; then
    prepared=
    if [ "$status" = 0 ]; then
        env --default-signal=INT,QUIT lab/prepare.sh &
        prepared=$!
    fi
    run_tests "${quick[@]}" -- RunConfiguration.MaxCpuCount=0 || tests=$?
    built=0
    wait "$archive" || built=$?
    if [ "$built" = 0 ]; then
        mkdir "$TMPDIR/tested"
        tar -xf "$(cat "$TMPDIR/archive")" -C "$TMPDIR/tested" --strip-components=1
        export DUMP_TEST_ARCHIVE=$TMPDIR/tested
    elif [ "$built" != "$archive_unavailable" ]; then
        printf 'test.sh: the archive could not be built\n' >&2
        tests=1
    fi
    # By itself: its samples that use CPU time would be disturbed.
    run_tests Dump.EndToEnd.Tests -- || tests=$?
    if [ -n "$both" ] && [ -n "${DUMP_TEST_ARCHIVE:-}" ]; then
        DUMP_TEST_ARCHIVE= run_tests Dump.EndToEnd.Tests -- || tests=$?
    fi
    [ -z "$prepared" ] || wait "$prepared" || true
fi

total=$(sum_of total)
executed=$(sum_of executed)
passed=$(sum_of passed)
failed=$((executed - passed))
# A skipped test's text stands in its result and in the run's: each attempt counts once.
repeated=$(grep -ho 'attempt [0-9]* of [0-9]*: thread [^ ]* had [0-9.]* s of processor time in [0-9.]* s' "$results"/*.trx 2> /dev/null | sort -u || true)
[ -z "$repeated" ] || printf 'test.sh: %d pictures of samples spoilt by a busy machine and made again:\n%s\n' "$(wc -l <<< "$repeated")" "$repeated" >&2
sed -n 's/.*<UnitTestResult [^>]*\btestName="\([^"]*\)".* outcome="Failed".*/test.sh: failed: \1/p' $(find "$results" -name '*.trx') < /dev/null >&2
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$((total - executed))"
[ "$tests" = 0 ] && [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
