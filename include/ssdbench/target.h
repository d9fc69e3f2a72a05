/* SPDX-License-Identifier: MIT */
/*
 * Targets: find a drive, say what it is, refuse what is in use, hold it while it is measured.
 * Words that name one: a block device node or any symlink to it, "serial:SN", "serial:SN@NSID", "wwid:ID", a
 * regular file, "scratch:SIZE" (a nameless temporary file), "null:SIZE" (completes at once, touches nothing).
 */
#ifndef SSDBENCH_TARGET_H
#define SSDBENCH_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ssdbench/error.h"
#include "ssdbench/nvme.h"

enum target_kind { TARGET_BLOCK, TARGET_FILE, TARGET_SCRATCH, TARGET_NULL };

/* Where the kernel's views are mounted; tests point them at trees of their own. */
struct target_roots {
	const char *sys;  /* "/sys" */
	const char *proc; /* "/proc" */
	const char *dev;  /* "/dev" */
};
extern const struct target_roots target_roots_default;

/* A fact that could not be read: its key in the result and why. A string that a drive tells in bytes that
 * are not UTF-8 has one too: its reason holds the bytes in hexadecimal. */
struct fact_gap {
	char *key, *reason;
};

/* A PCI Express link as sysfs tells it; 0 where unknown. */
struct pcie_link {
	uint32_t speed_mt_per_s, max_speed_mt_per_s; /* megatransfers: 16000 is PCIe 4.0 */
	uint32_t width, max_width;                   /* lanes */
	bool slow,
		narrow; /* below what the drive can do; half the lanes of a dual-port drive are not narrow */
};

/* A way to a namespace: one for each controller that it can be reached through. */
struct drive_controller {
	char *name;        /* "nvme1" */
	char *hidden_path; /* "nvme1c1n1", the path under a multipath head; NULL: no native multipath */
	char *address;     /* "0000:40:00.0"; NULL: unknown */
	char *transport; /* "pcie", "tcp"; NULL: unknown */
	struct pcie_link link;
};

/*
 * What is known of a drive. Strings are NULL where unknown, valid UTF-8, right-trimmed; numbers are 0
 * where unknown unless said; `gap` tells the reason. Sizes in bytes. Owned by the target.
 * Bytes of a model, serial or firmware that are no UTF-8, and control characters, become U+FFFD each.
 */
struct drive_facts {
	enum target_kind kind;
	char *word; /* as the user named it */
	char *path; /* the node or file that it resolved to; NULL for scratch and null */
	char *name; /* short name for tables: "nvme0n1", "scratch", "null" */
	char *disk; /* the whole disk's kernel name; differs from name for a partition; NULL: no disk */
	unsigned int major, minor; /* of a block device */
	uint64_t capacity_bytes;
	uint64_t partition_start_bytes; /* 0: a whole disk */
	bool is_partition;
	uint32_t logical_block_bytes, physical_block_bytes;
	uint32_t metadata_bytes;         /* per logical block */
	uint64_t indirection_unit_bytes; /* queue/minimum_io_size (NPWG) where above the LBA size */
	uint64_t optimal_io_bytes;
	char *model, *serial, *firmware, *wwid;
	uint32_t nsid;
	bool read_only;
	bool rotational;
	bool ram_backed; /* a file in tmpfs or ramfs, zram, brd: not a drive */
	char open_flags
		[32]; /* "O_RDWR|O_EXCL|O_DIRECT", as the kernel has them; "": nothing is open */
	char *filesystem;  /* of a file's directory: "ext4"; NULL for a device */
	char *scheduler;   /* the active one, "none" */
	char *write_cache; /* "write back" or "write through" */
	char *zoned;       /* "none", "host-managed", ... */
	uint64_t max_sectors_bytes, max_hw_sectors_bytes; /* largest command of the block layer */
	uint32_t nr_requests;
	int32_t numa_node;                   /* -1 where unknown */
	bool io_poll;                        /* poll queues are there */
	uint64_t nuse_blocks, nsze_blocks;   /* logical blocks in use and in all, NVMe only */
	struct drive_controller *controller; /* of an NVMe namespace, found through sysfs links */
	size_t nr_controllers;
	struct nvme_facts
		*nvme; /* what the drive itself tells; NULL: not NVMe, or not to be asked */
	struct fact_gap *gap;
	size_t nr_gaps;
};

struct target_options {
	/* NULL: the defaults. Its strings must outlive the target. */
	const struct target_roots *roots;
	uint64_t create_bytes; /* --create: make the regular file with this size; 0: must exist */
	bool allow_partition;  /* --allow-partition */
	const char *scratch_directory; /* NULL: $TMPDIR where it is on a disk, else /var/tmp */
};

struct target;

/*
 * Resolve @word and read the facts. Writes nothing, opens nothing for writing, creates nothing.
 * 0 and *@target set (release with target_close()); else ERROR_USAGE (not a size, empty word, unknown
 * scheme) or ERROR_REFUSED (no such device with a hint, a directory, a character node with "use
 * /dev/nvme0n1", a hidden path, a partition, zoned, metadata that the block layer cannot carry,
 * no capacity, several drives with this serial number) and the negative errno.
 */
int target_find(struct target **target, const char *word, const struct target_options *options,
		struct error *err);

/* Borrowed; lives as long as the target. */
const struct drive_facts *target_facts(const struct target *target);

/* What consent must name: the serial, or the path where there is none. NULL: none is needed (scratch,
 * null, a file that --create makes). Borrowed. */
const char *target_consent_word(const struct target *target);

enum target_access { TARGET_READ, TARGET_WRITE };

/*
 * Open for measuring. For TARGET_WRITE first refuse whatever is in use or holds data: mounted
 * (partitions too, in any mount namespace that the kernel tells of), swap, holders, the backing of a loop
 * device, a signature unless consent names the drive, read-only; then O_RDWR|O_EXCL|O_DIRECT.
 * TARGET_READ opens O_RDONLY|O_DIRECT and shares. Creates and allocates the file of --create and scratch.
 * @destroy: the consented words, @nr of them. 0, or a negative errno with ERROR_REFUSED (the reason and what helps)
 * or ERROR_HARNESS (no space, no permission, O_DIRECT not supported).
 */
int target_open(struct target *target, enum target_access access, const char *const *destroy,
		size_t nr, struct error *err);

/* Again before each phase that writes: same identity and capacity, still not in use by others. */
int target_recheck(struct target *target, struct error *err);

/* -1 for null. Owned by the target. */
int target_fd(const struct target *target);

/*
 * NVMe passthrough: commands to the namespace's generic node (/dev/ngXnY), past the block layer. The block node
 * stays what consent, locks and checks are about; it is held open meanwhile.
 */
struct passthrough {
	int fd; /* of the generic node */
	uint32_t nsid;
	uint32_t block_bytes; /* logical; a power of two */
	uint32_t max_bytes;   /* of one command; a power of two, so that commands keep alignment */
};

/* Whether @target could be opened so, before anything is: 0, or ERROR_USAGE (no NVMe namespace, a partition,
 * metadata) or ERROR_HARNESS (no generic node) with the cure. 0 for a null target. */
int target_check_passthrough(const struct target *target, struct error *err);

/*
 * After target_open(): open the generic node too, found through sysfs and the NSID that it answers with, never by its
 * name. 0, or a negative errno with @err as above, or ERROR_HARNESS (not permitted). 0 for a null target.
 */
int target_open_passthrough(struct target *target, struct error *err);

/* NULL where it is not open. Owned by the target. */
const struct passthrough *target_passthrough(const struct target *target);

/* Alignment in bytes that O_DIRECT wants of offsets and lengths, and of memory. */
uint32_t target_offset_alignment(const struct target *target);

/*
 * A health reading now, of an NVMe drive: one or two admin commands, a millisecond or so. 0; else a negative
 * errno and the reason in @err (-ENOTSUP: no NVMe drive, or its controller may not be asked).
 */
int target_health(const struct target *target, struct drive_health *health, struct error *err);

/* fsync/flush: everything written so far is on the medium. 0 or a negative errno. */
int target_flush(struct target *target);

/* Closes, frees; a scratch file is gone then. NULL is allowed. */
void target_close(struct target *target);

/* One disk of this machine, for `drives`. */
struct drive_entry {
	struct drive_facts *facts; /* owned */
	char *why_not;             /* why it cannot be a target for writing; NULL: it can */
	bool has_health;           /* false: the facts' gap "health" says why */
	struct drive_health health;
};
int drives_list(struct drive_entry **entries, size_t *nr, const struct target_roots *roots,
		struct error *err);
void drives_list_free(struct drive_entry *entries, size_t nr);

/* Facts of a drive that is not there (plan --capacity): 512-byte blocks, everything else unknown.
 * Release with drive_facts_free(). NULL: out of memory. */
struct drive_facts *drive_facts_imagine(uint64_t capacity_bytes);
void drive_facts_free(struct drive_facts *facts);

const char *target_kind_name(enum target_kind kind); /* "block", "file", "scratch", "null" */

#endif
