#!/bin/bash
# SPDX-License-Identifier: MIT
# A device whose rate changes in mid-run: each whole second's sample is the rate in force within 3 %.
. "$(dirname "$0")/lib.sh"
. "$SSDBENCH_SOURCE_DIR/tests/integration/truth/truth.sh"

words=()
for tool in io_uring fio; do
	host_device "$tool" null=1,size=1T,iops=500
	words+=("$tool:iodepth=8,runtime=13s:$tool:$DEVICE")
done
truth change "${words[@]}"
