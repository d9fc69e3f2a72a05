#!/bin/bash
# SPDX-License-Identifier: MIT
# Nothing is written before the user has named the drive: on the command line or, on a terminal, when
# asked. A read-only drive is not written with any word.
. "$(dirname "$0")/lib_run.sh"
need_python

profile write "$FILL"
profile read "$READ"
pattern_file image 16777216
cp image before
unchanged() { cmp image before || fail "something was written"; }

# A file has no serial number: its path is the word, as given or in full.
expect_refused 3 "^ssdbench: image: writing destroys all data.* add --destroy $PWD/image$" \
	./write.json image </dev/null
expect_refused 2 "^ssdbench: --destroy wrong: none of the targets" \
	./write.json image --destroy wrong
expect_refused 2 "^ssdbench: --destroy .*image2: none of the targets" \
	./write.json image --destroy "$PWD/image2"
expect_refused 2 "^ssdbench: --destroy : none" ./write.json image --destroy ''
# One right word does not make up for a wrong one, nor for one that is missing.
cp image other
expect_refused 2 "none of the targets" ./write.json image --destroy "$PWD/image" --destroy wrong
expect_refused 3 "^ssdbench: other: writing destroys" ./write.json image other \
	--destroy "$PWD/image"
cmp other before || fail "something was written without consent"
unchanged

# --- on a terminal the word is asked for ---
# ask ANSWER: as "ssdbench run write.json image" on a terminal; prints the terminal's text.
ask() {
	"$PYTHON" - "$1" "$SSDBENCH" run --quiet --output asked ./write.json image <<-'END'
		import os, pty, sys
		answer, command = sys.argv[1], sys.argv[2:]
		pid, terminal = pty.fork()
		if pid == 0:
		    os.execvp(command[0], command)
		text, answered = b"", False
		while True:
		    try:
		        piece = os.read(terminal, 4096)
		    except OSError:
		        break
		    if not piece:
		        break
		    text += piece
		    if not answered and b"to go on: " in text:
		        os.write(terminal, answer.encode() + b"\n")
		        answered = True
		sys.stdout.buffer.write(text)
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
}
expect_status 3 ask yes
expect_line stdout "All data on image .*16.78 MB.* will be destroyed"
expect_line stdout "image: not agreed to, nothing was written"
expect_status 3 ask ''
unchanged
[[ ! -e asked ]] || fail "a run that was not agreed to left a directory"
expect_status 0 ask "$PWD/image"
validate_result asked/result.json
expect_equal 0 "$(pattern_bytes image)" "bytes not written after consent"

# --- what needs no consent ---
cp before image
expect_run 0 read ./read.json image --assume-filled </dev/null
unchanged
expect_run 0 create ./write.json new --create 16MiB </dev/null
expect_equal 16777216 "$(stat -c %s new)" "size of the created file"
cp new before
expect_refused 3 "^ssdbench: .*new: exists already" ./write.json new --create 16MiB
cmp new before || fail "--create has changed a file that was there"
expect_status 0 "$SSDBENCH" run --dry-run ./write.json image </dev/null
[[ -z $(compgen -G "ssdbench-write-*") ]] || fail "--dry-run made a directory"

# --- a signature is named; consent covers it ---
need_loop
need_command mkfs.ext4
loop_device 16M
mkfs.ext4 -q -L precious "$DEVICE"
expect_refused 3 "^ssdbench: $DEVICE: holds ext4 file system \"precious\".*--destroy $DEVICE" \
	./write.json "$DEVICE" </dev/null
expect_equal precious "$(blkid -p -o value -s LABEL "$DEVICE")"
expect_run 0 signature ./write.json "$DEVICE" --destroy "$DEVICE"
expect_equal '' "$(blkid -p -o value -s LABEL "$DEVICE" || :)" "label after the fill"

# --- read-only ---
pattern_file readonly 16777216
cp readonly before
loop_detach "$DEVICE"
_attach "$PWD/readonly" --read-only || fail "no read-only loop device: $DEVICE"
at_exit_try losetup --detach "$DEVICE"
expect_refused 3 "^ssdbench: $DEVICE: device is read-only \(ro=1\)" \
	./write.json "$DEVICE" --destroy "$DEVICE"
expect_run 0 readonly-read ./read.json "$DEVICE" --assume-filled
expect_json readonly-read/result.json 'doc["drives"][0]["read_only"]'
expect_json readonly-read/result.json 'doc["steps"][0]["drives"][0]["read"]["ios"] > 0'
cmp readonly before || fail "a read-only device has changed"
