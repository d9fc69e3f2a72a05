#!/bin/bash
# SPDX-License-Identifier: MIT
# instructions.sh - user instructions per I/O of the engine's loop, and the bounds they must keep.
#
# Each row is counted twice by callgrind, with few and with many I/Os: the slope between the two is
# what one more I/O costs, start and end left out. It repeats to an instruction on the busiest
# machine, where times do not; what the kernel does is not in it.
. "$(dirname "$0")/../integration/lib.sh"
ENGINE_STEP=${ENGINE_STEP:-$SSDBENCH_SOURCE_DIR/build/tests/bench/engine_step}

# The bound of each row, in instructions per I/O, then the options of engine_step.
# 4 KiB reads in random order; "file" is one in the page cache, which completes at once.
rows="
null-32             300  --iodepth 32 null
null-32-mix         300  --iodepth 32 --sizes 32 null
null-32-once        300  --iodepth 32 --once null
io_uring-32         300  --iodepth 32 --engine io_uring file
io_uring-32-mix     300  --iodepth 32 --engine io_uring --sizes 32 file
io_uring-32-once    300  --iodepth 32 --engine io_uring --once file
io_uring-1          300  --iodepth 1 --engine io_uring file
libaio-32           300  --iodepth 32 --engine libaio file
sync-1              300  --iodepth 1 --engine sync file
"

need_command valgrind
[[ -x $ENGINE_STEP ]] || skip "needs $ENGINE_STEP, which the build makes"

# "IOS INSTRUCTIONS" of one run.
count() { # OPTION...
	valgrind --tool=callgrind --callgrind-out-file=callgrind.out "$ENGINE_STEP" --buffered \
		"$@" >ios 2>log || { cat log >&2; return 1; }
	echo "$(cut -d ' ' -f 1 ios) $(awk '/ Collected : / { print $4 }' log)"
}

head -c 64M /dev/zero >file
printf '%-18s %12s %6s\n' row instructions bound
above=''
while read -r name bound options; do
	[[ -n $name ]] || continue
	read -ra words <<<"$options"
	if [[ $name = io_uring* ]] && ! (need_uring) 2>/dev/null; then
		echo "SKIP: $name: needs io_uring, which is refused here"
		continue
	fi
	few=$(count --size 16M "${words[@]}") || fail "$name: engine_step failed"
	many=$(count --size 64M "${words[@]}") || fail "$name: engine_step failed"
	slope=$(awk '{ printf "%.1f", ($4 - $2) / ($3 - $1) }' <<<"$few $many")
	printf '%-18s %12s %6s\n' "$name" "$slope" "$bound"
	awk -v got="$slope" -v bound="$bound" 'BEGIN { exit !(got <= bound) }' || above+=" $name"
done <<<"$rows"
[[ -z $above ]] || fail "above the bound:$above"
