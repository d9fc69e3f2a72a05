#!/bin/bash
# SPDX-License-Identifier: MIT
# quick.sh - the bench works: two short rounds with each device, engine and program. What it prints on
# a busy machine means little, so no bound is checked.
. "$(dirname "$0")/../integration/lib.sh"

need_root
need_python
need_uring
need_command fio losetup
bench=$SSDBENCH_SOURCE_DIR/tests/bench
export PYTHONDONTWRITEBYTECODE=1 TMPDIR=$TEST_DIR

rows=(null-32-mix page-cache-32 zram-32 tmpfs-32 loop-32 page-cache-1 zram-1)
expect_status 0 "$PYTHON" "$bench/cpu.py" --quick --json figures.json "${rows[@]}"
cat stdout
expect_json figures.json 'all(len(c["cpu_ns_per_io"]) == 2 and min(c["cpu_ns_per_io"]) > 0
	for row in doc for c in row["contenders"])'
expect_json figures.json '{"null-32-mix", "page-cache-32", "page-cache-1"} <= {row["row"] for row in doc}'

expect_status 0 "$PYTHON" "$bench/footprint.py" --quick
cat stdout
expect_status 1 "$PYTHON" "$bench/cpu.py" nonsense
expect_line stderr 'no row is called nonsense'
