#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hostdev.sh - a block device on this host with a known speed, latency, size or fault, and no VM:
# qemu-storage-daemon serves it as a FUSE file, and a loop device sits on that file.
# Needs root, /dev/fuse and loop devices; the packages qemu-system-common, mount and util-linux.
#
#   hostdev.sh start NAME SPEC      prints the device, e.g. /dev/loop1.  SPEC: see storage.sh
#   hostdev.sh limits NAME iops=N   change the speed of one started with iops= or bps=
#   hostdev.sh unplug NAME          make it vanish: every request fails with EIO from then on
#   hostdev.sh stop NAME            undo all of that; does nothing where nothing is
#
# State is kept in ${HOSTDEV_DIR:-/run/ssdbench-hostdev}/NAME.  A test starts a device through
# host_device of tests/integration/lib.sh, which stops it however the test ends.
set -euo pipefail

# shellcheck source=storage.sh
. "$(cd "$(dirname "$0")" && pwd)/storage.sh"
usage() {
	sed -n '3,$ { /^#/!q; s/^# \{0,1\}//p }' "$0" >&2
	exit 2
}
[ $# -ge 2 ] || usage
command=$1 name=$2
shift 2
dir=${HOSTDEV_DIR:-/run/ssdbench-hostdev}/$name

mounted() { grep -qF " $dir/$1 " /proc/mounts; }

wait_until() {  # TENTHS_OF_SECONDS COMMAND...
	local _
	for _ in $(seq "$1"); do
		! "${@:2}" || return 0
		sleep 0.1
	done
	return 1
}

# Each step may find its thing gone, or never made: a start that failed half-way stops here too.
stop() {
	local pid loop
	if [ -s "$dir/loop" ]; then
		# It may be gone already, and its number in use for something else.  "/" is what the
		# kernel calls a file whose mount has vanished.
		loop=$(cat "$dir/loop")
		case $(losetup -n -O BACK-FILE "$loop" 2>/dev/null) in
			"$dir/disk"* | /) losetup -d "$loop" || : ;;
		esac
	fi
	if [ -s "$dir/pid" ]; then
		pid=$(cat "$dir/pid")
		ended() { ! grep -qs qemu-storage "/proc/$pid/cmdline"; }
		ended || kill "$pid" 2>/dev/null || :
		# A daemon whose FUSE connection broke may take no notice of SIGTERM and spin.
		wait_until 30 ended || kill -9 "$pid" 2>/dev/null || :
		wait_until 50 ended || echo "hostdev.sh: process $pid does not end" >&2
	fi
	! mounted ctl || umount "$dir/ctl"
	! mounted disk || umount -l "$dir/disk"     # a killed daemon leaves its mount behind
	rm -rf --one-file-system "$dir"
}

serve() {  # the daemon; its file is up when this returns
	qmp_fifos "$dir"
	qemu-storage-daemon \
		--chardev "pipe,id=qmp,path=$dir/qmp" --monitor chardev=qmp \
		"${storage_args[@]}" \
		--export "type=fuse,id=disk,node-name=$storage_node,mountpoint=$dir/disk,writable=on" \
		</dev/null >"$dir/log" 2>&1 &
	echo $! > "$dir/pid"
	up_or_dead() { mounted disk || ! kill -0 "$(cat "$dir/pid")" 2>/dev/null; }
	wait_until 100 up_or_dead || echo "hostdev.sh: the storage daemon hangs" >&2
	mounted disk || { cat "$dir/log" >&2; return 1; }
}

# FUSE lets 12 requests through at a time by default; a drive takes more.
lift_fuse_limit() {
	mkdir "$dir/ctl"
	mount -t fusectl none "$dir/ctl"
	echo 1024 > "$dir/ctl/$(stat -c %Ld "$dir/disk")/max_background"
	umount "$dir/ctl"
}

# --direct-io: the loop device passes requests on at its own queue depth, uncached.  Another
# process may take the free device that losetup found: then it is tried again.
attach() {
	attached() {
		losetup -f --show --direct-io=on --sector-size "$storage_lbs" "$dir/disk" \
			>"$dir/loop" 2>>"$dir/log"
	}
	wait_until 20 attached || { cat "$dir/log" >&2; return 1; }
}

start() {  # SPEC
	stop
	trap '[ $? = 0 ] || stop' EXIT
	mkdir -p "$dir"
	: > "$dir/disk"         # the mount point: a file, as what is served is one
	storage 0 "$1" "$dir/data"
	[ ${#storage_rest[@]} = 0 ] || { echo "hostdev.sh: what is ${storage_rest[0]}?" >&2; exit 2; }
	serve
	lift_fuse_limit
	attach
	qmp_open "$dir"
	qmp '{"execute":"qmp_capabilities"}' >/dev/null
	cat "$dir/loop"
}

running() { [ -s "$dir/loop" ] || { echo "hostdev.sh: no device $name here" >&2; exit 1; }; }

case $command in
	start) [ $# = 1 ] || usage; start "$1" ;;
	limits) running; qmp_open "$dir"; qmp_limits 0 "$@" >/dev/null ;;
	unplug)
		running
		qmp_open "$dir"
		qmp '{"execute":"block-export-del","arguments":{"id":"disk","mode":"hard"}}' >/dev/null
		;;
	stop) stop ;;
	*) usage ;;
esac
