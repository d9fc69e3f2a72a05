#!/bin/bash
# SPDX-License-Identifier: MIT
# "ssdbench check" without drives, with loop devices and with words that are none; what it prints, its schema
# and its exit status. It changes nothing.
. "$(dirname "$0")/lib_run.sh"
need_python
schema=$SSDBENCH_SOURCE_DIR/docs/schema/check.schema.json

levels() { # FILE CODE: of all findings of that code
	json "$1" "' '.join(f['level'] for f in doc['findings'] if f['code'] == '$2')"
}

# --- the host alone ---
expect_status 0 "$SSDBENCH" check
expect_line stdout '^WHERE +CHECK +LEVEL +WANTED +FOUND$'
expect_line stdout '^host +cpu_governor +(ok|warning) '
expect_line stdout '^[0-9]+ warnings, [0-9]+ notes$'
expect_empty stderr
expect_status 0 "$SSDBENCH" check --format json
validate "$schema" stdout
expect_json stdout 'doc["drives"] == [] and all(f["drive"] is None for f in doc["findings"])'
expect_json stdout 'doc["warnings"] == sum(f["level"] == "warning" for f in doc["findings"])'
expect_json stdout 'doc["notes"] == sum(f["level"] == "note" for f in doc["findings"])'
expect_json stdout 'all((f["text"] is None) == (f["level"] == "ok") for f in doc["findings"])'
expect_status 0 "$SSDBENCH" schema check
cmp stdout "$schema" || fail "the schema that is printed is another"

# --- words that name no target are findings, and wrong words mistakes ---
expect_status 0 "$SSDBENCH" check /dev/nvme9n9 null:1TB scratch:64MiB serial:NOSUCH --format json
validate "$schema" stdout
expect_equal 'warning warning' "$(levels stdout target)"
expect_equal '/dev/nvme9n9 null scratch serial:NOSUCH' \
	"$(json stdout '" ".join(d["name"] for d in doc["drives"])')"
expect_json stdout 'all(f["drive"] in (0, 3) for f in doc["findings"] if f["drive"] is not None)'
expect_status 1 "$SSDBENCH" check --strict /dev/nvme9n9
expect_line stdout '^warning: /dev/nvme9n9: it can be no target: no such device'
expect_status 2 "$SSDBENCH" check ''
expect_empty stdout
expect_status 2 "$SSDBENCH" check --strictly
expect_line stderr "did you mean '--strict'"
status=0
"$SSDBENCH" check >/dev/full 2>stderr || status=$?
expect_equal 4 $status "status with a full standard output"

# --- io_uring that a sandbox refuses (425: io_uring_setup; 1: EPERM) ---
expect_status 0 deny_syscall 425 1 "$SSDBENCH" check --format json
expect_equal warning "$(levels stdout io_uring)"
expect_status 1 deny_syscall 425 1 "$SSDBENCH" check --strict

# --- a loop device: nothing of links, health and nodes, and nobody else on it ---
need_loop
loop_device 16M
expect_status 0 "$SSDBENCH" check --format json "$DEVICE"
validate "$schema" stdout
expect_json stdout '{f["code"] for f in doc["findings"] if f["drive"] == 0} ==
	{"in_use", "other_io", "scheduler"}'
expect_equal "$DEVICE" "$(json stdout 'doc["drives"][0]["path"]')"
expect_equal ok "$(levels stdout in_use)"

# --- what it holds, and that it is in use ---
need_command mkfs.ext4
mkfs.ext4 -q "$DEVICE"
expect_status 0 "$SSDBENCH" check "$DEVICE"
expect_line stdout "^${DEVICE#/dev/} +in_use +note +no +ext4"
mkdir mnt
mount "$DEVICE" mnt
at_exit_try umount mnt
expect_status 0 "$SSDBENCH" check "$DEVICE" --format json
expect_equal warning "$(levels stdout in_use)"
expect_json stdout '"mounted at" in [f for f in doc["findings"] if f["code"] == "in_use"][0]["text"]'
expect_status 1 "$SSDBENCH" check --strict "$DEVICE"
umount mnt

# --- I/O of others while it looks ---
loop_device 64M
(while :; do dd if="$DEVICE" of=/dev/null bs=4k iflag=direct status=none || break; done) &
others=$!
at_exit_try kill "$others"
expect_status 0 "$SSDBENCH" check "$DEVICE" --format json
kill "$others"
wait "$others" 2>/dev/null || :
expect_equal warning "$(levels stdout other_io)"

# --- polling that the device cannot do ---
expect_status 1 "$SSDBENCH" check --strict --iopoll "$DEVICE"
expect_line stdout '^warning: loop[0-9]+: polling is asked for'
