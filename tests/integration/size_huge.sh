#!/bin/bash
# SPDX-License-Identifier: MIT
# A drive of 245.8 TB: offsets are of 64 bits and uniform to the last block, and memory does not grow
# with capacity. Random writes land in a sparse file, whose data then tells where they went.
. "$(dirname "$0")/lib_run.sh"
need_loop
need_python

capacity=245807700074496
mkdir sparse
# Its size bounds the memory of the blocks that are written.
mount -t tmpfs -o size=1g ssdbench-test sparse || skip "needs to mount tmpfs"
at_exit_try umount "$PWD/sparse"
truncate -s $capacity sparse/file || skip "tmpfs has no files of $capacity bytes here"
_attach "$PWD/sparse/file" || fail "no loop device of $capacity bytes: $DEVICE"
at_exit_try losetup --detach "$DEVICE"

# 16 jobs as in a large run; the rows are short because each request takes 4 KiB of memory here.
JOBS=${WRITE/\"iodepth\": 4/\"iodepth\": 4, \"numjobs\": 16}
profile write "${JOBS/200ms/500ms}"
READS=${READ/\"iodepth\": 4/\"iodepth\": 4, \"numjobs\": 16}
profile read "${READS/200ms/500ms}"
expect_status 0 peak_memory huge.memory \
	"$SSDBENCH" run --quiet --output huge --format json ./write.json "$DEVICE" --destroy "$DEVICE"
validate_result huge/result.json
# One JSON document, from the first byte on.
validate_result stdout
cmp stdout huge/result.json || fail "stdout and result.json differ"
expect_equal $capacity "$(json stdout 'doc["drives"][0]["capacity_bytes"]')"
expect_equal $capacity "$(json stdout 'doc["steps"][0]["drives"][0]["span_bytes"]')"
expect_json stdout 'doc["totals"][0]["errors"] == 0'
expect_json stdout 'doc["steps"][0]["engine"]["buffer_bytes"] > 0'

# Where the requests went: each tenth got its share, and so did the last 1 %.
sync sparse/file
written=$(json stdout 'doc["totals"][0]["written_bytes"]')
"$PYTHON" - sparse/file $capacity "$written" <<-'END' || fail "offsets are not uniform"
	import os, sys
	capacity, written = int(sys.argv[2]), int(sys.argv[3])
	fd, at, offsets = os.open(sys.argv[1], os.O_RDONLY), 0, []
	while True:
	    try:
	        begin = os.lseek(fd, at, os.SEEK_DATA)
	    except OSError:
	        break
	    at = os.lseek(fd, begin, os.SEEK_HOLE)
	    offsets += range(begin, at, 4096)
	    if at >= capacity:
	        break
	n = len(offsets)
	# Two requests for one block are rare: n^2 / 2 / 60e9 of them.
	print(f"{n} blocks of {written // 4096} requests, up to {max(offsets)}")
	assert n >= 1000 and n <= written // 4096 and n > written // 4096 - 100
	assert max(offsets) < capacity
	def expect_share(count, share):
	    mean, deviation = n * share, (n * share * (1 - share)) ** 0.5
	    assert abs(count - mean) < 6 * deviation, (count, mean, deviation)
	for tenth in range(10):
	    expect_share(sum(o * 10 // capacity == tenth for o in offsets), 0.1)
	expect_share(sum(o >= capacity * 0.99 for o in offsets), 0.01)
	expect_share(sum(o >= 4096 << 32 for o in offsets), 1 - (4096 << 32) / capacity)
END

expect_run 0 read ./read.json "$DEVICE" --assume-filled
expect_json read/result.json 'doc["totals"][0]["errors"] == 0'
expect_json read/result.json 'doc["steps"][0]["drives"][0]["read"]["ios"] > 0'
loop_detach "$DEVICE"

# The same on 1 GiB takes as much memory.
loop_device 1G
expect_status 0 peak_memory small.memory \
	"$SSDBENCH" run --quiet --output small ./write.json "$DEVICE" --destroy "$DEVICE"
validate_result small/result.json
echo "resident: $(cat huge.memory) bytes on 245.8 TB, $(cat small.memory) on 1 GiB"
expect_equal "$(json small/result.json 'doc["steps"][0]["engine"]["buffer_bytes"]')" \
	"$(json huge/result.json 'doc["steps"][0]["engine"]["buffer_bytes"]')" "bytes of buffers"
(($(cat huge.memory) < $(cat small.memory) + 16 * 1024 * 1024)) ||
	fail "memory grows with capacity"

# The whole of each shipped profile is planned without a drive.
for name in cdn object-storage object-storage-map fio-sweep; do
	expect_status 0 "$SSDBENCH" plan --capacity 245.76TB --format json $name
	expect_json stdout 'True'
done
