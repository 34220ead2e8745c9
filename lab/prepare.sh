#!/usr/bin/env bash
# lab/prepare.sh: builds and fetches early what tests of real hangs ask for later, each by a script of its own, which then finds it done. Call setup.sh first.
# What cannot be had here is said to the test that asks for it, and to nobody now. Exit status: 0.
set -uo pipefail
lab=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# run SCRIPT [ARGUMENTS]: runs a script of the lab; it says to nobody what it says.
run() {
    "$lab/$1" "${@:2}" > /dev/null 2>&1 < /dev/null || true
}

run browser.sh &
run extension.sh
run extension.sh faults
for version in 10.0.12 8.0.30 2.0.0; do
    run windows-runtime.sh "$version"
done
run old-sample.sh 2.0.0
run stackwalk.sh
run single-file.sh
wait
