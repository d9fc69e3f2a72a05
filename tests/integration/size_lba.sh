#!/bin/bash
# SPDX-License-Identifier: MIT
# A drive of 4096-byte blocks: rows of less are skipped with a reason and null figures, never 0, and
# the exit status tells of them.
. "$(dirname "$0")/lib_run.sh"
need_loop
loop_device 64M 4096

profile sweep "${READ/\"4KiB\"/[\"512\", \"1KiB\", \"2KiB\", \"4KiB\"]}"
expect_run 1 sweep ./sweep.json "$DEVICE" --assume-filled
result=sweep/result.json
expect_equal 4096 "$(json $result 'doc["drives"][0]["logical_block_bytes"]')"
expect_equal '["skipped","skipped","skipped","ok"]' \
	"$(json $result '[s["status"] for s in doc["steps"]]' | tr -d ' ')"
expect_equal 3 "$(json $result 'doc["summary"]["steps_skipped"]')"
expect_equal 1 "$(json $result 'doc["summary"]["steps_ok"]')"
index=0
for bs in 512 1024 2048; do
	expect_equal "bs $bs < LBA 4096" "$(json $result "doc['steps'][$index]['reason']")"
	expect_json $result "all(doc['steps'][$index][k] is None for k in ('window', 'total', 'series'))"
	expect_json $result "all(doc['steps'][$index]['drives'][0][k] is None
		for k in ('read', 'write', 'whole'))"
	index=$((index + 1))
done
expect_json $result 'doc["steps"][3]["drives"][0]["read"]["ios"] > 0'
expect_line stdout 'skipped: bs 512 < LBA 4096'
expect_line stdout 'skipped: bs 2048 < LBA 4096'

# The plan says it before.
expect_status 0 "$SSDBENCH" plan ./sweep.json "$DEVICE"
expect_line stdout 'skipped: bs 512 < LBA 4096'

# A mix with one size that does not fit is not run in part.
MIX=${READ/\"read\"/\"mix\"}
profile mix "$READ" "${MIX/\"bs\": \"4KiB\"/\"bssplit\": [{\"bs\": \"512\", \"percent\": 1\},
	{\"bs\": \"4KiB\", \"percent\": 99\}]}"
expect_run 1 mix ./mix.json "$DEVICE" --assume-filled
expect_equal '["ok","skipped"]' \
	"$(json mix/result.json '[s["status"] for s in doc["steps"]]' | tr -d ' ')"
# Sizes that are no multiple are no better.
ODD=${READ/\"read\"/\"odd\"}
profile odd "$READ" "${ODD/4KiB/6KiB}"
expect_run 1 odd ./odd.json "$DEVICE" --assume-filled
expect_equal 'bs 6144 is not a multiple of LBA 4096' "$(json odd/result.json 'doc["steps"][1]["reason"]')"

# Nothing that fits at all is a mistake: nothing is run.
profile none "${READ/4KiB/512}"
expect_refused 2 'nothing to run on .*: bs 512 < LBA 4096' ./none.json "$DEVICE" --assume-filled

# With 512-byte blocks all of it runs.
loop_device 64M 512
expect_run 0 all ./sweep.json "$DEVICE" --assume-filled
expect_equal 4 "$(json all/result.json 'doc["summary"]["steps_ok"]')"
expect_equal 512 "$(json all/result.json 'doc["steps"][0]["bs"][0]["bytes"]')"
expect_json all/result.json 'all(
	s["drives"][0]["read"]["bytes"] == s["drives"][0]["read"]["ios"] * s["bs"][0]["bytes"]
	for s in doc["steps"])'
