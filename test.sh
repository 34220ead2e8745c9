#!/usr/bin/env bash
# Builds the solution, sets up the lab and runs all tests. Prints "N passed, N failed, N skipped" as its last line.
# Where Wine cannot be installed, the tests that need it are skipped, with the reason, and counted as skipped.
# Exit status: 0 when at least one test ran and none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 MSBUILDDISABLENODEREUSE=1
results=artifacts/test-results
lab_unavailable=3

# Sum of one counter over all result files; the attribute stands once a file, in the element Counters.
sum_of() {
    sed -n "s/.*<Counters [^>]*\b$1=\"\([0-9]*\)\".*/\1/p" "$results"/*.trx 2> /dev/null | awk '{ sum += $1 } END { print sum + 0 }'
}

status=0
lab/setup.sh < /dev/null || status=$?
if [ "$status" = "$lab_unavailable" ]; then
    printf 'test.sh: without the lab, tests of real hangs are skipped\n' >&2
elif [ "$status" != 0 ]; then
    printf 'test.sh: the lab could not be set up\n' >&2
fi

rm -rf "$results"
mkdir -p "$results"
tests=0
# One project at a time: samples that burn processor time would disturb each other.
dotnet test Dump.sln -c Release -m:1 --logger 'trx;LogFilePrefix=tests' --results-directory "$results" "$@" < /dev/null || tests=$?

total=$(sum_of total)
executed=$(sum_of executed)
passed=$(sum_of passed)
failed=$((executed - passed))
# A skipped test's text stands in its result and in the run's: each attempt counts once.
repeated=$(grep -ho 'attempt [0-9]* of [0-9]*: thread [^ ]* had [0-9.]* s of processor time in [0-9.]* s' "$results"/*.trx 2> /dev/null | sort -u || true)
[ -z "$repeated" ] || printf 'test.sh: %d pictures of samples spoilt by a busy machine and made again:\n%s\n' "$(wc -l <<< "$repeated")" "$repeated" >&2
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$((total - executed))"
[ "$tests" = 0 ] && [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
