#!/bin/bash
# SPDX-License-Identifier: MIT
# Whole runs on NVMe drives of 512 and 4096-byte blocks, by each engine: the drive is told by its
# serial number, the fill writes all of it, and the bytes of the result are those that the kernel counted.
. "$(dirname "$0")/../integration/lib_run.sh"
need_vm
need_python

profile nvme "$FILL" "$WRITE" "$READ"
# shellcheck disable=SC2016 # the guest expands it
echo 'set -e
ssdbench=$1
for sys in /sys/block/nvme*n1; do
	serial=$(xargs <"$sys/device/serial")
	for engine in io_uring libaio sync; do
		run=$serial-$engine
		before=$(cat "$sys/stat")
		echo "$ssdbench run ./nvme.json /dev/${sys##*/} by $engine" >&2
		"$ssdbench" run ./nvme.json "/dev/${sys##*/}" --destroy "$serial" --engine "$engine" \
			--quiet --output "$run" >/dev/null
		# Sectors read, then written: before and after.
		echo "$before $(cat "$sys/stat")" | awk "{ print 512 * (\$20 - \$3), 512 * (\$24 - \$7) }" \
			>"/mnt/run/$run.bytes"
		cp "$run/result.json" "/mnt/run/$run.json"
	done
done' >guest.sh

# QEMU's controller forgets a command now and then, which the guest's driver says in its log: only
# then is the run made again.
mkdir exchange
try_run() {
	"$VM" -s "$TEST_DIR/exchange" -n size=64M,serial=BLOCKS512 \
		-n size=64M,lbs=4096,serial=BLOCKS4096 bash guest.sh "$SSDBENCH" >log 2>&1
}
for attempt in 1 2 3; do
	! try_run || break
	cat log
	if [[ $attempt = 3 ]] || ! grep -qE 'nvme.* timeout, (aborting|reset)' log; then
		fail "the runs in the VM did not end well"
	fi
done

for lbs in 512 4096; do
	for engine in io_uring libaio sync; do
		result=exchange/BLOCKS$lbs-$engine.json
		validate_result "$result"
		expect_json "$result" "doc['status'] == 'ok' and len(doc['steps']) == 3"
		expect_json "$result" "all(s['status'] == 'ok' and s['engine']['used'] == '$engine'
			for s in doc['steps'])"
		expect_json "$result" "doc['drives'][0]['serial'] == 'BLOCKS$lbs' and
			doc['drives'][0]['model'] == 'QEMU NVMe Ctrl' and doc['drives'][0]['nsid'] == 1 and
			doc['drives'][0]['logical_block_bytes'] == $lbs and
			doc['drives'][0]['capacity_bytes'] == 64 << 20"
		expect_json "$result" "doc['steps'][0]['total']['write']['bytes'] == 64 << 20"
		read -r by_device_read by_device_written <"${result%.json}.bytes"
		written=$(json "$result" "doc['totals'][0]['written_bytes']")
		expect_equal "$by_device_written" "$written" "bytes written, $result"
		# Looking for a file system or partitions on it reads a little more.
		read=$(json "$result" "doc['totals'][0]['read_bytes']")
		((by_device_read - read >= 0 && by_device_read - read <= 4 << 20)) ||
			fail "$result: $read bytes read, by the device $by_device_read"
		echo "$result: $written bytes written, $read of $by_device_read read"
	done
done
