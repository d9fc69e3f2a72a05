#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The devices of hostdev.sh have the speed, the latency and the faults they were asked for, and
# leave nothing behind.
. "$(dirname "$0")/../integration/lib.sh"
. "$SSDBENCH_SOURCE_DIR/tests/vm/checks.sh"
need_command fio
host_device t size=4M # skips the test where there can be none
hostdev stop t

# Run a function on a device, which it gets as its argument.
on_device() { # SPEC FUNCTION
	local status=0
	host_device t "$1"
	"$2" "$DEVICE" || status=$?
	hostdev stop t
	return "$status"
}

iops_2000() {
	within "$(fio_field 8 --filename="$1" --ioengine=io_uring --iodepth=8 --runtime=2 \
		--ramp_time=1)" 2000 2
}
check_measured "2000 IOPS" on_device null=1,size=1T,iops=2000 iops_2000

changed_iops() { hostdev limits t iops=300 && sleep 1 &&
	within "$(fio_field 8 --filename="$1" --ioengine=libaio --iodepth=8 --runtime=2 \
		--ramp_time=1)" 300 2; }
check_measured "a speed that changes" on_device null=1,size=1T,iops=2000 changed_iops

median_20_ms() { within "$(fio_field 24 --filename="$1" --ioengine=libaio --runtime=2)" 20000 10; }
check_measured "20 ms at the median" on_device null=1,size=1T,latency=20000000 median_20_ms

sector_4096() { [[ $(blockdev --getss "$1") = 4096 ]]; }
check "sectors of 4 KiB" on_device size=64M,lbs=4096 sector_4096

read_fails() { ! dd if="$1" of=/dev/null bs=4k iflag=direct "${@:2}"; }
check "an I/O error" on_device size=64M,fail-read=2048 read_fails

vanishes() { hostdev unplug t && read_fails "$1" count=1; }
check "a device that vanishes" on_device size=64M vanishes

half_started() { ! hostdev start t size=4M,nonsense=1 && [[ ! -e hostdev/t ]]; }
check "a start that fails" half_started

killed_daemon() { kill -9 "$(cat hostdev/t/pid)"; hostdev stop t; [[ ! -e hostdev/t ]]; }
check "a daemon that was killed" on_device size=64M killed_daemon

# A loop device on a file whose mount has vanished is called one on "/".
left_behind() {
	grep -F "$TEST_DIR" /proc/mounts ||
		losetup --list --noheadings --output BACK-FILE | grep -xE "/|$TEST_DIR.*"
}
nothing_left() { ! left_behind; }
check "nothing is left" nothing_left

end_checks
