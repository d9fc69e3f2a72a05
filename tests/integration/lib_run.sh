# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# lib_run.sh - what the tests of whole runs share: lib.sh, small profiles, runs that end well or are
# refused, patterns in files.
# shellcheck source=tests/integration/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
_deny=$SSDBENCH_SOURCE_DIR/tests/integration/deny_syscall.py
_peak=$SSDBENCH_SOURCE_DIR/tests/integration/peak_memory.py

# No run of a test leaves a result outside of the test's directory.
export HOME=$TEST_DIR XDG_STATE_HOME=$TEST_DIR/state
unset TMPDIR

# --- profiles -----------------------------------------------------------------------

# NAME.json, a profile of the phases PHASE, each a JSON object.
profile() { # NAME PHASE...
	local name=$1 phase phases=''
	shift
	for phase in "$@"; do phases+=${phases:+,}$phase; done
	printf '{"name": "%s", "title": "A test", "source": [{"mark": "ours", "text": "A test."}],
"phases": [%s]}\n' "$name" "$phases" >"$name.json"
}

# The phases that most tests need. A test adds members with "${WRITE/%\}/, \"runtime\": ...}".
# shellcheck disable=SC2034
{
	FILL='{"kind": "fill", "name": "fill", "bs": "128KiB", "iodepth": 4}'
	READ='{"kind": "measure", "name": "read", "rw": "randread", "bs": "4KiB", "iodepth": 4,
		"runtime": "200ms"}'
	WRITE='{"kind": "measure", "name": "write", "rw": "randwrite", "bs": "4KiB", "iodepth": 4,
		"runtime": "200ms"}'
}

# Register a command for the end that may have nothing left to do.
at_exit_try() { # COMMAND [ARGUMENT...]
	at_exit eval "$(printf '%q ' "$@") 2>/dev/null || :"
}

# --- runs ---------------------------------------------------------------------------

# ssdbench run, which ends with STATUS and leaves a valid result in DIRECTORY.
expect_run() { # STATUS DIRECTORY ARGUMENT...
	expect_status "$1" "$SSDBENCH" run --quiet --output "$2" "${@:3}"
	validate_result "$2/result.json"
}

# ssdbench run, which is refused: no word on stdout, no directory, and a line of stderr that
# matches PATTERN.
expect_refused() { # STATUS PATTERN ARGUMENT...
	rm -rf refused
	expect_status "$1" "$SSDBENCH" run --output refused "${@:3}"
	expect_empty stdout
	expect_line stderr "$2"
	[[ ! -e refused ]] || fail "a refused run left $(find refused)"
}

# Wait until a line of FILE matches PATTERN, while the process PID is there.
wait_for_line() { # FILE PATTERN PID
	local _
	for _ in {1..600}; do
		! grep -qsE -e "$2" "$1" || return 0
		kill -0 "$3" 2>/dev/null || break
		sleep 0.1
	done
	grep -qsE -e "$2" "$1" || fail "no line of $1 matches: $2"
}

# A background process ends with STATUS.
expect_end() { # STATUS PID [WHAT]
	local got=0
	wait "$2" 2>/dev/null || got=$?
	expect_equal "$1" "$got" "status of ${3-process $2}"
}

# Run COMMAND with the system call NUMBER failing with ERRNO (a number).
deny_syscall() { # NUMBER ERRNO COMMAND [ARGUMENT...]
	need_python
	"$PYTHON" "$_deny" "$@"
}

# Run COMMAND; FILE gets the most resident memory that it had, in bytes.
peak_memory() { # FILE COMMAND [ARGUMENT...]
	need_python
	"$PYTHON" "$_peak" "$@"
}

# --- patterns -----------------------------------------------------------------------

# A file of SIZE bytes, each of them 0xA5.
pattern_file() { # FILE SIZE
	head -c "$2" /dev/zero | tr '\0' '\245' >"$1"
}

# Bytes of FILE that lie in 512-byte sectors full of 0xA5. Random data has none.
pattern_bytes() { # FILE
	need_python
	"$PYTHON" - "$1" <<-'END'
		import sys
		sector, left = b"\xa5" * 512, 0
		with open(sys.argv[1], "rb") as file:
		    while block := file.read(512):
		        left += len(block) if block == sector[:len(block)] else 0
		print(left)
	END
}
