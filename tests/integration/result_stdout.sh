#!/bin/bash
# SPDX-License-Identifier: MIT
# stdout is one JSON document from its first byte to its last, whatever there is to say on the way;
# numbers are never NaN, infinite or a sentinel, and the same in every locale.
TMPDIR=${TMPDIR:-/var/tmp}
export TMPDIR
. "$(dirname "$0")/lib_run.sh"
need_python

# --- a run with several warnings ---
expect_status 0 "$SSDBENCH" run quick scratch:32MiB --only random --only mix --only sizes \
	--runtime 50ms --ramp 0 --format json --output quick
expect_equal '{' "$(head -c 1 stdout)" "first byte of stdout"
expect_equal '}' "$(tail -c 2 stdout | head -c 1)" "last byte of stdout"
validate_result stdout
cmp stdout quick/result.json || fail "stdout is not the result"
expect_line stderr '^ssdbench: warning: .* cut to 32MiB$'
expect_line stderr '^ssdbench: warning: .* unwritten'
expect_line stderr '^result: quick/result.json$'
# All that was said is in the document, and the other way round.
expect_json stdout 'len(doc["warnings"]) >= 2'
json stdout '"\n".join(doc["warnings"])' | sort >in.document
sed -n 's/^ssdbench: warning: //p' stderr | sort >on.stderr
cmp in.document on.stderr || fail "the warnings of the document are not those of stderr"

# Rows so short that a busy disk may end no request in one: no gate asks for it.
short=(--runtime 200ms --ramp 0 --set 'gates=errors == 0')

# With --quiet, warnings alone.
expect_run 0 unread ci scratch:32MiB "${short[@]}" --format json
validate_result stdout
grep -v '^ssdbench: warning: ' stderr >others || :
expect_empty others
# The result on stdout by its other names.
for name in - /dev/stdout; do
	rm -rf dash
	expect_status 0 "$SSDBENCH" run ci scratch:32MiB "${short[@]}" --result $name \
		--output dash --quiet
	validate_result stdout
	[[ ! -e dash/result.json && ! -e ./- ]] || fail "--result $name also made a file"
done
# Appended to what a shell's redirection has in the file already.
{ echo before; "$SSDBENCH" run ci scratch:32MiB "${short[@]}" --result /dev/stdout \
	--output append --quiet; } >appended
expect_equal before "$(head -n 1 appended)"
tail -n +2 appended >rest
validate_result rest

# --- streams that are closed: nothing else gets their number and what is said on them ---
closed() { # STATUS DIRECTORY REDIRECTION
	eval "expect_status $1 bash -c '\"\$@\" $3' - \"$SSDBENCH\" run ci closed.img --create 32MiB \
		--only random --runtime 200ms --ramp 0 --set 'gates=errors == 0' --output $2"
	validate_result "$2/result.json"
	if grep -q 'phase 1 of' closed.img "$2"/*; then fail "words for people in a file ($3)"; fi
	rm closed.img
}
closed 0 no-stderr '2>&-'
closed 4 no-stdout '>&-'
expect_line stderr 'cannot write to standard output: Bad file descriptor'
closed 4 no-streams '<&- >&- 2>&-'

# --- directions, seconds and runs without I/O ---
profile one '{"kind": "fill", "name": "fill", "bs": "4KiB", "iodepth": 1}' "${READ/200ms/1ns}" \
	"${WRITE/200ms/1100ms}"
truncate -s 4K single
expect_run 0 one ./one.json single --destroy "$PWD/single"
result=one/result.json
# The fill is one I/O: its mean is that latency, a deviation it has not.
expect_equal 1 "$(json $result 'doc["steps"][0]["drives"][0]["write"]["ios"]')"
expect_json $result '(lambda l: l["min"] == l["max"] == l["mean"] and l["stddev"] is None and
	set(l["percentiles"].values()) == {l["min"]})(doc["steps"][0]["drives"][0]["write"]["latency_ns"])'
expect_json $result 'doc["steps"][0]["drives"][0]["read"] is None'
expect_json $result 'doc["steps"][2]["drives"][0]["read"] is None'
numbers='(lambda walk: walk(walk, doc))(lambda walk, v:
	sum((walk(walk, x) for x in (v.values() if isinstance(v, dict) else v)), [])
	if isinstance(v, (dict, list)) else
	[v] if isinstance(v, (int, float)) and not isinstance(v, bool) else [])'
for file in one/result.json quick/result.json; do
	expect_json $file "all(math.isfinite(x) and x >= -1e12 and x < 9.2e18 for x in $numbers)"
	expect_json $file 'all(r[4] is None and r[5] is None for s in doc["steps"] if s["series"]
		for r in s["series"]["rows"] if r[2] == 0)'
done

# --- bytes that are not UTF-8 ---
label=$(printf 'a\377b')
name=$(printf 'file\376')
truncate -s 1M "$name"
profile read "$READ"
expect_status 0 "$SSDBENCH" run ./read.json "$name" --assume-filled --label "$label" --quiet \
	--output bytes --format json
validate_result stdout
expect_json stdout 'doc["run"]["label"] == "a\ufffdb"'
expect_json stdout 'doc["drives"][0]["word"] == "file\ufffd"'
expect_json bytes/run.json 'True'
