#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The virtual machine of this folder does what README.md says. About two minutes on two idle cores.
# shellcheck disable=SC2016 # what stands between single quotes is for a shell in the guest
. "$(dirname "$0")/../integration/lib.sh"
. "$SSDBENCH_SOURCE_DIR/tests/vm/checks.sh"
need_vm
need_command fio python3
functions=$(export_checks)

code() { # STATUS COMMAND...
	local want=$1 got=0
	shift
	"$@" || got=$?
	echo "code $got for $want"
	[[ $got = "$want" ]]
}

# --- how a command ends ---
check "the command's exit code comes out" code 7 "$VM" sh -c 'exit 7'
check "a crash is 128 + signal" code 139 "$VM" sh -c 'kill -SEGV $$'
check "a guest that hangs is ended" code 124 "$VM" -t 15 sleep 100
panics() { code 125 "$VM" sh -c 'echo c > /proc/sysrq-trigger; sleep 9' 2>&1 | grep "Kernel panic"; }
check "a panic is reported" panics

# --- drives ---
check "the drive is there" "$VM" sh -c 'test -c /dev/nvme0 -a -b /dev/nvme0n1 -a -c /dev/ng0n1'
check "a drive of 122.88 TB with 4 KiB blocks" "$VM" -n null=1,size=122880000000000,lbs=4096 \
	sh -c '[ "$(blockdev --getsize64 --getss /dev/nvme0n1 | paste -s)" = "122880000000000	4096" ]'
many=()
for _ in {1..24}; do many+=(-n "null=1,size=4T"); done
check "24 drives" "$VM" "${many[@]}" sh -c '[ "$(ls /dev/nvme*n1 | wc -l)" = 24 ]'
check "poll queues" "$VM" -c 2 -a nvme.poll_queues=1 \
	sh -c '[ "$(cat /sys/block/nvme0n1/queue/io_poll)" = 1 ]'

# --- speed and faults ---
check_measured "500 IOPS and no more" "$VM" -n size=1G,iops=500 bash -c "$functions"'
	within "$(fio_field 8 --filename=/dev/nvme0n1 --ioengine=io_uring --iodepth=8 \
		--runtime=5 --ramp_time=1)" 500 2'
check "a media error is ENODATA" code 61 "$VM" -n size=1G,fail-read=2048 python3 -c '
import mmap, os, sys
fd = os.open("/dev/nvme0n1", os.O_RDONLY | os.O_DIRECT)
try: os.preadv(fd, [mmap.mmap(-1, 4096)], 2048 * 512)
except OSError as e: sys.exit(e.errno)'
check "a drive is pulled" "$VM" -H 'wait_for go; unplug 0' sh -c '
	touch /mnt/run/go
	for i in $(seq 100); do [ -e /dev/nvme0 ] || exit 0; sleep 0.1; done; exit 1'

# --- virtual time ---
check_measured "virtual time: 1 ms is 1 ms, at the 99th percentile" "$VM" -i -b -M null_blk \
	-a vm.args.null_blk=irqmode=2,completion_nsec=1000000,gb=4 bash -c "$functions"'
	within "$(fio_field 30 --filename=/dev/nullb0 --ioengine=io_uring --runtime=2)" 1000 2'
check "virtual time: 10 minutes of sleep" "$VM" -i -b -t 60 sleep 600

end_checks
