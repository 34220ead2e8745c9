#!/usr/bin/env bash
# lab/healthy-programs.sh [--looks N] [--cores N] [NAME...]: looks at healthy programs of samples/healthy and of the SDK, living and as cores, and prints a table for docs/healthy-programs.md.
# NAME: web-idle web-busy allocations database messages threads fsi compiler (all by default). Build the solution first; takes about half an hour on an idle machine.
# Exit status: 0 when no look and no core had a verdict of Likely or above, and fewer than 1 of 30 looks could not be decided.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

looks=30 cores=3
while :; do
    case "${1:-}" in
        --looks) looks=$2; shift 2 ;;
        --cores) cores=$2; shift 2 ;;
        *) break ;;
    esac
done
names=("$@")
[ ${#names[@]} != 0 ] || names=(web-idle web-busy allocations database messages threads fsi compiler)

analyze=(dotnet "$repository/artifacts/bin/Dump.EndToEnd.Tests/release/program/dumpanalyze.dll")
framework=$(dotnet --list-runtimes | sed -n 's/^Microsoft.NETCore.App \([^ ]*\) \[\(.*\)\]$/\2\/\1/p' | tail -n 1)
sdk=$(dotnet --list-sdks | sed -n 's/^\([^ ]*\) \[\(.*\)\]$/\2\/\1/p' | tail -n 1)
scratch=$(mktemp -d)
started=()
finish() {
    [ ${#started[@]} = 0 ] || kill "${started[@]}" 2> /dev/null || true
    wait 2> /dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT
dotnet build "$repository/samples/healthy" -c Release -v q --artifacts-path "$scratch/build" > "$scratch/build.log" 2>&1 < /dev/null || { tail -n 20 "$scratch/build.log" >&2; exit 1; }
program=$(find "$scratch/build/bin" -name healthy-programs.dll | head -n 1)

# begin COMMAND...: starts a program whose first line says that it works, and sets pid.
begin() {
    local output=$scratch/output.$RANDOM
    "$@" > "$output" 2>&1 < /dev/null &
    pid=$!
    started+=("$pid")
    for _ in $(seq 1200); do
        ! grep -q ready "$output" || return 0
        sleep 0.1
    done
    printf 'healthy-programs.sh: did not get ready: %s\n' "$*" >&2
    exit 1
}

begin_program() {
    case $1 in
        web-idle) begin dotnet "$program" web 18080 ;;
        web-busy) begin dotnet "$program" web 18081; local server=$pid; begin dotnet "$program" clients 18081; pid=$server ;;
        database) begin dotnet "$program" database "$scratch/orders.db" ;;
        fsi)
            mkfifo "$scratch/fsi"
            # What "dotnet fsi" starts in a process of its own.
            dotnet "$sdk/FSharp/fsi.dll" --nologo < "$scratch/fsi" > "$scratch/fsi.out" 2>&1 &
            pid=$!
            started+=("$pid")
            exec 8> "$scratch/fsi"
            printf 'let rec sum n = if n = 0 then 0 else n + sum (n - 1) in printfn "ready %%d" (sum 10);;\n' >&8
            for _ in $(seq 1200); do ! grep -q 'ready 55' "$scratch/fsi.out" || break; sleep 0.1; done ;;
        compiler)
            dotnet "$sdk/Roslyn/bincore/VBCSCompiler.dll" "-pipename:healthy-$$" > "$scratch/compiler.out" 2>&1 < /dev/null &
            pid=$!
            started+=("$pid")
            ( while dotnet "$sdk/Roslyn/bincore/csc.dll" "-shared:healthy-$$" -keepalive:3600 -nologo -noconfig -t:library -out:"$scratch/c.dll" -langversion:latest -nullable:enable \
                "${references[@]}" "$repository"/analyzers/Dump.Model/*/*.cs > /dev/null 2>&1; do :; done; while :; do sleep 3600; done ) &
            started+=($!) ;;
        *) begin dotnet "$program" "$1" ;;
    esac
}
references=()
for file in "$framework"/System*.dll "$framework"/netstandard.dll "$framework"/mscorlib.dll; do
    case $(basename "$file") in *Native*) ;; *) references+=("-r:$file") ;; esac
done

# judge JSON CODE: counts one answer.
judge() {
    codes[$2]=$((${codes[$2]:-0} + 1))

    # Exit codes 10 and 11: a verdict that is Confirmed or Likely. Sentences below a suspicion have a confidence of their own.
    case $2 in
        10 | 11) likely=$((likely + 1)); cp "$1" "$repository/artifacts/healthy-$name-$likely.json" ;;
    esac
}

words() {
    local code text=
    for code in 0 10 11 12 13; do
        [ -z "${codes[$code]:-}" ] || text="$text${text:+, }$code: ${codes[$code]}"
    done
    printf '%s' "$text"
}

bad=0
printf '| program | %d looks: exit codes | %d cores: exit codes | Likely or above | stood still in a look, ms: median, most |\n|---|---|---|---|---|\n' "$looks" "$cores"
for name in "${names[@]}"; do
    begin_program "$name"
    sleep 10
    declare -A codes=()
    likely=0 stops=()
    for _ in $(seq "$looks"); do
        code=0
        "${analyze[@]}" live "$pid" --format json --interval 300ms > "$scratch/look.json" 2> "$scratch/look.errors" || code=$?
        judge "$scratch/look.json" "$code"
        stops+=("$(sed -n 's/.*was stopped.* for \([0-9]*\) ms.*/\1/p; s/.*was stopped.* for \([0-9]*\)[.0-9]* s .*/\1000/p' "$scratch/look.errors" | head -n 1)")
        sleep 0.5
    done
    live=$(words)
    [ $((${codes[13]:-0} * 30)) -lt "$looks" ] || [ "${codes[13]:-0}" = 0 ] || bad=1
    codes=()
    for i in $(seq "$cores"); do
        "$framework/createdump" --withheap -f "$scratch/core" "$pid" > /dev/null 2>&1 || { printf 'healthy-programs.sh: createdump failed for %s\n' "$name" >&2; continue; }
        code=0
        "${analyze[@]}" "$scratch/core" --format json > "$scratch/look.json" 2> /dev/null || code=$?
        judge "$scratch/look.json" "$code"
        rm -f "$scratch/core"
        sleep 1
    done
    [ "$likely" = 0 ] || bad=1
    sorted=$(printf '%s\n' "${stops[@]}" | sort -n)
    printf '| %s | %s | %s | %d | %s, %s |\n' "$name" "$live" "$(words)" "$likely" "$(sed -n "$(((looks + 1) / 2))p" <<< "$sorted")" "$(tail -n 1 <<< "$sorted")"
    [ "$name" != fsi ] || exec 8>&-
    kill "${started[@]}" 2> /dev/null || true
    wait "${started[@]}" 2> /dev/null || true
    started=()
done
exit "$bad"
