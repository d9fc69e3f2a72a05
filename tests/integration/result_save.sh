#!/bin/bash
# SPDX-License-Identifier: MIT
# A result that cannot be saved where it should: the status is 4, the message says why and where it is
# instead, nothing half-written has the final name, and no device is replaced by a file.
TMPDIR=${TMPDIR:-/var/tmp}
export TMPDIR
. "$(dirname "$0")/lib_run.sh"
need_python

profile short "$FILL" "$READ"
# The result of the last run is whole, in $XDG_STATE_HOME, where stderr says.
expect_saved_in_state() {
	local file
	file=$(sed -n 's/.* \(it was saved to\|the result is in\) //p' stderr | tail -n 1)
	[[ $file = "$XDG_STATE_HOME"/ssdbench/ssdbench-*.json ]] || fail "saved to '$file'"
	validate_result "$file"
	expect_equal 2 "$(json "$file" 'doc["summary"]["steps_ok"]')" "steps in $file"
	rm "$file"
}

# --- a device that is always full ---
full=$(stat -c '%F %t:%T' /dev/full)
expect_status 4 "$SSDBENCH" run ./short.json scratch:16MiB --result /dev/full --output full --quiet
expect_line stderr '^ssdbench: cannot write the result to /dev/full: No space left on device; it was saved to full/result.json$'
validate_result full/result.json
expect_equal 2 "$(json full/result.json 'doc["summary"]["steps_ok"]')"
expect_equal "$full" "$(stat -c '%F %t:%T' /dev/full)" "/dev/full"
# The same with stdout: the result is where it should be, and still the run has not done all.
got=0
"$SSDBENCH" run ./short.json scratch:16MiB --output stdout-full --quiet >/dev/full 2>stderr || got=$?
expect_equal 4 "$got" "status with a full stdout"
expect_line stderr 'cannot write to standard output: No space left on device'
validate_result stdout-full/result.json
expect_equal "$full" "$(stat -c '%F %t:%T' /dev/full)" "/dev/full"

# --- a pipe is written as it is ---
mkfifo pipe
cat pipe >through.pipe &
reader=$!
expect_status 0 "$SSDBENCH" run ./short.json scratch:16MiB --result pipe --output piped --quiet
wait "$reader"
validate_result through.pipe
[[ -p pipe ]] || fail "the pipe has become a file"
# Nobody reads it: a run of hours does not wait for ever at its end.
expect_status 4 "$SSDBENCH" run ./short.json scratch:16MiB --result pipe --output broken --quiet
expect_line stderr 'pipe: No such device or address; it was saved to broken/result.json$'
validate_result broken/result.json

# --- a result that is there already is replaced as a whole, and through a link ---
echo old >old.json
ln -s old.json link.json
expect_status 0 "$SSDBENCH" run ./short.json scratch:16MiB --result link.json --output link --quiet
[[ -L link.json ]] || fail "the link was replaced"
validate_result old.json
expect_equal '' "$(find . -name '*.tmp')" "temporary files"

# --- a directory that is absent, not one, or not ours to write ---
expect_status 4 "$SSDBENCH" run ./short.json scratch:16MiB --result absent/r.json --output absent-r \
	--quiet
expect_line stderr 'absent/r.json: No such file or directory; it was saved to absent-r/result.json'
expect_refused 4 'cannot make the run.s directory short.json/x: Not a directory' ./short.json \
	scratch:16MiB --output short.json/x
# A directory with a run in it is left as it is.
sha256sum link/* >sums
expect_status 2 "$SSDBENCH" run ./short.json scratch:16MiB --output link --quiet
expect_line stderr 'link holds a run already'
sha256sum --quiet --check sums || fail "a second run has changed the first one's directory"

# --- files that may not grow (ulimit -f): a failed write, no sudden end ---
(ulimit -f 8 && expect_status 4 "$SSDBENCH" run ./short.json scratch:16MiB --output none --quiet)
expect_line stderr 'cannot allocate 16777216 bytes: File too large'

# --- removed in mid-run ---
profile long "$FILL" "${READ/200ms/2s}"
"$SSDBENCH" run ./long.json scratch:16MiB --output removed --quiet >stdout 2>stderr &
run=$!
at_exit_try kill "$run"
wait_for_line removed/journal.jsonl '"event":"step_started","step":1' "$run"
rm -r removed
expect_end 4 "$run" "a run whose directory was removed"
expect_line stderr 'removed/result.json: No such file or directory; it was saved to '
[[ ! -e removed ]] || fail "the directory is there again"
expect_saved_in_state

# --- a full tmpfs ---
need_root
mkdir small
mount -t tmpfs -o size=64k ssdbench-test small || skip "needs to mount tmpfs"
at_exit_try umount "$PWD/small"
# COMMAND is ssdbench run, or what runs it; its directory is on the full file system.
fill_up_during() { # TARGET COMMAND...
	"${@:2}" ./long.json "$1" --output small/run --quiet >stdout 2>stderr &
	run=$!
	at_exit_try kill "$run"
	wait_for_line small/run/journal.jsonl '"event":"step_started","step":1' "$run"
	dd if=/dev/zero of=small/rest bs=4k status=none 2>/dev/null || :
	expect_end 4 "$run" "a run whose file system is full"
	[[ ! -e small/run/result.json ]] || fail "a result on a full file system: $(ls -l small/run)"
	expect_equal '' "$(find small -name '*.tmp')" "temporary files"
	expect_line stderr 'No space left on device'
	rm -r small/*
}
fill_up_during scratch:16MiB "$SSDBENCH" run
expect_saved_in_state

# --- nowhere else either: stdout gets it ---
# In this namespace all other places are read-only; paths from here on do not lead through them.
nowhere() {
	# shellcheck disable=SC2016
	exec env XDG_STATE_HOME=/dev/null/state unshare --mount --propagation private bash -c '
		mount -t tmpfs -o ro ssdbench-test /tmp && mount -t tmpfs -o ro ssdbench-test /var/tmp &&
		exec env "$@"' bash "$@" # bash would make the path absolute
}
unshare --mount true 2>/dev/null || skip "needs mount namespaces"
cp "$SSDBENCH" ssdbench
fill_up_during null:16MiB nowhere ./ssdbench run
expect_line stderr 'cannot write the result to small/run/result.json: No space left on device, nor anywhere else'
validate_result stdout
expect_equal 2 "$(json stdout 'doc["summary"]["steps_ok"]')" "steps on stdout"
