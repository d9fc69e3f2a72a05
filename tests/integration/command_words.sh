#!/bin/bash
# SPDX-License-Identifier: MIT
# A value that makes no sense is one line and status 2 before anything is done, never a silent default.
. "$(dirname "$0")/lib_run.sh"
need_python

mistake() { # PATTERN ARGUMENT...
	expect_status 2 "$SSDBENCH" "${@:2}"
	expect_empty stdout
	expect_line stderr "^ssdbench: $1"
	expect_equal 1 "$(wc -l <stderr)" "lines of ${*:2}"
}

# --- values of options ---
mistake '--capacity: must be above 0$' plan cdn --capacity 0
for lba in 1 256 513 1MiB; do
	mistake '--lba: [0-9]* is not the size of a logical block' plan cdn --capacity 1TB --lba $lba
done
mistake '--lba: must be above 0$' plan cdn --capacity 1TB --lba 0
mistake '--indirection-unit: 5000 is no multiple' plan cdn --capacity 1TB --indirection-unit 5000
mistake '--lba and --indirection-unit describe .* need --capacity$' plan cdn null:1TB --lba 4096
mistake '--memory: must be above 0$' run quick null:1GiB --memory 0
mistake '--seed: .* is above 18446744073709551615$' run quick null:1GiB --seed 18446744073709551616
for option in output result profiles; do
	mistake "--$option: the name is empty" run quick null:1GiB --$option ''
done

# --- a directory of profiles that is not there is not one without profiles ---
for words in 'list' 'show ci' 'plan ci --capacity 1TB' 'run ci null:1GiB'; do
	# shellcheck disable=SC2086 # two words and more
	mistake 'absent: cannot read the directory of profiles: No such file' $words --profiles absent
done

# --- the null engine would measure nothing of a real target: said once, not at each step ---
expect_status 2 "$SSDBENCH" run quick scratch:16MiB --engine null --quiet --output none
expect_line stderr '^ssdbench: scratch: the engine null is for null targets only'
[[ ! -e none ]] || fail "a refused run left $(find none)"

# --- --format json is JSON wherever there is something to format ---
expect_status 0 "$SSDBENCH" show cdn --parameters --format json
expect_json stdout 'len(doc["parameters"]) > 5'
expect_json stdout 'all(set(p) == {"name", "about", "value"} for p in doc["parameters"])'
