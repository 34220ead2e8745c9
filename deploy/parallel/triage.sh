#!/usr/bin/env bash
# triage.sh SHARDS OUT DIR... [OPTIONS of dumpanalyze triage]: triages folders in SHARDS processes with GNU parallel, then merges.
#
# On this machine alone `dumpanalyze triage -j N` does the same; this is for several: PARALLEL_OPTIONS='-S node1,node2 --workdir .' spreads the shards,
# when all machines see the folders, OUT and this directory under the same paths.
# OUT gets the records, parallel.log (one line a shard), report.html and overview.json. Called again it goes on where it was interrupted.
# DUMPANALYZE names the program when it is not on the path.
# Exit status: that of `dumpanalyze merge` (10, 11, 12: the strongest verdict); 1 when a shard failed.
set -euo pipefail

if [ $# -lt 3 ] || ! [[ $1 =~ ^[1-9][0-9]{0,5}$ ]]; then
    printf 'usage: triage.sh SHARDS OUT DIR... [OPTIONS]\n' >&2
    exit 2
fi

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
shards=$1
out=$2
shift 2
command -v parallel > /dev/null || { printf 'triage.sh: GNU parallel is not installed (Debian package parallel)\n' >&2; exit 1; }
mkdir -p -- "$out"

read -ra more <<< "${PARALLEL_OPTIONS:-}"
seq 0 "$((shards - 1))" \
    | parallel -q -j "$shards" -I '@shard@' --line-buffer --joblog "$out/parallel.log" --env DUMPANALYZE "${more[@]}" \
        "$deploy/shard.sh" @shard@ "$shards" "$@" --out "$out" -j 1 \
    || { printf 'triage.sh: a shard failed; see %s, then call this again\n' "$out/parallel.log" >&2; exit 1; }
exec "${DUMPANALYZE:-dumpanalyze}" merge "$out" --html "$out/report.html" --json "$out/overview.json"
