#!/usr/bin/env bash
# submit.sh SHARDS OUT DIR... [OPTIONS of dumpanalyze triage]: queues an array of SHARDS tasks, and the merge behind them. Prints the ids of both jobs.
#
# OUT, the folders and this directory must be seen by all nodes. Output of the tasks: OUT/slurm-*.log. SBATCH_* variables set sbatch's own options (SBATCH_PARTITION, ...).
# DUMPANALYZE names the program when it is not on the path of the nodes.
set -euo pipefail

if [ $# -lt 3 ] || ! [[ $1 =~ ^[1-9][0-9]{0,5}$ ]]; then
    printf 'usage: submit.sh SHARDS OUT DIR... [OPTIONS]\n' >&2
    exit 2
fi

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
shards=$1
out=$2
shift 2
mkdir -p -- "$out"
out=$(cd "$out" && pwd)

# The paths of jobs are relative to where they were queued from. %A and %a: the array and the task.
array=$(sbatch --parsable --array="0-$((shards - 1))" --output="$out/slurm-%A-%a.log" "$deploy/slurm/triage.sbatch" "$deploy/shard.sh" "$shards" "$@" --out "$out")
merge=$(sbatch --parsable --dependency="afterany:$array" --output="$out/slurm-%j.log" "$deploy/slurm/merge.sbatch" "$out")
printf '%s %s\n' "$array" "$merge"
