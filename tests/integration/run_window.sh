#!/bin/bash
# SPDX-License-Identifier: MIT
# First the ramp, then the counted window: of the length that was asked for, with nothing of the ramp in
# it, and a drain that is stated.
. "$(dirname "$0")/lib_run.sh"
need_loop
need_python

profile read "${READ/\"runtime\": \"200ms\"/\"runtime\": \"1s\", \"ramp\": \"3s\"}"
loop_device 64M
expect_run 0 read ./read.json "$DEVICE" --assume-filled
result=read/result.json
step='doc["steps"][0]'
drive="${step}['drives'][0]"
expect_equal 1000000000 "$(json $result "${step}['runtime_ns']")"
expect_equal 3000000000 "$(json $result "${step}['ramp_ns']")"
# A nanosecond is lost where ticks of the clock are converted.
expect_within "$(json $result "${step}['window']['ramp_ns']")" 3000000000 0.0001
expect_within "$(json $result "${step}['window']['counted_ns']")" 1000000000 0.0001
expect_json $result "${step}['window']['drain_ns'] >= 0"
expect_json $result "math.isclose(${drive}['read']['iops'],
	${drive}['read']['ios'] * 1e9 / ${step}['window']['counted_ns'], rel_tol=1e-6)"
expect_json $result "${drive}['read']['bytes'] == 4096 * ${drive}['read']['ios']"
# The whole step moved what the ramp and the drain did as well.
expect_json $result "${drive}['whole']['read_bytes'] > ${drive}['read']['bytes'] > 0"
expect_json $result "sum(b[1] for b in ${drive}['read']['latency_ns']['bins']) == ${drive}['read']['ios']"
# The series shows the ramp too. Its last second is the window, whose requests are those of the figures,
# but for what completes in the nanosecond between.
expect_equal '[0,1,2,3]' "$(json $result "[r[1] for r in ${step}['series']['rows']]" | tr -d ' ')"
expect_json $result "abs(${step}['series']['rows'][3][2] - ${drive}['read']['ios']) <= 4"
expect_json $result "${step}['series']['rows'][0][2] > 0"

# --runtime and --ramp change each timed step.
expect_run 0 changed ./read.json "$DEVICE" --assume-filled --runtime 200ms --ramp 0
expect_equal 200000000 "$(json changed/result.json "${step}['runtime_ns']")"
expect_json changed/result.json "${step}['ramp_ns'] == 0 and ${step}['window']['ramp_ns'] == 0"
expect_within "$(json changed/result.json "${step}['window']['counted_ns']")" 200000000 0.0001
