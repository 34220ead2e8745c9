#!/usr/bin/env bash
# kubernetes.sh FILE.yaml...: checks Kubernetes manifests against Kubernetes' own schemas, which the npm package kubernetes-models carries; installs the packages into the lab on the first call.
# Prints an error a line. Exit status: 0 sound, 1 not, 3 the check cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

packages=(kubernetes-models@4.5.1 typescript@5.9.3 js-yaml@4.1.1)
directory=$lab_directory/kubernetes
stamp=$directory/$(IFS=_; printf '%s' "${packages[*]}").done

mkdir -p "$directory"
exec 9> "$directory.lock"
flock 9
if [ ! -e "$stamp" ]; then
    { command -v npm && command -v node; } > /dev/null || { printf 'lab: checking Kubernetes manifests needs node and npm, which are not installed\n' >&2; exit 3; }
    printf '{}\n' > "$directory/package.json"
    timeout --kill-after=5 180 npm install --prefix "$directory" --no-audit --no-fund --ignore-scripts --silent "${packages[@]}" > "$directory.log" 2>&1 < /dev/null 9>&- \
        || { printf 'lab: the npm packages %s could not be installed; see %s\n' "${packages[*]}" "$directory.log" >&2; exit 3; }
    touch "$stamp"
fi

files=()
for file in "$@"; do
    files+=("$(realpath -- "$file")")
done
cd "$directory"
exec node "$repository/lab/kubernetes/validate.mjs" "${files[@]}" 9>&-
