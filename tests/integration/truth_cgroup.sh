#!/bin/bash
# SPDX-License-Identifier: MIT
# The kernel's own throttle, at 1,000 IOPS and at 100 MiB/s (800 requests of 128 KiB a second): as
# truth_rate.sh. It works in bursts ten times a second, which move the rate of 42 s by 0.24 %.
. "$(dirname "$0")/lib.sh"
. "$SSDBENCH_SOURCE_DIR/tests/integration/truth/truth.sh"
need_loop

# Make $CGROUP. limit_iops and limit_bandwidth say how its limits of a device are set.
make_cgroup() {
	local root=/sys/fs/cgroup
	CGROUP=$root/ssdbench-truth.$$
	if [[ -e $root/blkio/blkio.throttle.read_iops_device ]]; then
		CGROUP=$root/blkio/ssdbench-truth.$$
		limit() { # NUMBER iops|bps LIMIT
			echo "$1 $3" >"$CGROUP/blkio.throttle.read_$2_device"
		}
	elif grep -qsw io "$root/cgroup.controllers" && echo +io >"$root/cgroup.subtree_control"; then
		limit() { echo "$1 r$2=$3" >"$CGROUP/io.max"; }
	else
		skip "needs the blkio cgroup or the io controller at the root of $root"
	fi
	mkdir "$CGROUP" || skip "no cgroup can be made"
	at_exit rmdir "$CGROUP"
}

make_cgroup
words=()
for word in {1,8}:iops:1000:4KiB:1000:{io_uring,libaio,sync,fio} \
	{1,8}:bps:104857600:128KiB:800:{io_uring,fio}; do
	IFS=: read -r iodepth kind limit bs rate tool <<<"$word"
	loop_device 1G
	limit "$(cat "/sys/block/${DEVICE#/dev/}/dev")" "$kind" "$limit" ||
		skip "the kernel has no throttle for block devices"
	words+=("$rate:bs=$bs,iodepth=$iodepth,runtime=42s:$tool:$DEVICE")
done
CGROUP=$CGROUP/cgroup.procs truth rate "${words[@]}"
