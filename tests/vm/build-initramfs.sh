#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# build-initramfs.sh - make the two files that a test VM boots from:
#
#   OUT/vmlinux         the Debian kernel, uncompressed (an ELF file with a PVH note)
#   OUT/initramfs.cpio  busybox, the kernel modules that the tests need, and guest-init
#
# Nothing is installed: the Debian packages are fetched with "apt-get download" and unpacked with
# "dpkg -x" under OUT. What is there already is not fetched again.
#
# usage: build-initramfs.sh [-o OUT] [-k KERNEL_PACKAGE] [-b PROGRAM]...
#   -o OUT      where to put everything (default: $SSDBENCH_VM_DIR, or build/vm in the source tree)
#   -k PACKAGE  a kernel metapackage (default linux-image-amd64; the cloud flavour has no 9p,
#               which run-vm.sh needs)
#   -b PROGRAM  also copy PROGRAM and the shared libraries it needs into the initramfs: only for
#               "run-vm.sh -r initramfs"; by default a VM sees the host's own programs
#
# Status 77, with a line "SKIP: reason", if apt cannot provide the packages.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=${SSDBENCH_VM_DIR:-$here/../../build/vm}
metapackage=linux-image-amd64
programs=()

# Leaf modules; what they depend on is added from modules.dep.
modules=(
	nvme                                    # the controller under test
	virtio_pci 9p 9pnet_virtio              # the host's files
	overlay                                 # a writable / over the read-only host root
	null_blk scsi_debug sd_mod brd loop     # devices of known latency or speed
	dm-delay dm-flakey dm-log-writes        # slow or failing devices
	virtio_blk zram
	ext4 crc32c_generic                     # crc32c: found by name at run time, not in modules.dep
	nvme-tcp nvmet-tcp                      # a second, fabrics kind of nvme device
)

while getopts o:k:b: opt; do
	case $opt in
		o) out=$OPTARG ;;
		k) metapackage=$OPTARG ;;
		b) programs+=("$OPTARG") ;;
		*) sed -n '3,$ { /^#/!q; s/^# \{0,1\}//p }' "$0" >&2; exit 2 ;;
	esac
done
mkdir -p "$out/deb" "$out/rootfs"
out=$(cd "$out" && pwd)

skip() {
	echo "SKIP: $*" >&2
	exit 77
}

# --- packages ---------------------------------------------------------------------

for tool in apt-get apt-cache dpkg xz; do
	command -v "$tool" >/dev/null || skip "needs the command $tool to unpack a kernel"
done

# The metapackage only names the kernel of the day, e.g. linux-image-6.1.0-57-amd64.
package=$(apt-cache depends "$metapackage" 2>/dev/null |
		  sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1) || :
[ -n "$package" ] || skip "apt knows no kernel behind $metapackage (apt-get update?)"
release=${package#linux-image-}

fetch() {  # PACKAGE DIR: unpack PACKAGE into DIR unless it is there
	[ -e "$2/.unpacked" ] && return
	rm -rf "$2"; mkdir -p "$2"
	(cd "$out/deb" && rm -f "$1"_*.deb && apt-get -qq -o APT::Sandbox::User=root download "$1") ||
		skip "apt-get cannot download $1 (apt-get update?)"
	dpkg -x "$out/deb/$1"_*.deb "$2"
	touch "$2/.unpacked"
}
kernel=$out/$package
fetch "$package" "$kernel"
if command -v busybox >/dev/null && busybox --list | grep -qx depmod; then
	busybox=$(command -v busybox)
else
	fetch busybox-static "$out/busybox-static"
	busybox=$out/busybox-static/bin/busybox
fi

# --- vmlinux ----------------------------------------------------------------------
# A bzImage carries its kernel compressed; the full Debian flavour with xz, which an
# emulated CPU takes some 15 s to unpack.  QEMU boots the plain ELF file through its PVH
# note, with no boot loader and no decompression.  The offsets are those of
# Documentation/arch/x86/boot.rst: setup_sects, payload_offset, payload_length.

bzimage=$kernel/boot/vmlinuz-$release
number() { od -An -v -tu"$2" -j "$1" -N "$2" "$bzimage" | tr -d ' '; }
if [ ! "$out/vmlinux" -nt "$kernel/.unpacked" ]; then
	setup=$(number 497 1); [ "$setup" -gt 0 ] || setup=4
	start=$(( (setup + 1) * 512 + $(number 584 4) ))
	length=$(( $(number 588 4) - 4 ))       # the last four bytes are the unpacked size
	piece() { tail -c +$((start + 1)) "$bzimage" | head -c "$length"; }
	case $(piece 2>/dev/null | head -c 4 | od -An -tx1 | tr -d ' ') in
		fd377a58) unpack='xz -dc' ;;
		02214c18) unpack='lz4 -dc' ;;
		28b52ffd) unpack='zstd -dc' ;;
		1f8b*)    unpack='gzip -dc' ;;
		*) echo "unknown compression in $bzimage" >&2; exit 1 ;;
	esac
	# (a pipe into xz may end early with SIGPIPE: not an error here)
	(set +o pipefail; piece | $unpack > "$out/vmlinux.part")
	mv "$out/vmlinux.part" "$out/vmlinux"
fi

# --- modules ----------------------------------------------------------------------

tree=$kernel/lib/modules/$release
[ -s "$tree/modules.dep" ] || "$busybox" depmod -b "$kernel" "$release"

root=$out/rootfs
rm -rf "$root"
mkdir -p "$root"/{bin,dev,proc,sys,run,tmp,mnt,lib/modules/"$release"}
target=$root/lib/modules/$release

for m in "${modules[@]}"; do
	# file names use - or _ as they please; modules.dep lists "path: dependency..."
	pattern=$(printf %s "$m" | sed 's/[-_]/[-_]/g')
	line=$(grep -E "(^|/)$pattern\.ko:" "$tree/modules.dep" || true)
	if [ -z "$line" ]; then
		grep -qE "/$pattern\.ko$" "$tree/modules.builtin" || echo "note: $release has no module $m" >&2
		continue
	fi
	for f in ${line/:/}; do
		mkdir -p "$target/${f%/*}"
		cp "$tree/$f" "$target/$f"
	done
done
cp "$tree/modules.builtin" "$tree/modules.order" "$target/"
"$busybox" depmod -b "$root" "$release"

# --- programs ---------------------------------------------------------------------

cp "$busybox" "$root/bin/busybox"
"$busybox" --list | while read -r applet; do
	[ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
done
ln -sfn bin "$root/sbin"
install -m 755 "$here/guest-init" "$root/init"

for p in "${programs[@]}"; do
	p=$(command -v "$p")
	install -D -m 755 "$p" "$root/bin/${p##*/}"
	# "libx.so => /path (addr)" and "/lib64/ld-linux... (addr)"
	ldd "$p" 2>/dev/null | grep -oE '/[^ ]+' | sort -u | while read -r lib; do
		[ -e "$root$lib" ] || install -D -m 755 "$(readlink -f "$lib")" "$root$lib"
	done
done

# --- pack -------------------------------------------------------------------------
# Left uncompressed: reading a few more MB costs less than unpacking on an emulated CPU.

(cd "$root" && find . | sort | "$busybox" cpio -o -H newc -R 0:0 2>/dev/null) > "$out/initramfs.cpio.part"
mv "$out/initramfs.cpio.part" "$out/initramfs.cpio"
echo "$release" > "$out/release"
ls -l "$out/vmlinux" "$out/initramfs.cpio"
