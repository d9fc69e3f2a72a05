/* SPDX-License-Identifier: MIT */
/* What a device already holds: file systems, RAID, LVM, LUKS, ZFS, swap, partition tables. */
#ifndef SSDBENCH_TARGET_SIGNATURE_H
#define SSDBENCH_TARGET_SIGNATURE_H

/*
 * Look for a signature on the open device or file @fd (not O_DIRECT; only read).
 * 1 and *@what set, such as `ext4 file system "data" (UUID ...)` (release with free()); 0: none; or a
 * negative errno.
 */
int signature_find(int fd, char **what);

#endif
