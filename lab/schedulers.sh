#!/usr/bin/env bash
# Installs Slurm and GNU parallel (Debian packages) where they are missing, without starting anything: about 10 s once.
# Exit status: 0 ready; 3 they cannot be had here, said in one line on standard error.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

export PATH=$PATH:/usr/sbin
missing=()
command -v slurmctld > /dev/null || missing+=(slurmctld)
command -v slurmd > /dev/null || missing+=(slurmd)
command -v sbatch > /dev/null || missing+=(slurm-client)
command -v munged > /dev/null || missing+=(munge)
command -v parallel > /dev/null || missing+=(parallel)
[ ${#missing[@]} = 0 ] && exit 0

mkdir -p "$lab_directory"
log=$lab_directory/schedulers.log
command -v apt-get > /dev/null || cannot "missing packages: ${missing[*]} (only apt-get is known here)"
as_root true || cannot "missing packages: ${missing[*]} (installing them needs root or sudo without a password)"
printf 'lab: installing %s\n' "${missing[*]}" >&2
apt_install "$log" "${missing[@]}" || cannot "apt-get could not install ${missing[*]}; see $log"
