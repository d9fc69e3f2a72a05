#!/bin/bash
# SPDX-License-Identifier: MIT
# Capacities that no block size divides, which is the usual case: a fill writes every byte, the short
# last block too, and nothing behind the end. Drives too small for a request are refused.
. "$(dirname "$0")/lib_run.sh"
need_python

# The file FILE of 67,117,056 bytes, 512 blocks of 128 KiB and 8,192 bytes, was written in full.
expect_filled() { # FILE RESULT
	expect_equal 67117056 "$(stat -c %s "$1")" "size of $1"
	expect_equal 0 "$(pattern_bytes "$1")" "bytes of $1 that were not written"
	expect_equal 67117056 "$(json "$2" 'doc["steps"][0]["drives"][0]["whole"]["written_bytes"]')"
	expect_equal 513 "$(json "$2" 'doc["steps"][0]["drives"][0]["write"]["ios"]')" "writes"
	expect_json "$2" 'doc["steps"][0]["drives"][0]["whole"]["complete"]'
	expect_json "$2" 'doc["totals"][0]["errors"] == 0'
}

pattern_file pattern 67117056
profile fill "$FILL"
profile random "${FILL/\"fill\"/\"random-fill\"}"
profile jobs "${FILL/4\}/4, \"numjobs\": 4\}}"
for name in fill random; do
	cp pattern image
	expect_run 0 $name ./$name.json image --destroy "$PWD/image"
	expect_filled image $name/result.json
done
# Each of four jobs has its own part, of which the last ends short.
cp pattern image
expect_run 0 jobs ./jobs.json image --destroy "$PWD/image"
expect_equal 0 "$(pattern_bytes image)" "bytes that four jobs did not write"
expect_equal 67117056 "$(json jobs/result.json 'doc["totals"][0]["written_bytes"]')"
expect_equal 67117056 "$(stat -c %s image)"

# Passes begin anew; what is read afterwards has been written.
profile passes "${FILL/4\}/4, \"passes\": 2\}}" "$READ"
cp pattern image
expect_run 0 passes ./passes.json image --destroy "$PWD/image"
expect_equal 134234112 "$(json passes/result.json 'doc["totals"][0]["written_bytes"]')"
expect_json passes/result.json 'not doc["steps"][1]["drives"][0]["unwritten"]'

# --size is a bound: what lies behind it stays.
cp pattern image
expect_run 0 part ./fill.json image --destroy "$PWD/image" --size 1000KiB
expect_equal $((67117056 - 1000 * 1024)) "$(pattern_bytes image)" "bytes left"
expect_equal 1024000 "$(json part/result.json 'doc["totals"][0]["written_bytes"]')"

# A read phase without a fill before is marked.
profile read "$READ"
expect_run 0 unwritten ./read.json image
expect_json unwritten/result.json 'doc["steps"][0]["drives"][0]["unwritten"]'
expect_json unwritten/result.json '"unwritten" in
	[f["flag"] for f in doc["steps"][0]["drives"][0]["flags"]]'

# --- too small ---
need_loop
profile deep "${WRITE/4KiB\", \"iodepth\": 4/128KiB\", \"iodepth\": 32}"
profile huge "${READ/4KiB/1GiB}"
loop_device 4K
expect_refused 2 '(128KiB|131072).*(4KiB|4096)' ./deep.json "$DEVICE" --destroy "$DEVICE"
loop_device 16M
expect_refused 2 '(1GiB|1073741824).*(16MiB|16777216)' ./huge.json "$DEVICE" --assume-filled
loop_detach "$DEVICE"
loop_device 0
expect_refused 3 "$DEVICE: no capacity \(namespace not attached or drive failed\)" \
	./deep.json "$DEVICE" --destroy "$DEVICE"
loop_detach "$DEVICE"
# Eight blocks are less than the depth, and all that is asked for fits: no I/O goes past the end.
loop_device 1M
pattern_file "$BACKING_FILE" 1048576
expect_run 0 deep ./deep.json "$DEVICE" --destroy "$DEVICE"
expect_json deep/result.json 'doc["totals"][0]["errors"] == 0'
sync "$BACKING_FILE"
expect_equal 1048576 "$(stat -c %s "$BACKING_FILE")" "size of the file behind the drive"
