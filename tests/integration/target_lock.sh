#!/bin/bash
# SPDX-License-Identifier: MIT
# Two runs on one drive: the second is refused at once and names the first, which goes on untouched.
# The lock is the kernel's: a run that was killed leaves none.
. "$(dirname "$0")/lib_run.sh"

profile write "$FILL"
profile long "$FILL" "${WRITE/200ms/4s}"

second_is_refused() { # TARGET
	"$SSDBENCH" run --quiet --output first ./long.json "$1" --destroy "$1" >first.out 2>&1 &
	local first=$!
	at_exit_try kill "$first"
	wait_for_line first/journal.jsonl '"event":"step_started","step":1' "$first"
	expect_refused 3 "$1: in use.* pid $first \(ssdbench\)" ./write.json "$1" --destroy "$1"
	kill -0 "$first" || fail "the first run has ended: $(cat first.out)"
	expect_end 0 "$first" "the first run"
	validate_result first/result.json
	expect_equal ok "$(json first/result.json 'doc["status"]')"
	expect_json first/result.json 'doc["totals"][0]["errors"] == 0'
	expect_json first/result.json 'doc["steps"][1]["window"]["counted_ns"] >= 3.9e9'
	rm -r first
}

killed_leaves_nothing() { # TARGET
	local _
	"$SSDBENCH" run --quiet --output killed ./long.json "$1" --destroy "$1" >killed.out 2>&1 &
	local killed=$!
	at_exit_try kill "$killed"
	wait_for_line killed/journal.jsonl '"event":"step_started","step":1' "$killed"
	kill -KILL "$killed"
	expect_end 137 "$killed" "the killed run"
	[[ ! -e killed/result.json ]] || fail "a killed run has a result"
	# The kernel lets go of the drive when it has ended what was under way, a moment after the process.
	for _ in {1..100}; do
		! "$SSDBENCH" run --quiet --output after ./write.json "$1" --destroy "$1" \
			>after.out 2>&1 || break
		sleep 0.1
	done
	[[ -e after/result.json ]] || fail "a killed run left its lock: $(cat after.out)"
	validate_result after/result.json
	rm -r killed after
}

truncate -s 64M file
second_is_refused "$PWD/file"
killed_leaves_nothing "$PWD/file"

# A temporary file has no name, so that there is nothing to remove.
mkdir scratch
TMPDIR=$PWD/scratch "$SSDBENCH" run --quiet --output killed ./long.json scratch:64MiB \
	>killed.out 2>&1 &
killed=$!
at_exit_try kill "$killed"
wait_for_line killed/journal.jsonl '"event":"step_started","step":1' "$killed"
expect_equal '' "$(ls -A scratch)" "files beside a run on scratch:"
kill -KILL "$killed"
expect_end 137 "$killed" "the killed run"
expect_equal '' "$(ls -A scratch)" "files after a killed run on scratch:"

need_loop
loop_device 64M
second_is_refused "$DEVICE"
killed_leaves_nothing "$DEVICE"

# Readers share a drive, but not with one who writes to it.
profile read "${READ/200ms/4s}"
"$SSDBENCH" run --quiet --output reader ./read.json "$DEVICE" --assume-filled >reader.out 2>&1 &
reader=$!
at_exit_try kill "$reader"
wait_for_line reader/journal.jsonl '"event":"step_started","step":0' "$reader"
expect_run 0 two ./read.json "$DEVICE" --assume-filled --runtime 200ms
expect_end 0 "$reader" "the first reader"
validate_result reader/result.json
