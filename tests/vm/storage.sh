# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# storage.sh - sourced by run-vm.sh and hostdev.sh: turns a drive's SPEC into arguments for QEMU's
# block layer, the same for qemu-system-x86_64 and qemu-storage-daemon.
#
# SPEC is KEY=VALUE,... of
#   size=1G        capacity (K M G T: powers of 1024, or plain bytes)
#   lbs=512|4096   logical block size
#   file=PATH      keep the data in PATH; without it a sparse file that the caller removes
#   null=1         store nothing and read zeros: any size, 122880000000000 too
#   latency=NS     each request takes that long (null=1 only)
#   iops=N bps=N   a throttled drive of that speed, requests and bytes per second
#   fail-read=LBA fail-write=LBA   a read or write that touches LBA fails
#   fail-flush=1   each flush fails
#   fail-count=1   each of those failures happens once only
#   errno=N        ... with that errno (default 5, EIO)
# Any other word is left in storage_rest.

storage() {  # NUMBER SPEC DEFAULT_FILE -> storage_args storage_node storage_lbs storage_rest
	local i=$1 file=$3 size=1G null='' latency='' iops='' bps='' word
	local fail_read='' fail_write='' fail_flush='' once=off errno=5 rules='' n=0
	storage_args=() storage_rest=() storage_lbs=512

	local IFS=,
	for word in $2; do
		case $word in
			size=*) size=${word#*=} ;;              lbs=*) storage_lbs=${word#*=} ;;
			file=*) file=${word#*=} ;;              null=*) null=1 ;;
			latency=*) latency=${word#*=} ;;
			iops=*) iops=${word#*=} ;;              bps=*) bps=${word#*=} ;;
			fail-read=*) fail_read=${word#*=} ;;    fail-write=*) fail_write=${word#*=} ;;
			fail-flush=*) fail_flush=1 ;;           fail-count=*) once=on ;;
			errno=*) errno=${word#*=} ;;
			*) storage_rest+=("$word") ;;
		esac
	done
	size=$(numfmt --from=iec "$size")

	storage_node=store$i
	if [ -n "$null" ]; then
		latency=${latency:+,latency-ns=$latency}
		storage_args+=(--blockdev
			"driver=null-co,node-name=$storage_node,size=$size,read-zeroes=on$latency")
	else
		[ -s "$file" ] || truncate -s "$size" "$file"
		storage_args+=(--blockdev
			"driver=file,node-name=$storage_node,filename=$file,discard=unmap")
	fi

	# blkdebug counts in 512-byte sectors, whatever the block size.
	rule() {  # KIND [LBA]
		local key=inject-error.$n
		rules+=",$key.event=none,$key.iotype=$1,$key.errno=$errno,$key.once=$once"
		[ -z "${2-}" ] || rules+=",$key.sector=$(($2 * storage_lbs / 512))"
		n=$((n + 1))
	}
	[ -z "$fail_read" ] || rule read "$fail_read"
	[ -z "$fail_write" ] || rule write "$fail_write"
	[ -z "$fail_flush" ] || rule flush
	if [ -n "$rules" ]; then
		storage_args+=(--blockdev
			"driver=blkdebug,node-name=debug$i,image=$storage_node$rules")
		storage_node=debug$i
	fi

	# The bucket holds a tenth of a second's worth, so the first T seconds after a pause see
	# up to N * (T + 0.1) requests.  qmp_limits changes them while the drive is in use.
	if [ -n "$iops$bps" ]; then
		storage_args+=(
			--object "throttle-group,id=group$i,x-iops-total=${iops:-0},x-bps-total=${bps:-0}"
			--blockdev "driver=throttle,node-name=slow$i,throttle-group=group$i,file=$storage_node")
		storage_node=slow$i
	fi
}

# QMP over a pair of named pipes, DIR/qmp.in and DIR/qmp.out ("-chardev pipe,path=DIR/qmp").
qmp_fifos() { mkfifo "$1/qmp.in" "$1/qmp.out"; }
qmp_open() { exec 3<>"$1/qmp.in" 4<>"$1/qmp.out"; }
qmp() {  # JSON: send one command, print its answer; events that come in between are dropped
	local line
	printf '%s\n' "$1" >&3
	while IFS= read -r -t 10 line <&4; do
		case $line in
			*'"return"'*) printf '%s\n' "$line"; return 0 ;;
			*'"error"'*) printf '%s\n' "$line" >&2; return 1 ;;
		esac
	done
	echo "no answer to $1" >&2
	return 1
}
qmp_limits() {  # NUMBER iops=N|bps=N...: a throttled drive's new speed; 0 or unnamed: no limit
	local i=$1 iops=0 bps=0 word
	shift
	for word in "$@"; do
		case $word in iops=*) iops=${word#*=} ;; bps=*) bps=${word#*=} ;; esac
	done
	local limits="{\"iops-total\":$iops,\"bps-total\":$bps}"
	qmp "{\"execute\":\"qom-set\",\"arguments\":{
		\"path\":\"/objects/group$i\",\"property\":\"limits\",\"value\":$limits}}"
}
