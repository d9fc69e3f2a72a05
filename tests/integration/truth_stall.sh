#!/bin/bash
# SPDX-License-Identifier: MIT
# A device that stands still for 4 s: that is the longest latency, and the seconds of it are samples
# of 0 I/Os.
. "$(dirname "$0")/lib.sh"
. "$SSDBENCH_SOURCE_DIR/tests/integration/truth/truth.sh"

words=()
for tool in io_uring fio; do
	host_device "$tool" null=1,size=1T,iops=500
	words+=("$tool:iodepth=8,runtime=13s:$tool:$DEVICE")
done
truth stall "${words[@]}"
