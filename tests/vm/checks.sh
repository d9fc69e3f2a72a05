# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# checks.sh - what the two self tests share: they go on after a failure, and count.
_passed=0 _failed=0

check() { # NAME COMMAND...: it must succeed
	local name=$1 start=$SECONDS output
	shift
	if output=$("$@" 2>&1); then
		_passed=$((_passed + 1))
		echo "ok   $name ($((SECONDS - start)) s)"
	else
		_failed=$((_failed + 1))
		echo "FAIL $name ($((SECONDS - start)) s)"
		tail -n 30 <<<"$output" | sed 's/^/     /'
	fi
}

# A figure that a machine busy with something else may spoil: the best of three counts.
check_measured() { # NAME COMMAND...
	check "$1" best_of_three "${@:2}"
}

best_of_three() {
	"$@" || "$@" || "$@"
}

end_checks() {
	echo "$_passed passed, $_failed failed"
	[[ $_failed = 0 ]]
}

# Field N of fio's terse output for a job of 4 KiB random reads: 8 is the IOPS, 24 and 30 are the
# 50th and the 99th percentile of the latency in microseconds.
fio_field() { # N FIO_OPTION...
	fio --name=x --direct=1 --bs=4k --rw=randread --size=256M --time_based \
		--output-format=terse --terse-version=3 "${@:2}" | cut -d ';' -f "$1" | sed 's/.*=//'
}

within() { # GOT WANT PERCENT
	awk -v got="$1" -v want="$2" -v percent="$3" 'BEGIN {
		print got, "for", want
		off = got > want ? got - want : want - got
		exit !(off <= want * percent / 100) }'
}

# These two, for a shell in a guest.
export_checks() { declare -f fio_field within; }
