#!/bin/bash
# SPDX-License-Identifier: MIT
# A locale with a decimal comma changes nothing in files, on stdout or on stderr.
TMPDIR=${TMPDIR:-/var/tmp}
export TMPDIR
. "$(dirname "$0")/lib_run.sh"
need_german

run_in() { # LOCALE
	LC_ALL=$1 "$SSDBENCH" show quick >"show.$1"
	LC_ALL=$1 "$SSDBENCH" plan --capacity 245.76TB cdn --format json >"plan.$1"
	LC_ALL=$1 "$SSDBENCH" plan --capacity 245.76TB cdn >"table.$1"
	LC_ALL=$1 "$SSDBENCH" run ci scratch:32MiB --runtime 200ms --ramp 0 \
		--set 'gates=errors == 0' --output "run.$1" \
		--set 'gates=errors == 0,latency_p99 < 99.5s' >"out.$1" 2>"err.$1"
	validate_result "run.$1/result.json"
}
run_in C.UTF-8
run_in de_DE.UTF-8
for what in show plan table; do
	cmp $what.C.UTF-8 $what.de_DE.UTF-8 || fail "the locale changes $what"
done
expect_no_line out.de_DE.UTF-8 '[0-9],[0-9]'
expect_no_line err.de_DE.UTF-8 '[0-9],[0-9]'
expect_json run.de_DE.UTF-8/run.json 'True'
while IFS= read -r line; do
	printf '%s' "$line" >line.json
	expect_json line.json 'isinstance(doc["event"], str)'
done <run.de_DE.UTF-8/journal.jsonl
