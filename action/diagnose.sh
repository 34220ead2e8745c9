#!/usr/bin/env bash
# action/diagnose.sh: the step of action.yml. Takes DUMPS, OUT and DUMPANALYZE from the environment, and from the runner GITHUB_STEP_SUMMARY and GITHUB_OUTPUT.
# Writes OUT/report.html, hangs.xml (JUnit) and hangs.sarif, the summary, and the outputs exit-code and sarif.
# Exit status: 0 when the dumps were looked at, whatever was found: the step before has failed already; else that of the command that failed.
set -euo pipefail

# A run that found something is no failure of this step.
answered() {
    [ "$1" = 0 ] || { [ "$1" -ge 10 ] && [ "$1" -le 14 ]; }
}

status=0
"$DUMPANALYZE" triage "$DUMPS" --out "$OUT" || status=$?
answered $status || exit $status
status=0
text=$("$DUMPANALYZE" merge "$OUT" --html "$OUT/report.html" --junit "$OUT/hangs.xml" --sarif "$OUT/hangs.sarif") || status=$?
answered $status || exit $status

# Text of a dump may hold anything: indented, it is a block of code that no line of it can end.
{
    printf '## Why did the tests hang?\n\n'
    sed 's/^/    /' <<< "$text"
    printf '\n'
} >> "$GITHUB_STEP_SUMMARY"
{
    printf 'exit-code=%d\n' "$status"
    printf 'sarif=%s\n' "$OUT/hangs.sarif"
} >> "$GITHUB_OUTPUT"
