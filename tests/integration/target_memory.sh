#!/bin/bash
# SPDX-License-Identifier: MIT
# Files in memory: O_DIRECT that cannot be had is an error and never a fallback to the page cache; where a
# file system in memory grants it, the result says that this is no device.
. "$(dirname "$0")/lib_run.sh"
need_root
need_python

profile write "$FILL" "$READ"
mkdir ram tmp
mount -t ramfs ssdbench-test ram || skip "needs to mount ramfs"
at_exit_try umount "$PWD/ram"
mount -t tmpfs -o size=64m ssdbench-test tmp
at_exit_try umount "$PWD/tmp"

head -c 16777216 /dev/zero >ram/file
expect_refused 4 'ram/file: .*O_DIRECT.* page cache' ./write.json ram/file \
	--destroy "$PWD/ram/file"
cmp -n 16777216 ram/file /dev/zero || fail "a refused run has written"
expect_refused 4 'O_DIRECT.* page cache' ./write.json ram/new --create 16MiB
[[ ! -e ram/new ]] || fail "a refused run left the file that it made"

truncate -s 16M tmp/file
if dd if=tmp/file of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null; then
	expect_run 0 memory ./write.json tmp/file --destroy "$PWD/tmp/file"
	expect_json memory/result.json 'doc["drives"][0]["ram_backed"] is True'
	expect_equal tmpfs "$(json memory/result.json 'doc["drives"][0]["filesystem"]')"
	expect_equal 'O_RDWR|O_DIRECT' "$(json memory/result.json 'doc["drives"][0]["open_flags"]')"
	expect_json memory/result.json 'all(any(f["flag"] == "not_a_device" and "memory" in f["evidence"]
		for f in s["drives"][0]["flags"]) for s in doc["steps"])'
else
	expect_refused 4 'O_DIRECT.* page cache' ./write.json tmp/file --destroy "$PWD/tmp/file"
fi
# A scratch file is not made in memory by itself, even where TMPDIR leads there.
TMPDIR=$PWD/tmp "$SSDBENCH" run --quiet --output scratch ./write.json scratch:16MiB >stdout 2>stderr
validate_result scratch/result.json
expect_json scratch/result.json 'doc["drives"][0]["filesystem"] != "tmpfs"'
