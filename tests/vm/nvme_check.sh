#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# "ssdbench check" of a real NVMe controller: what sysfs and the drive tell is judged, as root, as nobody and
# without CAP_SYS_ADMIN; a setting that is wrong is found, and mended by the cure that is told.
. "$(dirname "$0")/../integration/lib_run.sh"
need_vm
need_python
schema=$SSDBENCH_SOURCE_DIR/docs/schema/check.schema.json

mkdir exchange
# shellcheck disable=SC2016 # the guest expands it
echo 'set -e
ssdbench=$1
check() { # NAME COMMAND [ARGUMENT...]
	local name=$1
	shift
	"$@" check --format json serial:TESTSN01 >"/mnt/run/$name.json"
}
# With one CPU a drive has one queue, for which the kernel takes a scheduler.
for scheduler in /sys/block/nvme*/queue/scheduler; do echo none >"$scheduler"; done
check root "$ssdbench"
check nobody setpriv --reuid=65534 --regid=65534 --clear-groups "$ssdbench"
check no_admin setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$ssdbench"
drive=$("$ssdbench" drives --format json | grep -oE "\"/dev/nvme[0-9]+n[0-9]+\"" | head -1 | tr -d \")
echo "${drive#/dev/}" >/mnt/run/name
echo mq-deadline >"/sys/block/${drive#/dev/}/queue/scheduler"
check scheduled "$ssdbench"
"$ssdbench" check "$drive" | grep -E "^    echo none > /sys/block/nvme" >/mnt/run/cure
bash /mnt/run/cure
check mended "$ssdbench"
code=0
"$ssdbench" check --strict --iopoll "$drive" >/dev/null || code=$?
echo $code >/mnt/run/strict
' >guest.sh
expect_status 0 "$VM" -t 400 -s "$TEST_DIR/exchange" -n size=64M,serial=TESTSN01 \
	bash guest.sh "$SSDBENCH"

# The findings of that code: the level, what was found, or the words.
finding() { # NAME CODE MEMBER
	json "exchange/$1.json" "[f['$3'] for f in doc['findings'] if f['code'] == '$2']"
}

for name in root nobody no_admin scheduled mended; do
	validate "$schema" "exchange/$name.json"
	expect_json "exchange/$name.json" 'doc["drives"][0]["serial"] == "TESTSN01"'
	expect_json "exchange/$name.json" 'doc["drives"][0]["model"] == "QEMU NVMe Ctrl"'
done
# QEMU's drive has 323 K and warns at 343 K; its link is that of a virtual machine.
expect_equal '["50 C"]' "$(finding root temperature found)"
expect_equal '["below 65 C"]' "$(finding root temperature wanted)"
expect_equal '["ok"]' "$(finding root temperature level)"
expect_equal '["none"]' "$(finding root critical_warning found)"
expect_equal '["ok"]' "$(finding root scheduler level)"
for name in nobody no_admin; do
	expect_equal '["note"]' "$(finding $name health level)"
	expect_equal '[]' "$(finding $name temperature level)"
done
expect_equal '["warning"]' "$(finding scheduled scheduler level)"
expect_equal '["ok"]' "$(finding mended scheduler level)"
expect_equal 1 "$(cat exchange/strict)" "status of --strict without poll queues"
