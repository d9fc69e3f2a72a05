#!/bin/bash
# SPDX-License-Identifier: MIT
# The list of drives where there is no NVMe drive, for root and for nobody: sensible, valid, no crash.
. "$(dirname "$0")/lib_run.sh"

list() { # NAME COMMAND...: NAME.json and NAME.table
	local name=$1
	shift
	expect_status 0 "$@" "$SSDBENCH" drives --format json
	expect_empty stderr
	mv stdout "$name.json"
	expect_status 0 "$@" "$SSDBENCH" drives
	expect_empty stderr
	mv stdout "$name.table"
}

# Each drive holds all of its keys, and what is null without NVMe has no made-up value.
expect_sound() { # FILE
	local sound='all("controllers" in d and "nvme" in d and "health" in d for d in doc["drives"])'
	expect_json "$1" "$sound"
	sound='all(d["health"] is None and d["nvme"] is None for d in doc["drives"] if not d["controllers"])'
	expect_json "$1" "$sound"
	expect_json "$1" 'all(d["target"] is (d["why_not"] is None) for d in doc["drives"])'
	expect_json "$1" 'all(d["serial"] or any(g["key"] == "serial" for g in d["gaps"])
		for d in doc["drives"])'
	expect_json "$1" 'all(d["numa_node"] is None or d["numa_node"] >= 0 for d in doc["drives"])'
}

list self
expect_sound self.json
head -n 1 self.table | grep -qE '^DRIVE +MODEL +SERIAL +FIRMWARE +SIZE +LBA +LINK +NUMA +HEALTH +TARGET' ||
	fail "another head: $(head -n 1 self.table)"

# --- words that name no drive here ---
profile read "$READ"
expect_refused 3 '^ssdbench: serial:no-such-number: no drive has this serial number' \
	./read.json serial:no-such-number
expect_refused 3 '^ssdbench: wwid:eui.00: no drive has this wwid' ./read.json wwid:eui.00
expect_refused 2 '^ssdbench: serial:: nothing stands after the colon' ./read.json serial:
expect_refused 2 '^ssdbench: serial:1: --create' ./read.json serial:1 --create 16MiB

# --- a run on what is no NVMe drive says why it has no health ---
expect_run 0 file ./read.json scratch:16MiB
expect_json file/result.json 'doc["health"][0]["before"] is None'
expect_equal "not an NVMe drive" "$(json file/result.json 'doc["health"][0]["reason"]')"

# --- nobody, and root without CAP_SYS_ADMIN ---
need_root
need_command setpriv
chmod 755 "$TEST_DIR"
list nobody setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs
expect_sound nobody.json
list bounded setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin
expect_sound bounded.json
