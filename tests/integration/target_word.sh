#!/bin/bash
# SPDX-License-Identifier: MIT
# Words that name no target are refused, each with its own reason, and nothing is made of them.
. "$(dirname "$0")/lib_run.sh"

profile write "$FILL"
profile read "$READ"
nodes() {
	# Other tests and udev make loop devices and their links meanwhile.
	find /dev -xdev ! -path '/dev/loop*' ! -path '/dev/disk/*' ! -path '/dev/block/*' \
		! -path '/dev/pts*' ! -path '/dev/shm*' ! -path '/dev/mqueue*' | sort
}
nodes >before

expect_refused 2 "empty" ./write.json ''
expect_refused 3 "^ssdbench: /dev/: .*directory" ./write.json /dev/ --destroy /dev/
expect_refused 3 "^ssdbench: /dev/nvme9n9: no such device" ./write.json /dev/nvme9n9
expect_refused 3 "^ssdbench: '/dev/null ': no such device.* blank" ./write.json '/dev/null '
expect_refused 3 "^ssdbench: /dev/null: a character device, not a block device" \
	./write.json /dev/null --destroy /dev/null
mkdir directory
expect_refused 3 "^ssdbench: directory: .*directory" ./write.json directory
expect_refused 3 "^ssdbench: absent: no such" ./write.json absent
expect_refused 2 "^ssdbench: scratch:1x" ./write.json scratch:1x
# --create makes files, but none where devices are.
expect_refused 3 "^ssdbench: /dev/nvme9n9: .*no file is ever created inside /dev" \
	./write.json /dev/nvme9n9 --create 16MiB
# Reading is refused in the same way.
expect_refused 3 "^ssdbench: /dev/nvme9n9: no such device" ./read.json /dev/nvme9n9
nodes >after
cmp before after || fail "the list of /dev has changed"

# --- a regular file in /dev is what a misspelt name left ---
if [[ $(id -u) = 0 ]]; then
	file=/dev/ssdbench-test-$$
	at_exit rm -f "$file"
	truncate -s 16M "$file"
	expect_refused 3 "^ssdbench: $file: not a block device but a regular file" \
		./write.json "$file" --destroy "$file"
	expect_equal 0 "$(stat -c %b "$file")" "blocks of the file in /dev"
	rm "$file"
fi

# --- a name may hold anything, and still makes one line and moves no cursor ---
odd=$'two\nlines\e[31m'
expect_refused 3 '^ssdbench: two.lines.\[31m: no such device' ./write.json "$odd"
expect_equal 1 "$(wc -l <stderr)" "lines of a refusal"
truncate -s 1M "$odd"
expect_status 0 "$SSDBENCH" run ./write.json "$odd" --destroy "$PWD/$odd" --quiet --output odd
expect_line stdout '^two.lines.\[31m: '
validate_result odd/result.json
expect_json odd/result.json 'doc["drives"][0]["word"] == "two\nlines\x1b[31m"'

# --- a colon is part of a name ---
need_loop
loop_device 16M
ln -s "$DEVICE" pci-0000:01:00.0-nvme-1
expect_run 0 colon ./write.json ./pci-0000:01:00.0-nvme-1 --destroy ./pci-0000:01:00.0-nvme-1
expect_json colon/result.json 'len(doc["drives"]) == 1'
expect_equal ./pci-0000:01:00.0-nvme-1 "$(json colon/result.json 'doc["drives"][0]["word"]')"
expect_equal "$DEVICE" "$(json colon/result.json 'doc["drives"][0]["path"]')"
expect_equal 16777216 "$(json colon/result.json 'doc["totals"][0]["written_bytes"]')"
[[ -L pci-0000:01:00.0-nvme-1 ]] || fail "the link has become something else"
expect_equal pci-0000:01:00.0-nvme-1 "$(echo pci-*)" "files that begin with pci-"

# --- one drive by two names is one drive ---
expect_refused 2 "same drive" ./write.json "$DEVICE" ./pci-0000:01:00.0-nvme-1 \
	--destroy "$DEVICE"
