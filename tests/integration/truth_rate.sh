#!/bin/bash
# SPDX-License-Identifier: MIT
# Devices of 500 and 2,000 IOPS: the IOPS of ssdbench and fio are those within 0.5 %, and IOPS times
# mean latency is the depth. All engines say the same.
. "$(dirname "$0")/lib.sh"
. "$SSDBENCH_SOURCE_DIR/tests/integration/truth/truth.sh"

words=()
for word in 500:io_uring 500:libaio 500:sync 500:fio 2000:io_uring 2000:fio; do
	IFS=: read -r rate tool <<<"$word"
	host_device "$tool-$rate" "null=1,size=1T,iops=$rate"
	words+=("$rate::$tool:$DEVICE")
done
truth rate "${words[@]}"
