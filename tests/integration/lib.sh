# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# lib.sh - what the integration tests share. A test begins with
#
#	. "$(dirname "$0")/lib.sh"
#
# and then runs "$SSDBENCH" in $TEST_DIR, its own empty directory and the current one. Each failed
# expectation ends the test with a message that names the line. Devices and files go away at the
# end, however the test ends: see at_exit.
set -euo pipefail
export LC_ALL=C.UTF-8 PATH=$PATH:/usr/sbin:/sbin
unset NO_COLOR

SSDBENCH_SOURCE_DIR=${SSDBENCH_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
SSDBENCH=${SSDBENCH:-$SSDBENCH_SOURCE_DIR/build/ssdbench}
SSDBENCH_VM_DIR=${SSDBENCH_VM_DIR:-$SSDBENCH_SOURCE_DIR/build/vm}
export SSDBENCH SSDBENCH_SOURCE_DIR SSDBENCH_VM_DIR
# shellcheck disable=SC2034 # for the tests
VM=$SSDBENCH_SOURCE_DIR/tests/vm/run-vm.sh
_tool=$SSDBENCH_SOURCE_DIR/tests/integration/lib_tool.py

# --- the end of a test --------------------------------------------------------------

skip() { # REASON
	echo "SKIP: $*" >&2 # where a $(...) does not swallow it
	exit 77
}

# The line of the test itself, not that of the helper here or in lib_run.sh which found the fault.
fail() { # MESSAGE
	local i=1
	while [[ ${BASH_SOURCE[i]-} = */lib.sh || ${BASH_SOURCE[i]-} = */lib_run.sh ]]; do
		i=$((i + 1))
	done
	echo "FAIL: ${0##*/}:${BASH_LINENO[i - 1]}: $*" >&2
	exit 1
}

# Register a command for the end; the last one registered runs first.
at_exit() { # COMMAND [ARGUMENT...]
	printf '%q ' "$@" >>"$TEST_DIR.cleanup"
	echo >>"$TEST_DIR.cleanup"
}

TEST_DIR=$(mktemp -d "${TMPDIR:-/tmp}/ssdbench-test.XXXXXX")
: >"$TEST_DIR.cleanup"
cd "$TEST_DIR"

_cleanup=$SSDBENCH_SOURCE_DIR/tests/integration/lib_cleanup.sh
trap 'bash "$_cleanup" "$TEST_DIR"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A test that CTest kills at its time limit runs no trap, and all its children are killed with it.
# This process is no child (its parent ends at once): it waits for the end of the test and cleans up
# what is left then.
(setsid bash "$_cleanup" "$TEST_DIR" $$ </dev/null >/dev/null 2>&1 &)

# --- what a test needs --------------------------------------------------------------

need_root() {
	[[ $(id -u) = 0 ]] || skip "needs root"
}

need_command() { # NAME...
	local name
	for name in "$@"; do
		command -v "$name" >/dev/null || skip "needs the command $name (scripts/setup test)"
	done
}

need_loop() {
	need_root
	need_command losetup
	truncate -s 1M "$TEST_DIR/probe"
	_attach "$TEST_DIR/probe" || skip "needs loop devices: $DEVICE"
	losetup --detach "$DEVICE"
	rm "$TEST_DIR/probe"
}

need_uring() {
	need_python
	local answer
	answer=$("$PYTHON" "$_tool" uring)
	[[ $answer = ok ]] || skip "needs io_uring, which is refused here: $answer"
}

# A test under tests/vm runs "$VM" [OPTION...] COMMAND..., which is tests/vm/run-vm.sh.
need_vm() {
	need_command qemu-system-x86_64
	[[ -s $SSDBENCH_VM_DIR/initramfs.cpio ]] ||
		skip "needs the VM's kernel, which the test vm.image makes"
}

# Another Python without jsonschema may stand before the system's in PATH.
PYTHON=''
for _candidate in /usr/bin/python3 python3; do
	if "$_candidate" -c 'import importlib.util as u, sys
sys.exit(u.find_spec("jsonschema") is None)' 2>/dev/null; then
		PYTHON=$_candidate
		break
	fi
done

need_python() {
	[[ -n $PYTHON ]] || skip "needs python3 with jsonschema (scripts/setup test)"
}

# A locale with a decimal comma, for "LC_ALL=de_DE.UTF-8 command"; CTest's $LOCPATH names it.
need_german() {
	[[ -d ${LOCPATH-}/de_DE.UTF-8 ]] || skip "needs localedef and de_DE (the package locales)"
}

# --- devices ------------------------------------------------------------------------
# Each leaves the path of its device in $DEVICE.

# Attach FILE to a loop device. $DEVICE is its path; when that fails, losetup's message.
_attach() { # FILE [LOSETUP OPTION...]
	local _
	# Another process may take the free device that losetup found: try again.
	for _ in {1..20}; do
		if DEVICE=$(losetup --find --show "${@:2}" "$1" 2>&1); then
			DEVICE=${DEVICE##*$'\n'} # what stands before it is a warning
			return 0
		fi
		sleep 0.1
	done
	return 1
}

# FILE, or a sparse file that goes away, becomes a disk of SIZE; $BACKING_FILE is its path.
loop_device() { # SIZE [SECTOR_SIZE [FILE]]
	BACKING_FILE=${3-}
	[[ -n $BACKING_FILE ]] || BACKING_FILE=$(mktemp "$TEST_DIR/loop.XXXXXX")
	truncate -s "$1" "$BACKING_FILE"
	_attach "$BACKING_FILE" --sector-size "${2:-512}" ||
		fail "no loop device of $1 with sectors of ${2:-512} bytes: $DEVICE"
	# By its file: the test may have detached it, and another one may have the number now.
	# shellcheck disable=SC2016
	at_exit bash -c 'losetup --noheadings --output NAME --associated "$1" |
		xargs --no-run-if-empty losetup --detach' cleanup "$BACKING_FILE"
}

# Detach a loop device and wait until it is gone: whoever has it open just now, such as a test that
# looks at all drives, keeps it for a moment.
loop_detach() { # DEVICE
	local file _
	file=$(losetup --noheadings --output BACK-FILE "$1")
	losetup --detach "$1"
	for _ in {1..100}; do
		losetup --noheadings --output NAME --associated "$file" | grep -qx "$1" || return 0
		sleep 0.1
	done
	fail "$1 is still attached to $file"
}

# A device of known speed, latency or fault in $DEVICE; SPEC is that of tests/vm/storage.sh, such
# as "null=1,size=1T,iops=500". "hostdev limits NAME iops=200" changes one later.
host_device() { # NAME SPEC
	need_loop
	need_command qemu-storage-daemon
	[[ -c /dev/fuse ]] || skip "needs /dev/fuse"
	at_exit env HOSTDEV_DIR="$TEST_DIR/hostdev" "$SSDBENCH_SOURCE_DIR/tests/vm/hostdev.sh" stop "$1"
	DEVICE=$(hostdev start "$1" "$2") || fail "cannot start the device $1, $2"
}

hostdev() { # COMMAND NAME [ARGUMENT...]
	HOSTDEV_DIR=$TEST_DIR/hostdev "$SSDBENCH_SOURCE_DIR/tests/vm/hostdev.sh" "$@"
}

# --- expectations -------------------------------------------------------------------

# Run a command; its output is left in the files stdout and stderr.
expect_status() { # STATUS COMMAND [ARGUMENT...]
	local want=$1 got=0
	shift
	"$@" >stdout 2>stderr || got=$?
	[[ $got = "$want" ]] || {
		tail -n 40 stdout stderr >&2
		fail "status $got, not $want: $*"
	}
}

expect_equal() { # WANT GOT [WHAT]
	[[ $1 = "$2" ]] || fail "${3:-value}: is '$2', should be '$1'"
}

expect_line() { # FILE PATTERN: a line of FILE matches the extended regular expression
	grep -qE -e "$2" "$1" || {
		cat "$1" >&2
		fail "no line of $1 matches: $2"
	}
}

expect_no_line() { # FILE PATTERN
	! grep -E -e "$2" "$1" >&2 || fail "the line above of $1 matches: $2"
}

expect_empty() { # FILE
	[[ ! -s $1 ]] || {
		cat "$1" >&2
		fail "$1 is not empty"
	}
}

expect_none() { # WHAT LINES: there are none, as of what two lists do not share
	[[ -z $2 ]] || fail "$1: $(paste -sd ' ' <<<"$2")"
}

expect_within() { # GOT WANT PERCENT [WHAT]
	awk -v got="$1" -v want="$2" -v percent="$3" 'BEGIN {
		off = got > want ? got - want : want - got
		exit !(off <= (want < 0 ? -want : want) * percent / 100) }' ||
		fail "${4:-value}: is $1, should be $2 within $3 %"
}

# --- JSON ---------------------------------------------------------------------------

# Print the value of a Python expression over the document, which is called "doc": text plain,
# all else as JSON. The document is parsed strictly: no NaN, no key twice, nothing after it.
json() { # FILE EXPRESSION
	need_python
	"$PYTHON" "$_tool" value "$1" "$2" || fail "$1: cannot tell $2"
}

expect_json() { # FILE EXPRESSION: it is true
	local value
	value=$(json "$1" "$2") || exit
	[[ $value = true ]] || fail "$1: is $value, should be true: $2"
}

validate() { # SCHEMA FILE
	need_python
	"$PYTHON" "$_tool" validate "$1" "$2" || fail "$2 is not valid by $1"
}

validate_result() { # FILE
	validate "$SSDBENCH_SOURCE_DIR/docs/schema/result.schema.json" "$1"
}

validate_profile() { # FILE
	validate "$SSDBENCH_SOURCE_DIR/docs/schema/profile.schema.json" "$1"
}
