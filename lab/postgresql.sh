#!/usr/bin/env bash
# Installs Debian's PostgreSQL where it is missing, without starting anything: the tests of stores start servers of their own, and the package's cluster is left alone.
# Exit status: 0 ready; 3 it cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null && exit 0
mkdir -p "$lab_directory"
log=$lab_directory/postgresql.log
command -v apt-get > /dev/null || cannot 'missing package: postgresql (only apt-get is known here)'
as_root true || cannot 'missing package: postgresql (installing it needs root or sudo without a password)'
printf 'lab: installing postgresql\n' >&2
apt_install "$log" postgresql || cannot "apt-get could not install postgresql; see $log"
