#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run-vm.sh - run a command in a throw-away VM with emulated NVMe drives.
#
#   run-vm.sh [options] [--] COMMAND [ARGUMENT...]
#
# The command starts in the current directory.  It sees the host's file system read-only
# under a writable overlay (what it writes there is lost), the VM's own /dev, /proc, /sys
# and /run, and /mnt/run, the exchange directory, which the host sees too. Its stdout and stderr come
# out on stdout; its exit code is run-vm.sh's.  The VM has no network.
# 124: the VM ran out of time; 125: it failed.
#
#   -n SPEC   an NVMe drive (repeat).  Without -n and -b there is one, "size=1G".
#             SPEC: see storage.sh; and
#               serial=S mdts=N queues=N   controller properties (serial: default TESTi)
#               ns=OPTS                    more nvme-ns properties, + for comma: ns=ms=8+pi=1
#             Look a drive up by its serial number: the kernel numbers them as they come up.
#   -b        no drives but those given with -q
#   -q ARG    one more argument for QEMU (repeat)
#   -a WORD   one more word for the kernel command line (repeat), e.g. nvme.poll_queues=1
#   -M LIST   modules to load besides nvme, e.g. null_blk,scsi_debug; parameters with
#             -a vm.args.null_blk=nr_devices=0
#   -H CODE   bash code to run on the host next to the VM; it may call
#               wait_for FILE         until the guest has made /mnt/run/FILE
#               qmp JSON              send a QMP command, print the answer
#               qmp_limits i iops=N   change the speed of a throttled drive
#               unplug i              take the i-th drive (from 0) away
#             and finds the exchange directory in $exchange.
#   -s DIR    the exchange directory (default: a temporary one, removed at the end)
#   -r ROOT   host (default) or initramfs
#   -i        virtual time: one guest instruction takes 1 ns and idle time takes none.
#             For null_blk and other devices of the guest itself, not for NVMe drives.
#   -c CPUS -m MIB -t SECONDS      default 1, 1024, 120
#   -A ACCEL  default tcg
#   -v        show the end of the console log on stderr (shown anyway on failure)
#
# $SSDBENCH_VM_DIR (default: build/vm in the source tree) is what build-initramfs.sh made.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
vm=${SSDBENCH_VM_DIR:-$here/../../build/vm}
# shellcheck source=storage.sh
. "$here/storage.sh"

specs=() extra=() words=() modules='' hook='' exchange='' root=host bare='' verbose=''
cpus=1 memory=1024 limit=120 accel=tcg virtual=''
while getopts n:bq:a:M:H:s:r:ic:m:t:A:v opt; do
	case $opt in
		n) specs+=("$OPTARG") ;;
		b) bare=1 ;;
		q) extra+=("$OPTARG") ;;
		a) words+=("$OPTARG") ;;
		M) modules=$OPTARG ;;
		H) hook=$OPTARG ;;
		s) exchange=$OPTARG ;;
		r) root=$OPTARG ;;
		i) virtual=1 ;;
		c) cpus=$OPTARG ;;
		m) memory=$OPTARG ;;
		t) limit=$OPTARG ;;
		A) accel=$OPTARG ;;
		v) verbose=1 ;;
		*) sed -n '3,$ { /^#/!q; s/^# \{0,1\}//p }' "$0" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "run-vm.sh: no command" >&2; exit 2; }
[ -s "$vm/initramfs.cpio" ] ||
	{ echo "run-vm.sh: no $vm/initramfs.cpio: run build-initramfs.sh -o $vm" >&2; exit 2; }
[ ${#specs[@]} -gt 0 ] || [ -n "$bare" ] || specs=(size=1G)
[ "$accel" != tcg ] || [ "$cpus" = 1 ] || accel=tcg,thread=multi
[ -z "$virtual" ] || extra+=(-icount "shift=0,sleep=off")

work=$(mktemp -d)
hook_pid='' qemu_pid=''
# shellcheck disable=SC2317 # reached by the trap
cleanup() {
	[ -z "$hook_pid" ] || kill "$hook_pid" 2>/dev/null || :
	[ -z "$qemu_pid" ] || kill "$qemu_pid" 2>/dev/null || :
	rm -rf "$work"
}
trap cleanup EXIT

# --- the job ----------------------------------------------------------------------

[ -n "$exchange" ] || { exchange=$work/run; mkdir "$exchange"; }
rm -f "$exchange/rc"
quote() { printf "'%s' " "${1//\'/\'\\\'\'}"; }      # for sh: printf %q is for bash only
{
	[ "$root" != host ] || echo "cd $(quote "$PWD") || exit 125"
	printf 'exec '
	for word in "$@"; do quote "$word"; done
	echo
} > "$exchange/job"

# --- the drives -------------------------------------------------------------------

args=()
drive() {  # NUMBER SPEC
	local i=$1 serial=TEST$1 mdts=7 queues=64 ns='' word
	storage "$i" "$2" "$work/drive$i"
	for word in "${storage_rest[@]}"; do
		case $word in
			serial=*) serial=${word#*=} ;;    mdts=*) mdts=${word#*=} ;;
			queues=*) queues=${word#*=} ;;    ns=*) ns=,$(printf %s "${word#*=}" | tr + ,) ;;
			*) echo "run-vm.sh: drive $i: what is $word?" >&2; exit 2 ;;
		esac
	done
	# Each on a root port of its own, so that it can be unplugged.
	local blocks=logical_block_size=$storage_lbs,physical_block_size=$storage_lbs
	args+=("${storage_args[@]}"
		-device "pcie-root-port,id=port$i,chassis=$((i + 1))"
		-device "nvme,id=nvme$i,bus=port$i,serial=$serial,mdts=$mdts,max_ioqpairs=$queues"
		-device "nvme-ns,id=ns$i,bus=nvme$i,nsid=1,drive=$storage_node,$blocks$ns")
}
for i in "${!specs[@]}"; do drive "$i" "${specs[i]}"; done

# --- QEMU -------------------------------------------------------------------------

# What each word is for: the console; end QEMU on a panic (with -no-reboot); and four that
# shorten the boot: no CPU bug mitigations, no audit, no crypto self tests, no LSMs.
append="console=ttyS0 loglevel=7 panic=-1 mitigations=off audit=0 cryptomgr.notests lsm= \
vm.root=$root vm.modules=$modules ${words[*]-}"

qmp_fifos "$work"
# shellcheck disable=SC2054 # QEMU's commas
qemu=(qemu-system-x86_64 -accel "$accel" -machine q35 -cpu max -smp "$cpus" -m "$memory"
	-nodefaults -no-user-config -display none -no-reboot
	-kernel "$vm/vmlinux" -initrd "$vm/initramfs.cpio" -append "$append"
	-chardev "file,id=console,path=$work/console" -serial chardev:console
	-chardev "file,id=job,path=$work/output" -serial chardev:job
	-chardev "pipe,id=qmp,path=$work/qmp" -mon chardev=qmp,mode=control
	-device "isa-debug-exit,iobase=0xf4,iosize=4"
	-virtfs "local,path=$exchange,mount_tag=run,security_model=none,id=run")
[ "$root" != host ] ||
	qemu+=(-virtfs
		"local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap,id=host")
qemu+=("${args[@]}" "${extra[@]}")

: > "$work/output"; : > "$work/console"
timeout --foreground -k 5 "$limit" "${qemu[@]}" </dev/null >"$work/qemu" 2>&1 &
qemu_pid=$!

if [ -n "$hook" ]; then
	(
		# A hook that fails must not leave the guest waiting for it.
		trap '[ $? = 0 ] || { echo "run-vm.sh: the -H code failed"; kill "$qemu_pid"; }' EXIT
		# shellcheck disable=SC2317 # these are for the hook
		wait_for() { while [ ! -e "$exchange/$1" ]; do sleep 0.05; done; }
		# shellcheck disable=SC2317
		unplug() { qmp "{\"execute\":\"device_del\",\"arguments\":{\"id\":\"nvme$1\"}}"; }
		qmp_open "$work"
		qmp '{"execute":"qmp_capabilities"}' >/dev/null
		eval "$hook"
	) >&2 &
	hook_pid=$!
fi

tail -f -c +1 --pid="$qemu_pid" -s 0.2 "$work/output" 2>/dev/null &
tail_pid=$!
code=0
wait "$qemu_pid" || code=$?
qemu_pid=''
wait "$tail_pid" || :

show() { { echo "--- console"; tail -n 80 "$work/console"; echo "--- qemu"; cat "$work/qemu"; } >&2; }
if [ -s "$exchange/rc" ]; then
	[ -z "$verbose" ] || show
	exit "$(cat "$exchange/rc")"
fi
show
echo "run-vm.sh: no exit code from the guest (QEMU ended with $code)" >&2
case $code in
	124|137) exit 124 ;;        # 137: it did not end at SIGTERM and was killed
	*) exit 125 ;;
esac
