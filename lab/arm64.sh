#!/usr/bin/env bash
# lab/arm64.sh [--out DIR] [--also FILE]... [SCENE...]: makes cores of ARM64 processes on a machine of another kind. A Linux kernel for ARM64 boots in an emulator
# (TCG, about a minute), the scenes of samples/linux hang there, and that kernel writes their cores: DIR/SCENE.core, beside DIR/root with the files that they run.
# Without DIR they go to .lab/arm64/out; without scenes all of the list below are made. A scene with /pac behind it is compiled with signed return addresses
# (-mbranch-protection=standard), with /frame without tables for unwinding, with /c it is one of musl-hang.c, with /static that one linked statically.
# --also FILE: a script that the guest runs at the end; it finds DIR as /out.
#
# Needs Debian's qemu-system-arm, g++-aarch64-linux-gnu, cpio and kmod. The kernel and busybox are unpacked from Debian's packages for arm64, which apt-get fetches
# into a state of its own: nothing of them is installed. Status 3: something cannot be had here, said in one line.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

# What Debian names its kernel for; it decides which package is fetched.
kernel_package=linux-image-arm64
seconds_of_boot=900
compiler=aarch64-linux-gnu-g++
place=$lab_directory/arm64
out=$place/out also=()
while :; do
    case "${1:-}" in
        --out) mkdir -p "$2"; out=$(realpath "$2"); shift 2 ;;
        --also) also+=("$(realpath "$2")"); shift 2 ;;
        *) break ;;
    esac
done
scenes=("$@")
[ ${#scenes[@]} != 0 ] || scenes=(
    mutex-cycle2 mutex-cycle3 recursive-cycle robust-cycle inheriting-cycle self-deadlock orphan writers reader-holds join-under-lock stream-cycle load
    lost-condition short-barrier empty-semaphore static-init stuck-once locked-file calls idle-server interrupted-mutex held-spin-lock timed busy
    mutex-cycle2/pac interrupted-mutex/pac normal-cycle/c normal-cycle/frame join-under-lock/frame normal-cycle/static busy/frame)

for need in qemu-system-aarch64:qemu-system-arm $compiler:g++-aarch64-linux-gnu cpio:cpio depmod:kmod apt-get:apt dpkg-deb:dpkg; do
    command -v "${need%%:*}" > /dev/null || [ -x "/usr/sbin/${need%%:*}" ] || cannot "${need%%:*} is not here: install Debian's package ${need##*:}"
done
PATH=$PATH:/usr/sbin

# apt NAME...: apt-get for arm64, with lists and a state of its own.
apt() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$place/apt" -o Dir::State::status="$place/apt/status" \
        -o Dir::Cache="$place/apt/cache" -o APT::Sandbox::User= "$@" > "$place/apt/log" 2>&1 < /dev/null
}

fetch_packages() {
    [ ! -e "$place/packages/complete" ] || return 0
    mkdir -p "$place/apt/lists/partial" "$place/apt/cache/archives/partial" "$place/packages"
    : > "$place/apt/status"
    apt update || cannot "the lists of Debian's packages for arm64 cannot be had: $(tail -n 1 "$place/apt/log")"
    local kernel package
    kernel=$(apt-cache -o APT::Architecture=arm64 -o Dir::State="$place/apt" -o Dir::State::status="$place/apt/status" -o Dir::Cache="$place/apt/cache" \
        depends "$kernel_package" | sed -n 's/^ *Depends: \(linux-image-.*\)$/\1/p' | head -n 1)
    for package in "${kernel:-$kernel_package}" busybox-static; do
        (cd "$place/packages" && apt download "$package") || cannot "Debian's package $package for arm64 cannot be had: $(tail -n 1 "$place/apt/log")"
    done
    for package in "$place"/packages/*.deb; do
        dpkg-deb -x "$package" "$place/packages"
    done
    touch "$place/packages/complete"
}

# compile TARGET SOURCE OPTION...: a sample for ARM64.
compile() {
    local target=$1 source=$repository/samples/linux/$2 driver=$compiler
    shift 2
    [ "${source##*.}" = cpp ] || driver=${compiler%++}cc
    [ "$target" -nt "$source" ] || "$driver" "$source" -o "$target" -O2 -g -pthread "$@"
}

# The files that the scenes run, as they lie in the guest; a debugger or this program takes them from here too.
make_root() {
    local library
    mkdir -p "$out/root/lib" "$out/root/samples"
    for library in ld-linux-aarch64.so.1 libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libgcc_s.so.1 libstdc++.so.6; do
        cp -L "/usr/aarch64-linux-gnu/lib/$library" "$out/root/lib/" || cannot "$library for ARM64 is not here: install Debian's package g++-aarch64-linux-gnu"
    done
    compile "$out/root/samples/native-hang" native-hang.cpp -std=c++17 -ldl
    compile "$out/root/samples/native-hang-pac" native-hang.cpp -std=c++17 -ldl -mbranch-protection=standard
    compile "$out/root/samples/libloading.so" loading.cpp -std=c++17 -fPIC -shared -ldl
    compile "$out/root/samples/c-hang" musl-hang.c
    compile "$out/root/samples/c-hang-frame" musl-hang.c -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -g0
    compile "$out/root/samples/c-hang-static" musl-hang.c -static
}

# The first file system of the guest: busybox, the modules of the kernel that lead to this machine's folder, and the scenes.
make_initramfs() {
    local tree=$place/initramfs release module file
    rm -rf "$tree"
    mkdir -p "$tree"/{bin,dev,proc,sys,tmp,out,modules}
    cp "$place/packages/bin/busybox" "$tree/bin/"
    cp -r "$out/root/." "$tree/"
    release=$(basename "$place"/packages/lib/modules/*)
    depmod -b "$place/packages" "$release"
    for module in virtio_pci 9pnet_virtio 9p; do
        file=$(sed -n "s,^\(.*/$module\.ko[^:]*\): *\(.*\),\2 \1,p" "$place/packages/lib/modules/$release/modules.dep")
        # What a module needs stands behind it with the last need last.
        for file in $(printf '%s\n' ${file% *} | tac) ${file##* }; do
            grep -qx "$(basename "$file")" "$tree/modules/order" 2> /dev/null && continue
            cp "$place/packages/lib/modules/$release/$file" "$tree/modules/"
            basename "$file" >> "$tree/modules/order"
        done
    done
    local scene
    for scene in "${scenes[@]}"; do
        case $scene in
            */pac) printf '%s native-hang-pac %s\n' "${scene%/*}-pac" "${scene%/*}" ;;
            */c) printf '%s c-hang %s\n' "${scene%/*}-c" "${scene%/*}" ;;
            */frame) printf '%s c-hang-frame %s\n' "${scene%/*}-frame" "${scene%/*}" ;;
            */static) printf '%s c-hang-static %s\n' "${scene%/*}-static" "${scene%/*}" ;;
            load) printf 'load native-hang load /samples/libloading.so\n' ;;
            *) printf '%s native-hang %s\n' "$scene" "$scene" ;;
        esac
    done > "$tree/scenes"
    : > "$tree/also"
    [ ${#also[@]} = 0 ] || cat "${also[@]}" > "$tree/also"
    cp "$repository/lab/arm64-init.sh" "$tree/init"
    chmod +x "$tree/init"
    (cd "$tree" && find . | cpio -o -H newc --quiet | gzip -1) > "$place/initramfs.gz"
}

fetch_packages
make_root
make_initramfs
rm -f "$out"/*.core "$out/done"
# The host's folder is the guest's /out. pauth-impdef: authentication of pointers by a quick function, not by the architecture's slow one.
timeout "$seconds_of_boot" qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -smp 2 -m 2048 -nographic -no-reboot -nic none \
    -kernel "$place"/packages/boot/vmlinuz-* -initrd "$place/initramfs.gz" -append "console=ttyAMA0 quiet panic=1" \
    -virtfs "local,path=$out,mount_tag=out,security_model=none" > "$place/console.log" 2>&1 < /dev/null || true
[ -e "$out/done" ] || cannot "the guest did not come to its end: $(tail -n 1 "$place/console.log"); all that it said is in $place/console.log"
for core in "$out"/*.core; do
    printf '%s\n' "$core"
done
