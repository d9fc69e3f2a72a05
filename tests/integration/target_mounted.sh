#!/bin/bash
# SPDX-License-Identifier: MIT
# A drive that is mounted, in whole or in part, directly or through a loop device, is not written.
. "$(dirname "$0")/lib_run.sh"
need_loop
need_command mkfs.ext4 addpart

profile write "$FILL"
profile read "$READ"
mkdir mnt

# --- a mounted drive ---
truncate -s 64M image
mkfs.ext4 -q image
cp image before
loop_device 64M 512 "$PWD/image"
mount -o ro,noload "$DEVICE" mnt || skip "needs to mount ext4"
at_exit_try umount "$PWD/mnt"
whole=$DEVICE

expect_refused 3 "^ssdbench: $whole: in use: .* is mounted at $PWD/mnt" \
	./write.json "$whole" --destroy "$whole"
# A name that the mount table does not have is the same drive.
ln -s "$whole" alias
expect_refused 3 "is mounted at $PWD/mnt" ./write.json ./alias --destroy ./alias
# What stands below the mounted loop device is in use as well.
expect_refused 3 "image: in use: " ./write.json ./image --destroy "$PWD/image"
loop_device 64M 512 "$PWD/image"
expect_refused 3 "in use: .* (is mounted at $PWD/mnt|is the base of the loop device $whole)" \
	./write.json "$DEVICE" --destroy "$DEVICE"
loop_detach "$DEVICE"
cmp image before || fail "the image of a mounted drive has changed"

expect_run 0 reads ./read.json "$whole" --assume-filled
expect_json reads/result.json 'doc["steps"][0]["drives"][0]["read"]["ios"] > 0'
expect_equal 'O_RDONLY|O_DIRECT' "$(json reads/result.json 'doc["drives"][0]["open_flags"]')"
cmp image before || fail "reading changed the image"

# --- mounted for others only ---
umount mnt
if unshare --mount true 2>/dev/null; then
	# shellcheck disable=SC2016
	unshare --mount --propagation private bash -c '
		mount -o ro,noload "$1" mnt && touch mounted && exec sleep 100' bash "$whole" &
	other=$!
	at_exit_try kill "$other"
	for _ in {1..100}; do [[ -e mounted ]] && break; sleep 0.1; done
	expect_refused 3 "is mounted at $PWD/mnt in the mount namespace of pid " \
		./write.json "$whole" --destroy "$whole"
	kill "$other"
	wait "$other" || :
	cmp image before || fail "the image of a drive that others have mounted has changed"
fi

# --- a drive with a mounted partition ---
loop_device 64M
addpart "$DEVICE" 1 2048 40960
at_exit_try delpart "$DEVICE" 1 # it would outlive the device
part=${DEVICE}p1
for _ in {1..50}; do [[ -b $part ]] && break; sleep 0.1; done
[[ -b $part ]] || skip "the partition of a loop device has no node"
mkfs.ext4 -q "$part"
mkdir part
mount -o ro,noload "$part" part
at_exit_try umount "$PWD/part"
cp "$BACKING_FILE" before
expect_refused 3 "^ssdbench: $DEVICE: in use: ${part#/dev/} is mounted at $PWD/part" \
	./write.json "$DEVICE" --destroy "$DEVICE"
expect_refused 3 "is mounted at $PWD/part" \
	./write.json "$part" --destroy "$part" --allow-partition
cmp "$BACKING_FILE" before || fail "the drive of a mounted partition has changed"
umount part

# --- a partition: no drive, unless that is said ---
expect_refused 3 "$part: .*partition.*--allow-partition" ./write.json "$part" --destroy "$part"
expect_run 0 partition ./write.json "$part" --destroy "$part" --allow-partition
expect_json partition/result.json 'doc["drives"][0]["is_partition"]'
expect_equal 'O_RDWR|O_EXCL|O_DIRECT' "$(json partition/result.json 'doc["drives"][0]["open_flags"]')"
expect_json partition/result.json 'doc["drives"][0]["partition_start_bytes"] == 2048 * 512'
expect_json partition/result.json 'doc["drives"][0]["capacity_bytes"] == 40960 * 512'
sync "$BACKING_FILE"
expect_equal 0 "$(cmp -n $((2048 * 512)) "$BACKING_FILE" before >/dev/null; echo $?)" \
	"comparison of what lies before the partition"
