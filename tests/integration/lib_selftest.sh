#!/bin/bash
# SPDX-License-Identifier: MIT
# The helpers of lib.sh: each expectation can fail, and nothing is left behind.
# shellcheck disable=SC2016 # what stands between single quotes is for the inner test
. "$(dirname "$0")/lib.sh"
lib=$SSDBENCH_SOURCE_DIR/tests/integration/lib.sh

# Run the lines on stdin as a test of their own; its status and output as with expect_status.
inner() { # STATUS
	{ echo ". '$lib'"; cat; } >inner.sh
	expect_status "$1" bash inner.sh
}

# --- expectations ---
inner 0 <<<'expect_status 3 sh -c "echo out; echo err >&2; exit 3"
	expect_line stdout "^out$"; expect_line stderr "^e.r$"; expect_no_line stdout err
	expect_equal 1 1; expect_within 1004 1000 0.5; expect_within -99 -100 1'
expect_empty stdout
expect_empty stderr
inner 1 <<<'expect_status 0 false'
expect_line stderr '^FAIL: inner.sh:2: status 1, not 0: false$'
inner 1 <<<'expect_equal 1 2 "number of rows"'
expect_line stderr "number of rows: is '2', should be '1'"
inner 1 <<<'expect_none "left over" "$(printf "a\nb\n")"'
expect_line stderr '^FAIL: inner.sh:2: left over: a b$'
inner 0 <<<'expect_none "left over" ""'
inner 1 <<<'expect_within 1006 1000 0.5'
inner 1 <<<'echo text >f; expect_empty f'
inner 1 <<<'echo text >f; expect_no_line f tex'
inner 1 <<<'echo text >f; expect_line f "^ext"'
inner 77 <<<'skip "no such thing"'
expect_line stderr '^SKIP: no such thing$'
inner 77 <<<'need_command no-such-command'
inner 77 <<<'value=$(skip "in a subshell")'
expect_line stderr '^SKIP: in a subshell$'

# --- JSON ---
need_python
echo '{"a": [1, 2.5, "x", null]}' >doc.json
expect_equal 2.5 "$(json doc.json 'doc["a"][1]')"
expect_equal x "$(json doc.json 'doc["a"][2]')"
expect_equal null "$(json doc.json 'doc["a"][3]')"
expect_json doc.json 'len(doc["a"]) == 4'
inner 1 <<<"expect_json '$PWD/doc.json' 'doc[\"a\"] == []'"
for bad in '{"a": NaN}' '{"a": 1, "a": 2}' '{} {}' '{"a": 1,}' ''; do
	printf %s "$bad" >bad.json
	inner 1 <<<"json '$PWD/bad.json' 1"
done
echo '{"type": "object", "required": ["b"]}' >schema.json
inner 1 <<<"validate '$PWD/schema.json' '$PWD/doc.json'"
expect_line stderr "'b' is a required property"
echo '{"b": 1}' >doc.json
validate schema.json doc.json

# --- what is left behind: nothing, however a test ends ---
leaves_nothing='echo "$TEST_DIR" >"$LEFT/dir"; : >file
	at_exit touch "$LEFT/last"
	at_exit touch "$LEFT/first;" "$LEFT/a b"'
wait_until_gone() {
	local dir _
	dir=$(cat "$LEFT/dir")
	for _ in {1..50}; do
		[[ -e $dir || -e $dir.cleanup || -e $dir.cleaning ]] || break
		sleep 0.1
	done
	expect_equal '' "$(ls -d "$dir"* 2>/dev/null)" "what is left of a test that ends by $1"
	[[ -e $LEFT/last && -e "$LEFT/first;" && -e "$LEFT/a b" ]] ||
		fail "not every command of at_exit ran after $1"
	[[ ! $LEFT/first\; -nt $LEFT/last ]] || fail "at_exit runs the first one registered first"
}
for ending in 'exit 0' 'false' 'kill -TERM $$; sleep 1' 'kill -KILL $$'; do
	export LEFT=$PWD/left
	mkdir left
	printf '%s\n' ". '$lib'" "$leaves_nothing" "$ending" >inner.sh
	bash inner.sh >/dev/null 2>&1 || :
	wait_until_gone "$ending"
	rm -r left
done

# --- devices ---
need_loop
loop_device 1M 4096
expect_equal 4096 "$(blockdev --getss "$DEVICE")"
expect_equal 1048576 "$(blockdev --getsize64 "$DEVICE")"
echo data | dd of="$DEVICE" bs=4096 count=1 conv=sync oflag=direct status=none
sync "$BACKING_FILE"
expect_equal data "$(head -c 4 "$BACKING_FILE")"

inner 0 <<<'loop_device 1M; echo "$DEVICE"'
! losetup --list --noheadings --output NAME | grep -qx "$(cat stdout)" ||
	fail "the loop device of an ended test is still there"
