#!/bin/busybox sh
# The first program of lab/arm64.sh's guest: hangs each scene, has the kernel write its core to the host's folder, and ends the machine.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
while read -r module; do insmod "/modules/$module" || echo "no module $module"; done < /modules/order
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 out /out || { echo 'no folder of the host'; poweroff -f; }
ip link set lo up
ulimit -c unlimited
echo /tmp/core > /proc/sys/kernel/core_pattern
# With the memory of mapped files the kernel's cores take long to write: its default leaves them out.
cd /tmp
while read -r name program scene argument; do
    "/samples/$program" "$scene" $argument > "/tmp/$name.text" 2>&1 &
    process=$!
    count=0
    until grep -q '^ready' "/tmp/$name.text" || [ $count = 600 ] || ! kill -0 $process; do
        usleep 100000
        count=$((count + 1))
    done
    # Some scenes are another process, which they name.
    other=$(sed -n 's/^process //p' "/tmp/$name.text")
    kill -ABRT "${other:-$process}"
    wait $process 2> /dev/null
    if [ -e /tmp/core ]; then cp /tmp/core "/out/$name.core"; else echo "no core of $name: $(cat "/tmp/$name.text")"; fi
    rm -f /tmp/core
    kill -KILL $process 2> /dev/null
done < /scenes
. /also
echo done > /out/done
sync
poweroff -f
