#!/bin/bash
# SPDX-License-Identifier: MIT
# A purge gives the blocks of a device back, needs the consent that writes need, and where it does not come
# about it ends the run or marks what follows.
. "$(dirname "$0")/lib_run.sh"
need_loop
need_python

read_back=${READ/200ms/100ms}
profile purged '{"kind": "purge", "method": "discard"}'
profile auto "$FILL" '{"kind": "purge"}' "$read_back"
profile stop '{"kind": "purge", "method": "format"}' "$FILL" "$read_back"
profile go-on '{"kind": "purge", "method": "sanitize", "on_failure": "continue"}' "$FILL" "$read_back"
profile none '{"kind": "purge", "method": "none"}' "$FILL" "$read_back"

loop_device 16M
purge() { # STATUS PROFILE [ARGUMENT...]
	rm -rf run
	expect_run "$1" run "./$2.json" "$DEVICE" --destroy "$DEVICE" "${@:3}"
}
holds_data() {
	[[ $(du --block-size=1 "$BACKING_FILE" | cut -f 1) -ge $((16 << 20)) ]]
}
fill() {
	head -c 16M /dev/zero | tr '\0' '\245' >"$BACKING_FILE"
	holds_data || fail "the image holds no data"
}

# --- consent, and what a plan says ---
fill
expect_refused 3 "destroys all data on it.*--destroy $DEVICE" ./purged.json "$DEVICE"
holds_data || fail "a refused run has purged"
expect_status 0 "$SSDBENCH" plan ./purged.json "$DEVICE"
expect_line stdout "^${DEVICE##*/} .* destroyed"
holds_data || fail "a plan has purged"

# --- discard ---
purge 0 purged
expect_equal 0 "$(du --block-size=1 "$BACKING_FILE" | cut -f 1)" "bytes behind the device"
expect_equal 0 "$(head -c 16M "$DEVICE" | tr -d '\0' | wc -c)" "bytes that are not zero"
expect_line stdout 'purge discard .* by discard in'
expect_json run/result.json 'doc["steps"][0]["drives"][0]["purge"]["used"] == "discard"'
expect_json run/result.json 'doc["steps"][0]["purge"]["on_failure"] == "stop"'
expect_line run/journal.jsonl '"event":"step_started","step":0'

# --- the best that there is; what was written before is gone, whatever --assume-filled says ---
purge 0 auto --assume-filled
expect_json run/result.json 'doc["steps"][1]["drives"][0]["purge"]["used"] == "discard"'
expect_json run/result.json \
	'"not an NVMe drive" in doc["steps"][1]["drives"][0]["purge"]["fallback"]'
expect_json run/result.json '"unwritten" in [f["flag"] for f in doc["steps"][2]["flags"]]'

# --- what the drive cannot do ---
fill
purge 4 stop
expect_json run/result.json '[s["status"] for s in doc["steps"]] == ["failed"] * 3'
expect_json run/result.json '"not begun: the purge failed" in doc["steps"][2]["reason"]'
expect_json run/result.json 'doc["totals"][0]["written_bytes"] == 0'
purge 4 go-on
expect_json run/result.json '[s["status"] for s in doc["steps"]] == ["failed", "ok", "ok"]'
expect_json run/result.json 'all("not_purged" in [f["flag"] for f in s["flags"]]
	for s in doc["steps"][1:])'
expect_line stdout '^P  not_purged: the purge of step 0 failed: .*not an NVMe drive'

# --- none is none ---
purge 0 none
expect_json run/result.json 'len(doc["steps"]) == 2'
