#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Purges of real NVMe controllers, in one boot: a format erases the target's namespace and not the other one of
# its controller, the run goes on on it; a sanitize, which QEMU does not have, is refused, and then
# either ends the run or marks what follows.
. "$(dirname "$0")/../integration/lib_run.sh"
need_vm
need_root
need_python

# A drive of 4096-byte blocks with a second namespace.
namespace=(-q --blockdev -q "driver=file,node-name=more,filename=$PWD/more.img,discard=unmap"
	-q -device -q "nvme-ns,id=more,bus=nvme0,nsid=2,drive=more,logical_block_size=512")
truncate -s 16M more.img

row='{"kind": "measure", "name": "row", "rw": "randread", "bs": "4KiB", "size": "4MiB", "runtime": "200ms"}'
fill='{"kind": "fill", "bs": "1MiB", "size": "4MiB"}'
purge() { # NAME METHOD ON_FAILURE: the profile NAME purges, then fills and reads a little
	profile "$1" "{\"kind\": \"purge\", \"method\": \"$2\", \"on_failure\": \"$3\"}" "$fill" "$row"
}
purge format format stop
purge auto auto stop
purge discard discard stop
purge sanitize sanitize stop
purge marked sanitize-block continue
profile only '{"kind": "purge", "method": "format"}'

mkdir exchange
cat >guest.sh <<'END'
set -eu
ssdbench=$1
for sys in /sys/block/nvme*n*; do
	[ "$(cat "$sys/nsid")" = 2 ] && second=/dev/${sys##*/} || first=/dev/${sys##*/}
done
ask() { # STATUS PROFILE
	code=0
	"$ssdbench" run "./$2.json" serial:PURGE01@1 --destroy PURGE01 --quiet --output "/mnt/run/$2" \
		>"/mnt/run/$2.table" 2>"/mnt/run/$2.err" || code=$?
	echo "$2: status $code"
	[ $code = "$1" ] || { cat "/mnt/run/$2.err"; exit 1; }
}
pattern() { tr '\0' '\245' </dev/zero | dd of="$1" bs=1M count=16 iflag=fullblock oflag=direct status=none; }
digest() { # DEVICE FROM_MIB
	dd if="$1" bs=1M skip="$2" iflag=direct status=none | sha256sum | cut -d ' ' -f 1
}
pattern "$first"
pattern "$second"
digest "$first" 0 >/mnt/run/written
ask 4 sanitize
ask 4 marked
digest "$first" 4 >/mnt/run/kept # behind what the fill wrote
ask 0 only
digest "$first" 0 >/mnt/run/formatted
digest "$second" 0 >/mnt/run/other
for profile in format auto discard; do ask 0 $profile; done
digest "$second" 0 >>/mnt/run/other
cat "/sys/block/${first##*/}/queue/logical_block_size" >/mnt/run/lbs
END
expect_status 0 "$VM" -t 400 -s "$PWD/exchange" -n size=16M,lbs=4096,serial=PURGE01 "${namespace[@]}" \
	-- bash guest.sh "$SSDBENCH"
cat stdout

digest() { head -c "$1M" /dev/zero | tr '\0' "$2" | sha256sum | cut -d ' ' -f 1; }
expect_equal "$(digest 16 '\245')" "$(cat exchange/written)" "what was written"
expect_equal "$(digest 12 '\245')" "$(cat exchange/kept)" "what refused purges left"
expect_equal "$(digest 16 '\0')" "$(cat exchange/formatted)" "what a format left"
expect_equal "$(digest 16 '\245')" "$(sort -u exchange/other)" "the other namespace"
expect_equal 4096 "$(cat exchange/lbs)" "the format that was kept"

done_by() { # PROFILE: the method, status and fallback of its purge
	json "exchange/$1/result.json" '(lambda p: [p["used"], p["nvme_status"], p["fallback"]])(
		doc["steps"][0]["drives"][0]["purge"])'
}
for name in only format auto discard sanitize marked; do validate_result "exchange/$name/result.json"; done
marks() { # PROFILE: the steps that are marked as not purged or as reads of nothing
	json "exchange/$1/result.json" '[s["index"] for s in doc["steps"] for f in s["flags"]
		if f["flag"] in ("not_purged", "unwritten")]'
}
for name in only format auto discard; do
	expect_json "exchange/$name/result.json" 'doc["status"] == "ok"'
	expect_equal '[]' "$(marks $name)" "marks of $name"
done
for name in only format auto; do
	expect_equal '["format", 0, null]' "$(done_by $name)" "$name"
done
expect_equal '["discard", null, null]' "$(done_by discard)"
expect_line exchange/format.table 'purge format .* by format in '

# --- a sanitize that the drive does not have ---
reason='has no sanitize by block erase \(SANICAP 0x0\)'
expect_equal '[null, null, null]' "$(done_by sanitize)"
expect_line exchange/sanitize.table "failed: .*$reason"
expect_json exchange/sanitize/result.json '[s["status"] for s in doc["steps"]] == ["failed"] * 3'
expect_json exchange/sanitize/result.json 'doc["totals"][0]["written_bytes"] == 0'
expect_json exchange/marked/result.json '[s["status"] for s in doc["steps"]] == ["failed", "ok", "ok"]'
expect_equal '[1, 2]' "$(marks marked)" "marks after a purge that failed"
expect_line exchange/marked.table "^P  not_purged: the purge of step 0 failed: .*$reason"
