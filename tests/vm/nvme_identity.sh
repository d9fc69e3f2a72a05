#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What drives tell of themselves, and drives named by serial number, on real NVMe controllers. Two boots:
# between them the drives change places.
. "$(dirname "$0")/../integration/lib_run.sh"
need_vm
need_root
profile fill "$FILL"

mkdir -p first second
# A drive of 512-byte blocks; one of 4096 with a second namespace; one whose metadata follows the data of each
# block, which the kernel's block devices cannot carry; one that shares its serial number.
plain=size=1G,serial=TESTSN01
pair=size=2G,lbs=4096,serial=TESTSN02
mixed=size=1G,lbs=4096,serial=TESTSN08,ns=ms=8+mset=1
twin=null=1,size=1G,serial=1

# GUEST is a script for the VM; what it leaves in /mnt/run is in DIRECTORY.
in_vm() { # DIRECTORY GUEST RUN_VM_OPTION...
	local directory=$1 guest=$2
	shift 2
	expect_status 0 "$VM" -t 400 -s "$PWD/$directory" "$@" -- \
		bash -euc "SSDBENCH=$(printf %q "$SSDBENCH"); cd $(printf %q "$PWD"); $guest"
}

# The second namespace of the drive NUMBER.
second_namespace() { # NUMBER
	namespace=(-q --blockdev -q "driver=null-co,node-name=more,size=536870912,read-zeroes=on"
		-q -device -q "nvme-ns,id=more,bus=nvme$1,nsid=2,drive=more,logical_block_size=512")
}

# A drive with the serial number 1 and an NQN of its own: the kernel takes no two with the same.
second_twin=(-q --blockdev -q "driver=null-co,node-name=twin,size=1073741824,read-zeroes=on"
	-q -device -q "nvme-subsys,id=twins,nqn=twin"
	-q -device -q "nvme,id=twin,serial=1,subsys=twins"
	-q -device -q "nvme-ns,bus=twin,nsid=1,drive=twin")

# --- one boot with the drives in order: facts, refusals, a run ---
second_namespace 1
# shellcheck disable=SC2016 # for the guest's shell
in_vm first '
	ask() { "$SSDBENCH" "$@"; }
	ask drives --format json >/mnt/run/drives.json
	ask drives >/mnt/run/table
	setpriv --reuid=65534 --clear-groups "$SSDBENCH" drives --format json >/mnt/run/nobody.json
	for word in serial:TESTSN01 serial:TESTSN02@1 serial:TESTSN02@2; do
		ask plan fill.json "$word" --format json >"/mnt/run/$word.json"
	done
	for word in serial:TESTSN02 serial:1 serial:1@1 serial:TESTSN03 serial:TESTSN08 /dev/nvme0 /dev/ng0n1; do
		code=0
		ask plan fill.json "$word" 2>"/mnt/run/refused-${word//\//_}" || code=$?
		[ $code = 3 ]
	done
	if command -v nvme; then
		for n in 0 1 2 3 4; do
			nvme id-ctrl /dev/nvme$n -o json >/mnt/run/id-ctrl-$n.json
			nvme smart-log /dev/nvme$n -o json >/mnt/run/smart-$n.json
			nvme id-ns /dev/nvme${n}n1 -o json >/mnt/run/id-ns-$n.json
		done
	fi >/mnt/run/nvme-cli
	ask run ./fill.json serial:TESTSN01 --destroy TESTSN01 --size 64MiB --quiet \
		--output /mnt/run/fill >/mnt/run/fill.table
' -n "$plain" -n "$pair" -n "$twin" -n "$mixed" "${second_twin[@]}" "${namespace[@]}"

# The drives of a document with a serial number and NSID; all else of the test looks at one of them.
drive() { # SERIAL NSID
	echo "[d for d in doc['drives'] if d['serial'] == '$1' and d['nsid'] == $2][0]"
}
one="$(drive TESTSN01 1)"
two="$(drive TESTSN02 1)"
more="$(drive TESTSN02 2)"
all=first/drives.json

expect_equal 6 "$(json $all 'len([d for d in doc["drives"] if d["nvme"]])')" "NVMe drives"
for drive in "$one" "$two"; do
	controller="${drive}['nvme']['controller']"
	expect_equal "QEMU NVMe Ctrl" "$(json $all "${drive}['model']")"
	expect_equal 524288 "$(json $all "${controller}['max_transfer_bytes']")" "MDTS"
	expect_json $all "${controller}['vendor_id'] == 0x1b36"
	expect_json $all "${controller}['nqn'].endswith(${drive}['serial'])"
	expect_json $all "'format' in ${controller}['purge_methods']"
	expect_json $all "not [m for m in ${controller}['purge_methods'] if 'sanitize' in m]"
	expect_json $all "${controller}['warning_temperature_c'] == 70"
	expect_json $all "${controller}['critical_temperature_c'] == 100"
	expect_json $all "${controller}['volatile_write_cache']"
	expect_json $all "${controller}['write_cache_enabled'] in (True, False)"
	expect_json $all "${controller}['power_state'] == 0"
	expect_json $all "${drive}['controllers'][0]['transport'] == 'pcie'"
	expect_json $all "${drive}['controllers'][0]['link']['width_lanes'] >= 1"
	expect_json $all "${drive}['health']['temperature_c'] == 50"
	expect_json $all "${drive}['health']['warnings'] == []"
	expect_json $all "${drive}['health']['ocp'] is False"
	expect_json $all "${drive}['numa_node'] is None or ${drive}['numa_node'] == 0"
	expect_json $all "${drive}['target'] is True"
done

namespace() { # DRIVE: what its namespace says of blocks and the format in use
	echo "(lambda n: [n['size_blocks'], n['use_blocks'],
		n['formats'][n['format_index']]['data_bytes'],
		n['formats'][n['format_index']]['metadata_bytes']])(${1}['nvme']['namespace'])"
}
expect_equal '[2097152, 2097152, 512, 0]' "$(json $all "$(namespace "$one")")"
expect_equal '[524288, 524288, 4096, 0]' "$(json $all "$(namespace "$two")")"
expect_equal '[1048576, 1048576, 512, 0]' "$(json $all "$(namespace "$more")")"
expect_equal 2147483648 "$(json $all "${two}['capacity_bytes']")"
expect_line first/table '^/dev/nvme[0-9]n1 .*QEMU NVMe Ctrl.* TESTSN02 .* 4096 .*50 C, ok'

# --- a format that the block device cannot carry ---
expect_line first/table '^/dev/nvme[0-9]n1 .* TESTSN08 .* 4096\+8 .*no: its format 4096\+8 has metadata'
expect_line first/refused-serial:TESTSN08 'its format 4096\+8 has metadata.*format it without'

# --- the same by another program, where there is one ---
if [[ -s first/id-ctrl-0.json ]]; then
	need_python
	"$PYTHON" "$SSDBENCH_SOURCE_DIR/tests/vm/nvme_compare.py" first || fail "nvme-cli differs"
fi

# --- not permitted: sysfs still tells, the rest is null with the reason ---
expect_json first/nobody.json "${one}['model'] == 'QEMU NVMe Ctrl'"
expect_json first/nobody.json "${one}['nvme'] is None and ${one}['health'] is None"
expect_json first/nobody.json \
	"[g for g in ${one}['gaps'] if g['key'] == 'nvme' and 'ermission denied' in g['reason']]!=[]"

# --- words ---
capacity() { json "first/$1.json" 'doc["drives"][0]["capacity_bytes"]'; }
expect_equal 1073741824 "$(capacity serial:TESTSN01)"
expect_equal 2147483648 "$(capacity serial:TESTSN02@1)"
expect_equal 536870912 "$(capacity serial:TESTSN02@2)"
expect_line first/refused-serial:TESTSN02 '2 drives answer.*\(nsid 1, wwid .*2.15 GB\), .*nsid 2, wwid'
expect_line first/refused-serial:1 '2 drives answer.*nsid 1.*nsid 1'
expect_line first/refused-serial:1@1 '2 drives answer'
expect_line first/refused-serial:TESTSN03 'no drive has this serial number'
expect_line first/refused-_dev_nvme0 'a character device.*use /dev/nvme'
expect_line first/refused-_dev_ng0n1 'a character device.*use /dev/nvme'

# --- a run: health before and after, and what it wrote by the drive's own count ---
validate_result first/fill/result.json
expect_json first/fill/result.json 'doc["drives"][0]["serial"] == "TESTSN01"'
expect_json first/fill/result.json 'doc["health"][0]["reason"] is None'
expect_json first/fill/result.json 'doc["health"][0]["before"]["temperature_c"] == 50'
expect_json first/fill/result.json \
	'132 <= doc["health"][0]["change"]["data_units_written"] + 1 <= 134'
expect_json first/fill/result.json 'doc["health"][0]["change"]["write_amplification"] is None'
expect_json first/fill/result.json 'len(doc["health"][0]["rows"]) >= 2'

# --- the second boot: the drives have changed places ---
second_namespace 0
# shellcheck disable=SC2016
in_vm second '
	"$SSDBENCH" drives --format json >/mnt/run/drives.json
	"$SSDBENCH" plan fill.json serial:TESTSN01 --format json >/mnt/run/serial.json
' -n "$pair" -n "$plain" "${namespace[@]}"
expect_equal 1073741824 "$(json second/serial.json 'doc["drives"][0]["capacity_bytes"]')"
before=$(json $all "${one}['controllers'][0]['address']")
after=$(json second/drives.json "${one}['controllers'][0]['address']")
[[ $before != "$after" ]] || fail "the drives did not change places: $before"
