#!/bin/bash
# SPDX-License-Identifier: MIT
# "drives" and "check" as nobody, without CAP_SYS_ADMIN, and on a machine without NVMe: they say what they can and
# why not the rest, and do not crash. A run tells the same warnings, records them, and its status is as before.
. "$(dirname "$0")/lib_run.sh"
need_python
need_loop
need_command setpriv
schema=$SSDBENCH_SOURCE_DIR/docs/schema/check.schema.json

as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "$@"; }
without_admin() { setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$@"; }

# Another user may not read the directory of the test, nor the build.
cp "$SSDBENCH" ./ssdbench
chmod 755 . ssdbench
loop_device 16M
chmod 600 "$DEVICE"
name=${DEVICE#/dev/}

for who in as_nobody without_admin; do
	expect_status 0 "$who" ./ssdbench drives
	expect_line stdout "^$DEVICE "
	expect_empty stderr
	expect_status 0 "$who" ./ssdbench drives --format json
	expect_json stdout "'$name' in [d['name'] for d in doc['drives']]"

	expect_status 0 "$who" ./ssdbench check
	expect_empty stderr
	expect_status 0 "$who" ./ssdbench check "$DEVICE" --format json
	expect_empty stderr
	validate "$schema" stdout
	expect_json stdout 'any(f["code"] == "other_io" for f in doc["findings"])'
	# Of NVMe drives, where this machine has some: no health without the right, but a reason.
	mapfile -t drives < <("$who" ./ssdbench drives --format json |
		"$PYTHON" -c 'import json, sys
for d in json.load(sys.stdin)["drives"]:
    if d["nsid"]: print(d["path"])')
	[[ ${#drives[@]} = 0 ]] || expect_status 0 "$who" ./ssdbench check "${drives[@]}"
done

# A limit that only binds who is not root.
expect_status 0 as_nobody bash -c 'ulimit -l 64 && ./ssdbench check'
expect_line stdout '^host +locked_memory +note +512MiB +64KiB$'

# --- a run tells and records what is found, and goes on ---
profile read "$READ"
expect_run 0 plain ./read.json "$DEVICE" --engine sync
expect_json plain/result.json 'all(f["level"] != "ok" for f in doc["preflight"])'
expect_json plain/result.json 'not [f for f in doc["preflight"] if f["code"] == "io_uring"]'
cat plain/run.json >run.json
expect_json run.json 'isinstance(doc["preflight"], list)'

# io_uring_setup (425) answers EPERM (1).
expect_status 0 deny_syscall 425 1 "$SSDBENCH" run --quiet --output denied ./read.json "$DEVICE"
validate_result denied/result.json
expect_line stderr 'io_uring cannot be used: blocked'
expect_equal 1 "$(grep -c 'io_uring cannot be used' stderr)" "times that it was told"
expect_json denied/result.json 'any("io_uring cannot be used" in w for w in doc["warnings"])'
expect_equal '["warning"]' \
	"$(json denied/result.json '[f["level"] for f in doc["preflight"] if f["code"] == "io_uring"]')"

(while :; do dd if="$DEVICE" of=/dev/null bs=4k iflag=direct status=none || break; done) &
others=$!
at_exit_try kill "$others"
expect_run 0 shared ./read.json "$DEVICE"
kill "$others"
wait "$others" 2>/dev/null || :
expect_line stderr "$name: others do I/O on its disk"
expect_json shared/result.json '[f["drive"] for f in doc["preflight"] if f["code"] == "other_io"] == [0]'

# --- targets that are no drives make no noise ---
expect_run 0 null ./read.json null:1TB scratch:16MiB
expect_json null/result.json 'all(f["drive"] is None for f in doc["preflight"])'
