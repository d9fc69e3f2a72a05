#!/bin/bash
# SPDX-License-Identifier: MIT
# The shipped workloads, scaled, on drives of 64 MiB and 8 KiB with blocks of 512 and 4096 bytes: they
# run to the end, their fills write every byte, and nothing goes past the end.
. "$(dirname "$0")/lib_run.sh"
need_loop
need_python

size=$((64 * 1024 * 1024 + 8192))
pattern_file pattern $size
tail=$(head -c 65536 /dev/zero | tr '\0' '\132' | sha256sum)

# A drive of $size bytes full of the pattern. The file behind it goes on for 64 KiB more, of another
# pattern, so that an I/O past the end would show.
pattern_drive() { # SECTOR_SIZE
	cp pattern image
	head -c 65536 /dev/zero | tr '\0' '\132' >>image
	_attach "$PWD/image" --sector-size "$1" --sizelimit $size || fail "$DEVICE"
	at_exit_try losetup --detach "$DEVICE"
	expect_equal $size "$(blockdev --getsize64 "$DEVICE")" "capacity"
}

release_drive() {
	loop_detach "$DEVICE"
	sync image
	expect_equal "$tail" "$(tail -c 65536 image | sha256sum)" "what lies behind the drive"
	expect_equal $((size + 65536)) "$(stat -c %s image)" "size of the file behind the drive"
}

# The phases named are run; every byte was written, and no request failed.
fills() { # PROFILE ARGUMENT...
	rm -rf fill
	expect_run 0 fill "$1" "$DEVICE" --destroy "$DEVICE" "${@:2}"
	sync image
	head -c $size image >drive
	expect_equal 0 "$(pattern_bytes drive)" "bytes that the fill of $1 did not write"
	expect_json fill/result.json "all(s['drives'][0]['whole']['written_bytes'] ==
		$size * s['passes'] for s in doc['steps'] if s['kind'].endswith('fill'))"
}

# The whole workload with short rows: COUNT steps, all of them measured.
runs() { # COUNT PROFILE ARGUMENT...
	rm -rf all
	expect_run 0 all "$2" "$DEVICE" --destroy "$DEVICE" --runtime 40ms --ramp 0 --idle 0 \
		"${@:3}"
	local result=all/result.json
	expect_equal ok "$(json $result 'doc["status"]')"
	expect_equal "$1" "$(json $result 'doc["summary"]["steps_ok"]')" "steps of $2"
	expect_json $result 'all(s["status"] == "ok" for s in doc["steps"])'
	expect_json $result 'doc["totals"][0]["errors"] == 0'
	expect_json $result 'not any(d["unwritten"] for s in doc["steps"] for d in s["drives"])'
	expect_json $result "all(s['drives'][0]['offset_bytes'] + s['drives'][0]['span_bytes'] == $size
		for s in doc['steps'])"
	# Figures of one row agree with each other, and every request was drawn from the mix.
	expect_json $result 'all(abs(f["iops"] * s["window"]["counted_ns"] / 1e9 - f["ios"]) < 1 and
		f["ios"] * min(b["bytes"] for b in s["bs"]) <= f["bytes"] <=
		f["ios"] * max(b["bytes"] for b in s["bs"])
		for s in doc["steps"] if s["kind"] in ("measure", "saturate")
		for f in (s["drives"][0]["read"], s["drives"][0]["write"]) if f and f["ios"])'
}

for sector in 512 4096; do
	pattern_drive $sector
	fills cdn --only fill
	runs 38 cdn
	# The mixes as published: 31 + 1 sizes of reads, 5 of writes.
	expect_equal '[5,32]' "$(json all/result.json '[len(next(s for s in doc["steps"]
		if s["phase"] == p)["bs"]) for p in ("write", "read")]' | tr -d ' ')"
	release_drive

	pattern_drive $sector
	objects=(--set small=4KiB --set medium=64KiB --set large=1MiB --set huge=4MiB)
	fills object-storage --only fill "${objects[@]}"
	runs 5 object-storage "${objects[@]}"
	expect_equal '["randread","read","randread","read"]' \
		"$(json all/result.json '[s["rw"] for s in doc["steps"][1:]]' | tr -d ' ')"
	release_drive

	for only in 128k-fill 64k-fill 16k-fill 4k-fill; do
		pattern_drive $sector
		fills fio-sweep --only $only
		release_drive
	done
	pattern_drive $sector
	runs 138 fio-sweep
	release_drive
done

# Whole requests do not fit this drive as they are: the plan says so before anything is written.
pattern_drive 512
expect_refused 2 '1GiB|1073741824' object-storage "$DEVICE" --destroy "$DEVICE"
cmp -n $size image pattern || fail "a refused plan has written"
