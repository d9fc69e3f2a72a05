#!/bin/bash
# SPDX-License-Identifier: MIT
# A signal ends a run as its end would: what is under way is waited for, and what was measured is one
# valid document. A second signal ends it at once.
. "$(dirname "$0")/lib_run.sh"
need_loop
need_python

loop_device 64M
profile row "$FILL" "${READ/200ms/30s}" "$WRITE"
profile fill "${FILL/128KiB/4KiB}" "$READ"
profile pause '{"kind": "idle", "name": "pause", "runtime": "60s"}' "$READ"

# The step STEP of PROFILE has begun; SIGNAL ends the run with STATUS.
interrupt() { # SIGNAL STATUS PROFILE STEP TARGET...
	rm -rf run
	# A shell starts what is in its background with SIGINT ignored, which ssdbench leaves so.
	"$PYTHON" -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$SSDBENCH" run --quiet --format json --output run "./$3.json" \
		"${@:5}" >stdout 2>stderr &
	local run=$!
	at_exit_try kill "$run"
	wait_for_line run/journal.jsonl "\"event\":\"step_started\",\"step\":$4" "$run"
	sleep 0.3
	kill "-$1" "$run"
	expect_end "$2" "$run" "a run that got SIG$1"
	validate_result run/result.json
	validate_result stdout
	cmp stdout run/result.json || fail "stdout and result.json differ"
	expect_json stdout 'doc["interrupted"] is True and doc["status"] == "interrupted"'
	expect_equal interrupted "$(json stdout "doc['steps'][$4]['status']")"
	expect_equal "$(json stdout 'doc["summary"]["steps_planned"]')" \
		"$(json stdout 'len(doc["steps"])')" "steps of the document"
	expect_json stdout 'doc["totals"][0]["errors"] == 0'
	grep -v '^ssdbench: warning: ' stderr >words || :
	expect_empty words
}

for signal in INT:130 TERM:143 HUP:129; do
	name=${signal%:*} status=${signal#*:}
	# In a row: the figures of the time that there was, and they say how long that was.
	interrupt "$name" "$status" row 1 "$DEVICE" --destroy "$DEVICE"
	row='doc["steps"][1]["drives"][0]'
	expect_json stdout "${row}['read']['ios'] > 0"
	expect_json stdout 'doc["steps"][1]["window"]["counted_ns"] < 29e9'
	expect_json stdout "math.isclose(${row}['read']['iops'] * doc['steps'][1]['window']['counted_ns'],
		${row}['read']['ios'] * 1e9, rel_tol=1e-6)"
	expect_json stdout "{'interrupted', 'short'} <= {f['flag'] for f in ${row}['flags']}"
	# What was never begun has no figures.
	expect_json stdout 'doc["steps"][2]["status"] == "interrupted" and doc["steps"][2]["window"] is None'
	expect_json stdout 'doc["steps"][2]["drives"][0]["write"] is None'
	expect_equal ok "$(json stdout 'doc["steps"][0]["status"]')" "status of the fill before"
done

# In a fill, which is not complete then.
interrupt INT 130 fill 0 null:10PB
fill='doc["steps"][0]["drives"][0]["whole"]'
expect_json stdout "0 < ${fill}['written_bytes'] < 10**16 and ${fill}['complete'] is False"
interrupt TERM 143 fill 0 null:10PB
# In a pause.
interrupt HUP 129 pause 0 null:1GB

# A second signal does not wait for requests that hang, and leaves no result that could be taken for one.
host_device slow null=1,size=1G,bps=100
"$SSDBENCH" run --quiet --output hang ./row.json "$DEVICE" --only read --assume-filled >out 2>&1 &
run=$!
at_exit_try kill -KILL "$run"
wait_for_line hang/journal.jsonl '"event":"step_started"' "$run"
sleep 0.3
kill -TERM "$run"
sleep 0.3
kill -0 "$run" || fail "the first signal did not wait for what is under way: $(cat out)"
kill -HUP "$run"
expect_end 129 "$run" "a run that got two signals"
[[ ! -e hang/result.json ]] || fail "a run that ended at once has a result"

# A signal that was ignored before stays ignored: nohup.
(
	trap '' HUP
	exec "$SSDBENCH" run --quiet --output nohup ./row.json null:1GB --runtime 1s
) >out 2>&1 &
run=$!
wait_for_line nohup/journal.jsonl '"event":"step_started","step":1' "$run"
kill -HUP "$run"
expect_end 0 "$run" "a run under nohup"
expect_json nohup/result.json 'doc["interrupted"] is False'

# Before there is anything to save a signal simply ends it.
mkfifo pipe.json
for words in 'show ./pipe.json' 'run ./pipe.json null:1GB'; do
	# shellcheck disable=SC2086 # two words and more
	"$SSDBENCH" $words >out 2>&1 &
	run=$!
	at_exit_try kill -KILL "$run"
	sleep 0.3
	kill -TERM "$run"
	expect_end 143 "$run" "$words"
done
