# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Sourced by the truth tests after lib.sh.
need_root
need_python
need_command fio chrt
need_uring

# Ahead of all else on a busy machine, with all that is started from here, the devices too: what is
# tested is whether figures are true, and not what a load does to them.
chrt --rr --pid 5 $$ 2>/dev/null || echo "No real-time priority here: expect disturbances."

truth() { # SCENARIO WORD...: see truth.py
	local truth=$SSDBENCH_SOURCE_DIR/tests/integration/truth/truth.py result
	HOSTDEV_DIR=$TEST_DIR/hostdev "$PYTHON" "$truth" "$@" || return
	for result in *.run/result.json; do
		validate_result "$result"
	done
}
