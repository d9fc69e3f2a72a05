#!/bin/bash
# SPDX-License-Identifier: MIT
# A device on which each request takes 20 ms, however many there are: p50 and p99 of all engines are
# fio's within 2 %, and the truth. It is the file below a host device: the loop driver would hand each
# request to a kernel thread, which a busy machine lets wait for milliseconds.
. "$(dirname "$0")/lib.sh"
. "$SSDBENCH_SOURCE_DIR/tests/integration/truth/truth.sh"

words=()
for tool in io_uring libaio sync fio; do
	host_device "$tool" null=1,size=1T,latency=20000000
	words+=("20000000::$tool:$TEST_DIR/hostdev/$tool/disk")
done
truth delay "${words[@]}"
