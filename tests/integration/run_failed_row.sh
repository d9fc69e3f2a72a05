#!/bin/bash
# SPDX-License-Identifier: MIT
# One row of three cannot be run: it has its reason and no figures, the others are complete, and the
# status says that not all is well. Failed requests likewise.
. "$(dirname "$0")/lib_run.sh"
need_uring
need_loop
need_command prlimit

# The second row finds no file descriptor left for its ring; the pause after it gives them back.
ROW=${READ/200ms/1s}
profile rows "${ROW/\"read\"/\"one\"}" "${READ/\"read\"/\"two\"}" \
	'{"kind": "idle", "name": "pause", "runtime": "3s"}' "${READ/\"read\"/\"three\"}"
loop_device 16M
"$SSDBENCH" run --quiet --output rows ./rows.json "$DEVICE" --engine io_uring --assume-filled \
	>stdout 2>stderr &
run=$!
at_exit_try kill "$run"
wait_for_line rows/journal.jsonl '"event":"step_started","step":0' "$run"
sleep 0.3
limit=$(prlimit --pid "$run" --nofile --noheadings --output SOFT)
prlimit --pid "$run" --nofile=3:
wait_for_line rows/journal.jsonl '"event":"step_finished","step":1' "$run"
prlimit --pid "$run" --nofile="$limit:"
expect_end 4 "$run" "a run with a row that failed"
result=rows/result.json
validate_result $result
expect_equal '["ok","failed","ok","ok"]' \
	"$(json $result '[s["status"] for s in doc["steps"]]' | tr -d ' ')"
expect_json $result '"Too many open files" in doc["steps"][1]["reason"]'
expect_json $result 'doc["steps"][1]["drives"][0]["read"] is None and doc["steps"][1]["total"] is None'
expect_json $result 'all(doc["steps"][i]["drives"][0]["read"]["ios"] > 0 for i in (0, 3))'
expect_equal step_failed "$(json $result 'doc["status"]')"
expect_equal 1 "$(json $result 'doc["summary"]["steps_failed"]')"
expect_line stdout '^two .* - .*Too many open files'

# A drive that fails requests is a result: what failed first, how often, and why. Deeper, the kernel could
# merge the bad block with its neighbours.
host_device bad size=16M,fail-read=1000
profile whole '{"kind": "measure", "name": "read", "rw": "read", "bs": "4KiB", "iodepth": 1,
	"runtime": "2s"}' "${READ/\"read\"/\"after\"}"
expect_run 1 bad ./whole.json "$DEVICE" --assume-filled --max-errors 1000000
result=bad/result.json
expect_equal drive_errors "$(json $result 'doc["status"]')"
expect_equal errors "$(json $result 'doc["steps"][0]["drives"][0]["status"]')"
error='doc["steps"][0]["drives"][0]["whole"]["error_kinds"][0]'
expect_equal EIO "$(json $result "${error}['errno']")"
expect_json $result "${error}['first_offset_bytes'] == 1000 * 512 // 4096 * 4096"
expect_json $result "${error}['count'] == doc['steps'][0]['drives'][0]['whole']['errors'] > 0"
expect_json $result "'errors' in [f['flag'] for f in doc['steps'][0]['drives'][0]['flags']]"
# By default the first one ends the step.
expect_run 1 stop ./whole.json "$DEVICE" --assume-filled --only read
expect_json stop/result.json 'doc["steps"][0]["drives"][0]["whole"]["errors"] >= 1'
expect_json stop/result.json '"short" in [f["flag"] for f in doc["steps"][0]["drives"][0]["flags"]]'
