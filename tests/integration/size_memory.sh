#!/bin/bash
# SPDX-License-Identifier: MIT
# Requests of 1 GiB, 40 of them at once, run in a bounded memory, which the result states. A bound that
# the machine does not have is refused with both numbers.
TMPDIR=${TMPDIR:-/var/tmp} # a disk, where /tmp may be memory
export TMPDIR
. "$(dirname "$0")/lib_run.sh"
need_python

truncate -s 8G file
expect_status 0 peak_memory memory "$SSDBENCH" run --quiet --output objects object-storage file \
	--destroy "$PWD/file" --assume-filled --only read --runtime 1s
result=objects/result.json
validate_result $result
expect_equal '[[1,40],[1,40],[4,10],[4,10]]' \
	"$(json $result '[[s["numjobs"], s["iodepth"]] for s in doc["steps"]]' | tr -d ' ')"
expect_json $result 'all(s["status"] == "ok" for s in doc["steps"])'
expect_json $result 'doc["totals"][0]["errors"] == 0'
# Requests of 1 GiB were among those that ran, as whole ones.
expect_json $result 'sum(d["reads"] for s in doc["steps"] for d in s["drives"][0]["whole"]["drawn"]
	if d["bytes"] == 1 << 30) > 0'
expect_json $result 'all(0 < s["engine"]["buffer_bytes"] <= 512 << 20 for s in doc["steps"])'
expect_json $result 'all(s["engine"]["shared_buffers"] for s in doc["steps"])'
echo "resident: $(cat memory) bytes"
(($(cat memory) < 1024 * 1024 * 1024)) || fail "more than 1 GiB was resident: $(cat memory)"

# --memory is the bound of the buffers.
expect_run 0 bounded object-storage file --destroy "$PWD/file" --assume-filled --only read \
	--runtime 100ms --memory 64MiB
expect_json bounded/result.json 'all(0 < s["engine"]["buffer_bytes"] <= 64 << 20
	for s in doc["steps"])'

# A bound above what there is: refused, with what is needed and what there is.
expect_refused 4 'of memory are needed, .* (are available|leaves)' object-storage file \
	--destroy "$PWD/file" --assume-filled --only read --runtime 100ms --memory 100TB
