#!/usr/bin/env bash
# Prints the folder of the validators that other people made for the formats written here: ajv for JSON schemas, Microsoft's for SARIF. Installs them with npm
# where they are missing. Exit status: 0 ready; 3 they cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

packages=(ajv@8.20.0 ajv-formats@3.0.1 @microsoft/sarif-multitool-linux@5.7.0)
folder=$lab_directory/validators
mkdir -p "$folder"
exec 7> "$folder.lock"
flock 7
if [ "$(cat "$folder/installed" 2> /dev/null)" != "${packages[*]}" ]; then
    command -v npm > /dev/null && command -v node > /dev/null || cannot 'missing programs: node and npm'
    printf '{"private":true}\n' > "$folder/package.json"
    # The packages' own scripts do not run; the only one of them marks this program as one.
    (cd "$folder" && npm install --ignore-scripts --no-audit --no-fund "${packages[@]}") > "$folder.log" 2>&1 < /dev/null || cannot "npm could not install ${packages[*]}; see $folder.log"
    chmod u+x "$folder/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
    printf '%s' "${packages[*]}" > "$folder/installed"
fi
cp "$(dirname "${BASH_SOURCE[0]}")/validate-json.mjs" "$folder/validate-json.mjs"
printf '%s\n' "$folder"
