#!/bin/bash
# SPDX-License-Identifier: MIT
# Several drives in one run: a row for each, and a total that says of which drives it is. All figures of a
# row have one scope.
. "$(dirname "$0")/lib_run.sh"
need_loop
need_python

loop_device 32M
one=$DEVICE
loop_device 48M 4096
two=$DEVICE
profile both "$FILL" "$READ" "${WRITE/4KiB/512}"
expect_run 0 both ./both.json "$one" "$two" --destroy "$one" --destroy "$two"
result=both/result.json
expect_equal "[\"${one#/dev/}\",\"${two#/dev/}\"]" \
	"$(json $result '[d["name"] for d in doc["drives"]]' | tr -d ' ')"

# Each drive was filled, its own size.
expect_equal '[33554432,50331648]' \
	"$(json $result '[d["whole"]["written_bytes"] for d in doc["steps"][0]["drives"]]' | tr -d ' ')"
expect_equal '[[0,33554432],[0,50331648]]' "$(json $result '[[d["offset_bytes"], d["span_bytes"]]
	for d in doc["steps"][0]["drives"]]' | tr -d ' ')"

# The total is the sum of the drives that it names.
for step in 0 1; do
	expect_equal '[0,1]' \
		"$(json $result "[d['drive'] for d in doc['steps'][$step]['drives']]" | tr -d ' ')"
	expect_equal '[0,1]' "$(json $result "doc['steps'][$step]['total']['drives']" | tr -d ' ')"
done
for key in ios bytes; do
	expect_json $result "doc['steps'][1]['total']['read']['$key'] ==
		sum(d['read']['$key'] for d in doc['steps'][1]['drives'])"
done
for key in iops bandwidth_bytes_per_s; do
	expect_json $result "math.isclose(doc['steps'][1]['total']['read']['$key'],
		sum(d['read']['$key'] for d in doc['steps'][1]['drives']), rel_tol=1e-6)"
done
expect_json $result 'math.isclose(doc["steps"][1]["total"]["read"]["latency_ns"]["mean"],
	sum(d["read"]["latency_ns"]["mean"] * d["read"]["ios"] for d in doc["steps"][1]["drives"]) /
	doc["steps"][1]["total"]["read"]["ios"], rel_tol=1e-3)'
expect_json $result 'doc["steps"][1]["total"]["read"]["latency_ns"]["max"] ==
	max(d["read"]["latency_ns"]["max"] for d in doc["steps"][1]["drives"])'

# A drive that cannot do a row has no figures in it and is not part of its total.
expect_equal '["ok","skipped"]' \
	"$(json $result '[d["status"] for d in doc["steps"][2]["drives"]]' | tr -d ' ')"
expect_equal 'bs 512 < LBA 4096' "$(json $result 'doc["steps"][2]["drives"][1]["reason"]')"
expect_json $result 'doc["steps"][2]["drives"][1]["write"] is None'
expect_equal '[0]' "$(json $result 'doc["steps"][2]["total"]["drives"]' | tr -d ' ')"
expect_json $result 'doc["steps"][2]["total"]["write"]["ios"] ==
	doc["steps"][2]["drives"][0]["write"]["ios"]'

# The table names the drives too.
expect_line stdout "^read .* ${one#/dev/} "
expect_line stdout "^read .* ${two#/dev/} "
expect_line stdout '^read .* all '
