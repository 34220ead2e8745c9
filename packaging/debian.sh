#!/usr/bin/env bash
# packaging/debian.sh: builds dist/dumpanalyze_VERSION_amd64.deb from the linux-x64 archive, which it builds first; prints its name. Needs dpkg-deb.
# Exit status: 0 built; 3 something cannot be had here, 1 it does not build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

command -v dpkg-deb > /dev/null || { printf 'dist: dpkg-deb is missing (Debian package dpkg)\n' >&2; exit 3; }
"$repository/packaging/archive.sh" linux-x64 > /dev/null
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
exec 8> "$build/debian.lock"
flock 8
mkdir -p "$root"/{DEBIAN,usr/{bin,lib/dumpanalyze,share/{doc/dumpanalyze,man/man1,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}}}
tar -xf "$dist/dumpanalyze-$version-linux-x64.tar.gz" --strip-components=1 --no-same-owner -C "$root/usr/lib/dumpanalyze"
# The path that users of Debian look at for terms; the notices stay beside the files that they speak of.
cp "$repository/LICENSE" "$root/usr/share/doc/dumpanalyze/copyright"
ln -s ../lib/dumpanalyze/dumpanalyze "$root/usr/bin/dumpanalyze"
program=$root/usr/lib/dumpanalyze/dumpanalyze
"$program" man | gzip -9n > "$root/usr/share/man/man1/dumpanalyze.1.gz"
"$program" completions bash > "$root/usr/share/bash-completion/completions/dumpanalyze"
"$program" completions zsh > "$root/usr/share/zsh/vendor-completions/_dumpanalyze"
"$program" completions fish > "$root/usr/share/fish/vendor_completions.d/dumpanalyze.fish"
# Libraries that the runtime's own depend on, and OpenSSL, which it loads to hash; the C library's version is that of Microsoft's build.
cat > "$root/DEBIAN/control" <<CONTROL
Package: dumpanalyze
Version: $version
Architecture: amd64
Maintainer: The Dump authors <dump@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: libc6 (>= 2.27), libgcc-s1, libstdc++6, libssl3t64 | libssl3 | libssl1.1
Section: devel
Priority: optional
Description: says why a process hangs
 Reads Windows minidumps, Linux cores and live processes, of .NET and of native code.
 Says which thread and which code to look at, and on what evidence.
CONTROL
dpkg-deb --root-owner-group -Zgzip --build "$root" "$build/dumpanalyze.deb" > "$build/debian.log"
mv "$build/dumpanalyze.deb" "$dist/dumpanalyze_${version}_amd64.deb"
printf 'dist/dumpanalyze_%s_amd64.deb\n' "$version"
