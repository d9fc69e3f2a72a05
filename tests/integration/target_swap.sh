#!/bin/bash
# SPDX-License-Identifier: MIT
# A drive that the kernel swaps to, or that another device is built on, is not written.
. "$(dirname "$0")/lib_run.sh"
need_loop
need_command mkswap swapon

profile write "$FILL"
loop_device 16M
mkswap "$DEVICE" >/dev/null
if swapon "$DEVICE"; then
	at_exit_try swapoff "$DEVICE"
	expect_refused 3 "^ssdbench: $DEVICE: in use: .*is active swap; swapoff $DEVICE first" \
		./write.json "$DEVICE" --destroy "$DEVICE"
	swapoff "$DEVICE"
else
	echo "no swap here: only what does not need it is tested" >&2
fi
# Not active any more: its signature asks for consent, no more.
expect_refused 3 "$DEVICE: holds swap .*--destroy $DEVICE" ./write.json "$DEVICE"
expect_run 0 consented ./write.json "$DEVICE" --destroy "$DEVICE"

# --- the base of another device ---
base=$DEVICE
_attach "$base" || fail "no loop device on $base: $DEVICE"
upper=$DEVICE
at_exit_try losetup --detach "$upper"
expect_refused 3 "^ssdbench: $base: in use: .* is the base of the loop device $upper" \
	./write.json "$base" --destroy "$base"
loop_detach "$upper"

if dmsetup version >/dev/null 2>&1; then
	dmsetup create ssdbench-test-$$ --table "0 32768 linear $base 0"
	at_exit dmsetup remove "ssdbench-test-$$"
	expect_refused 3 "$base: in use: .* is held by dm-[0-9]+ ssdbench-test-$$" \
		./write.json "$base" --destroy "$base"
fi
