#!/usr/bin/env bash
# shard.sh INDEX COUNT DIR... --out OUT [OPTIONS]: triages one shard of the folders; INDEX may have leading zeros.
#
# INDEX is 0 to COUNT-1 (SLURM_ARRAY_TASK_ID); everything behind COUNT goes to `dumpanalyze triage` as it is.
# DUMPANALYZE names the program when it is not on the path.
# Exit status: 0 when the shard is done, whatever was found (the merge says that); else that of dumpanalyze; 2 wrong arguments.
set -euo pipefail

if [ $# -lt 3 ] || ! [[ $1 =~ ^[0-9]{1,6}$ && $2 =~ ^[0-9]{1,6}$ ]] || [ "$((10#$1))" -ge "$((10#$2))" ]; then
    printf 'usage: shard.sh INDEX COUNT DIR... --out OUT [OPTIONS], with INDEX from 0 to COUNT-1\n' >&2
    exit 2
fi

exec "${DUMPANALYZE:-dumpanalyze}" triage --shard-index "$((10#$1))/$((10#$2))" "${@:3}"
