/* SPDX-License-Identifier: MIT */
/*
 * Every device and file that holds the same bytes as a target: a disk with its partitions, a partition
 * with its disk, and what a loop device stands on, down to the disk below it. Whoever uses one of them uses
 * the target.
 */
#ifndef SSDBENCH_TARGET_FOOTPRINT_H
#define SSDBENCH_TARGET_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "ssdbench/target.h"

/* What tells two nodes or files apart or shows that they are one. */
struct identity {
	bool is_device; /* number is of the block device; else of the file's file system, with inode */
	dev_t number;
	ino_t inode;
};

struct footprint_item {
	struct identity id;
	char *name; /* kernel name or path, for messages */
	char *dir;  /* sysfs directory; NULL for a file */
};

struct footprint {
	struct footprint_item *item;
	size_t nr;
};

/* Identity of what @path leads to, without asking a network file system. @dirfd as for
 * openat(); an empty path means @dirfd itself.
 * 0, -ENXIO where it is neither a block device nor a regular file, or a negative errno. */
int identity_of_path(int dirfd, const char *path, struct identity *id);

/* The footprint of the block device with sysfs directory @dir, or of a regular file. 0 or a negative
 * errno; release with footprint_fini() in both cases. */
int footprint_of_block(struct footprint *footprint, const struct target_roots *roots,
		       const char *dir);
int footprint_of_file(struct footprint *footprint, const char *path);
void footprint_fini(struct footprint *footprint);

/* The item that @id is; NULL: none. Borrowed. */
const struct footprint_item *footprint_match(const struct footprint *footprint,
					     const struct identity *id);

/* Is the kernel name one of its devices? */
bool footprint_has_name(const struct footprint *footprint, const char *name);

/* What the loop device with sysfs directory @dir stands on, and the name that it was given. 0, or
 * -ENOENT: it is no loop device or nothing is attached, or a negative errno. */
int loop_backing(const struct target_roots *roots, const char *dir, struct identity *id, char *name,
		 size_t size);

#endif
