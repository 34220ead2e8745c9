#!/usr/bin/env bash
# Hangs a program for real, dumps it from outside and lets dumpanalyze say why it hangs.
# The program deadlocks between the loader lock and a plug-in's spin lock (samples/native/loader/loader_exit.c).
# Where Wine cannot be installed, a committed dump of the same program is analysed instead.
# Exit status: dumpanalyze's own when it names the deadlock (10 confirmed, 11 likely), 1 otherwise.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
fixture=dumps-fixtures/loader-exit.dmp
confirmed=10
likely=11

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build_log=$work/build.log

printf 'Building dumpanalyze\n' >&2
dotnet build ext-managed/Dump.Cli/Dump.Cli.csproj -c Release -nodeReuse:false > "$build_log" 2>&1 < /dev/null || { cat "$build_log" >&2; exit 1; }

dump=$work/loader-exit.dmp
symbols=()
lab_directory=${DUMP_LAB_DIRECTORY:-.lab}
lab=0
lab/setup.sh < /dev/null || lab=$?
if [ "$lab" = 0 ]; then
    printf 'Hanging the sample loader-exit under Wine and dumping it\n' >&2
    lab/hang.sh loader-exit -- full "$dump"
    symbols=(--symbols "$lab_directory/samples")
else
    printf 'Without Wine there is no real hang to make here: analysing %s instead\n' "$fixture" >&2
    dump=$fixture
fi

status=0
dotnet artifacts/bin/Dump.Cli/release/dumpanalyze.dll "$dump" "${symbols[@]}" || status=$?
if [ "$status" != "$confirmed" ] && [ "$status" != "$likely" ]; then
    printf 'demo.sh: expected a confirmed or likely verdict (exit status %d or %d), got %d\n' "$confirmed" "$likely" "$status" >&2
    exit 1
fi
printf 'dumpanalyze ended with exit code %d (%d confirmed, %d likely)\n' "$status" "$confirmed" "$likely" >&2
exit "$status"
