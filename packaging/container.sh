#!/usr/bin/env bash
# packaging/container.sh: builds dist/dumpanalyze-VERSION-container-amd64.tar, an OCI image of the linux-x64 archive, which it builds first, and the image's
# bill of materials beside it; prints the image's name. The image has no shell and no package manager: the program, the system's libraries that it loads, as
# they are in Debian's packages on this machine, and what scanners and licences ask for. Needs Debian and umoci (which it installs where it may).
# Exit status: 0 built; 3 something cannot be had here, 1 it does not build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
source "$repository/lab/packages.sh"

# Packages of Debian and what the image has of each: the runtime is linked with these libraries, so are the data-access libraries of older runtimes, and OpenSSL
# is loaded to hash.
declare -A taken=(
    [base-files]='os-release'
    [libc6]='ld-linux-x86-64.so.2 libc.so.6 libdl.so.2 libm.so.6 libpthread.so.0 librt.so.1'
    [libgcc-s1]='libgcc_s.so.1'
    [libstdc++6]='libstdc++.so.6'
    [libssl3]='libcrypto.so.3 libssl.so.3'
)
user=1654
date=2000-01-01T00:00:00Z
libraries=usr/lib/x86_64-linux-gnu

cannot() {
    printf 'dist: %s\n' "$*" >&2
    exit 3
}

# put_package PACKAGE FILE...: puts files of an installed package into the image, with its terms and with the records by which scanners know it.
put_package() {
    local package=$1 name source target changed
    shift
    for name in "$@"; do
        source=$(dpkg-query -L "$package" | grep -E "^(/usr)?/lib(64|/x86_64-linux-gnu)?/${name//+/\\+}\$" | head -n 1) \
            || cannot "Debian's package $package has no $name here"
        changed=$(dpkg --verify "$package" | grep -F "$source") && cannot "$source is not as Debian's package $package brought it: $changed"
        case $name in
            os-release) target=usr/lib/$name ;;
            ld-linux*) target=usr/lib64/$name ;;
            *) target=$libraries/$name ;;
        esac
        install -D -m 644 "$source" "$root/$target"
        (cd "$root" && md5sum "$target") >> "$root/var/lib/dpkg/status.d/$package.md5sums"
    done
    chmod 755 "$root"/usr/lib64/* 2> /dev/null || true
    dpkg-query --status "$package" > "$root/var/lib/dpkg/status.d/$package"
    install -D -m 644 "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/copyright"
    grep -oE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "/usr/share/doc/$package/copyright" | sort -u | while read -r source; do
        [ ! -e "$source" ] || install -D -m 644 "$source" "$root$source"
    done
    dpkg-query -W -f '${Package} ${Version}: apt-get source ${source:Package}=${source:Version}\n' "$package" >> "$sources"
}

command -v dpkg-query > /dev/null || cannot 'the image takes system libraries from the packages of Debian, and there is no dpkg here'
if ! command -v umoci > /dev/null; then
    apt_install "$build/umoci.log" umoci || cannot 'umoci, which makes the image, is missing (Debian package umoci)'
fi
# Debian 13's name of it.
dpkg-query -W libssl3 > /dev/null 2>&1 || { taken[libssl3t64]=${taken[libssl3]}; unset 'taken[libssl3]'; }

"$repository/packaging/archive.sh" linux-x64 > /dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
exec 8> "$build/container.lock"
flock 8
root=$work/root
sources=$root/usr/share/doc/dumpanalyze/system-libraries.txt
mkdir -p "$root"/{app,etc,tmp,usr/{lib,lib64},usr/share/doc/dumpanalyze,var/lib/dpkg/status.d}
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"
ln -s ../usr/lib/os-release "$root/etc/os-release"
printf 'root:x:0:0:root:/:/nonexistent\napp:x:%d:%d:app:/tmp:/nonexistent\n' $user $user > "$root/etc/passwd"
printf 'root:x:0:\napp:x:%d:\n' $user > "$root/etc/group"
printf 'The system libraries are those of these packages of Debian, unchanged. Terms: ../PACKAGE/copyright. Source code, from Debian:\n\n' > "$sources"
for package in $(printf '%s\n' "${!taken[@]}" | sort); do
    # shellcheck disable=SC2086 # names without spaces
    put_package "$package" ${taken[$package]}
done
tar -xf "$dist/dumpanalyze-$version-linux-x64.tar.gz" --strip-components=1 --no-same-owner -C "$root/app"

# Two layers, so that a new version of the program is all that a cluster fetches; sorted, of one owner and one date, so that the same files give the same image.
same=(--sort=name --owner=0 --group=0 --numeric-owner --mtime=$date)
layer=(tar "${same[@]}" -C "$root")
"${layer[@]}" --mode=u+w,go-w,a+rX --exclude=./app --exclude=./tmp -cf "$work/system.tar" .
"${layer[@]}" --mode=1777 -rf "$work/system.tar" ./tmp
"${layer[@]}" --mode=u+w,go-w,a+rX -cf "$work/program.tar" ./app
image=$work/layout:$version
at=(--history.created "$date" --history.author 'The Dump authors')
{
    umoci init --layout "$work/layout"
    umoci new --image "$image"
    umoci raw add-layer --image "$image" "${at[@]}" --history.created_by 'packaging/container.sh: the libraries' "$work/system.tar"
    umoci raw add-layer --image "$image" "${at[@]}" --history.created_by 'packaging/container.sh: the program' "$work/program.tar"
    # The root file system may be read-only: no diagnostics socket.
    umoci config --image "$image" --no-history --created "$date" --architecture amd64 --os linux --author 'The Dump authors' \
        --config.user $user:$user --config.workingdir / --config.entrypoint /app/dumpanalyze \
        --config.env PATH=/app --config.env DOTNET_EnableDiagnostics=0 \
        --config.label org.opencontainers.image.title=dumpanalyze --config.label "org.opencontainers.image.version=$version" \
        --config.label 'org.opencontainers.image.description=Says why a process hangs' \
        --config.label 'org.opencontainers.image.licenses=MIT AND Apache-2.0 AND LGPL-2.1-or-later AND GPL-3.0-or-later WITH GCC-exception-3.1'
    umoci gc --layout "$work/layout"
} > "$build/container.log" 2>&1 < /dev/null || { cat "$build/container.log" >&2; exit 1; }
# The name under which container engines load it.
sed -i "s|\"org.opencontainers.image.ref.name\":\"$version\"|&,\"io.containerd.image.name\":\"localhost/dumpanalyze:$version\"|" "$work/layout/index.json"
name=dumpanalyze-$version-container-amd64
packaging_program image "$root" "$packages" "$work/bill" "$native_assemblies" 8>&-
tar "${same[@]}" --mode=u+w,go-w,a+rX -C "$work/layout" -cf "$work/image.tar" oci-layout index.json blobs
mv "$work/bill" "$dist/$name.cdx.json"
mv "$work/image.tar" "$dist/$name.tar"
printf 'dist/%s.tar\n' "$name"
