#!/bin/bash
# SPDX-License-Identifier: MIT
# A drive that stalls for seconds in the middle of a run: each second has its row, those without I/O
# hold 0 and latencies of null, and the stall is the longest latency.
. "$(dirname "$0")/lib_run.sh"
need_python

host_device stall null=1,size=1G,iops=500
profile read "${READ/4,
		\"runtime\": \"200ms\"/1, \"runtime\": \"10s\"}"
"$SSDBENCH" run --quiet --output stall ./read.json "$DEVICE" --assume-filled >out 2>&1 &
run=$!
at_exit_try kill "$run"
wait_for_line stall/journal.jsonl '"event":"step_started"' "$run"
sleep 2
# A request of 4 KiB at 1,000 bytes a second takes 4 s; the next ones are fast again.
hostdev limits stall bps=1000
sleep 1
hostdev limits stall iops=500
expect_end 0 "$run"
result=stall/result.json
validate_result $result

rows='doc["steps"][0]["series"]["rows"]'
ios="[r[2] for r in $rows]"
echo "requests in each second: $(json $result "$ios")"
expect_equal '[0,1,2,3,4,5,6,7,8,9]' "$(json $result "[r[1] for r in $rows]" | tr -d ' ')" "seconds"
expect_json $result "$ios.count(0) >= 2"
expect_json $result "all((x is None) == (r[2] == 0) for r in $rows for x in r[4:9])"
expect_json $result "all(r[3] == 4096 * r[2] for r in $rows)"
# What a row holds is what was counted: none was put into a second in which it did not end.
expect_json $result "sum($ios) == doc['steps'][0]['drives'][0]['read']['ios']"
expect_json $result '2e9 < doc["steps"][0]["drives"][0]["read"]["latency_ns"]["max"] < 9e9'
expect_json $result "max(r[6] or 0 for r in $rows) ==
	doc['steps'][0]['drives'][0]['read']['latency_ns']['max']"
