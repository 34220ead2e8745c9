#!/usr/bin/env bash
# Prints the path of Chromium, which the tests of pages drive; installs Debian's package where it is missing.
# Exit status: 0 ready; 3 it cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

if ! command -v chromium > /dev/null; then
    mkdir -p "$lab_directory"
    log=$lab_directory/browser.log
    command -v apt-get > /dev/null || cannot 'missing package: chromium (only apt-get is known here)'
    as_root true || cannot 'missing package: chromium (installing it needs root or sudo without a password)'
    printf 'lab: installing chromium\n' >&2
    # Without a font a page has no letters.
    apt_install "$log" chromium fonts-dejavu-core || cannot "apt-get could not install chromium; see $log"
fi
command -v chromium
