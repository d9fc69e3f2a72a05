/* SPDX-License-Identifier: MIT */
/* What struct target holds, shared by the files of this folder. */
#ifndef SSDBENCH_TARGET_INTERNAL_H
#define SSDBENCH_TARGET_INTERNAL_H

#include <sys/stat.h>
#include <sys/types.h>

#include "footprint.h"
#include "ssdbench/target.h"

/* Offsets, lengths and memory of a file where the kernel does not tell what O_DIRECT wants. */
#define FILE_ALIGNMENT 4096

struct admin;

struct target {
	struct drive_facts *facts;
	struct admin *admin;       /* NVMe: held, since names move; NULL: none */
	struct target_roots roots; /* strings borrowed */
	bool allow_partition;
	uint64_t create_bytes;   /* file: make it with this size; 0: it exists */
	char *scratch_directory; /* scratch: where */
	uint32_t alignment;
	struct identity file; /* file: which one was found */
	uint64_t
		sequence; /* block: the kernel's diskseq, another one after each attachment; 0: unknown */
	enum target_access access;
	int fd;                         /* -1: not open, or null */
	struct passthrough passthrough; /* all zero: not open */
};

/* Fill a target for a regular file that exists, or that --create shall make. As target_find(). */
int file_find(struct target *target, const char *word, const struct stat *st, struct error *err);
int file_find_new(struct target *target, const char *word, struct error *err);

/* Fill a target for "scratch:SIZE". @directory: NULL chooses one. As target_find(). */
int scratch_find(struct target *target, const char *word, uint64_t bytes, const char *directory,
		 struct error *err);

/* Create and allocate; as target_open(). */
int scratch_open(struct target *target, struct error *err);
int file_create(struct target *target, struct error *err);

/* Open a file that exists; as target_open(). */
int file_open(struct target *target, enum target_access access, struct error *err);

/* What the facts of a file say of the place that it lies in: file system, RAM, disk. 0 or -ENOMEM. */
int file_read_place(struct target *target, const char *path, dev_t device);

/* Refuse where @bytes more on the file system of @fd would leave less than the margin. */
int space_check(int fd, uint64_t bytes, const char *path, struct error *err);

/* Allocate @bytes for @fd, then make it O_DIRECT. 0 or a negative errno with @err. */
int file_prepare(int fd, uint64_t bytes, const char *path, const char *filesystem,
		 struct error *err);

/* The footprint of an open or found target; empty for scratch and null. As footprint_of_block(). */
int target_footprint(const struct target *target, struct footprint *footprint);

/* Refuse what is in use. 0, or a negative errno with @err. */
int target_refuse_in_use(const struct target *target, struct error *err);

/* What a device that exists holds, as signature_find() tells it; a negative errno with @err. */
int target_signature(const struct target *target, char **what, struct error *err);

/* Release facts and everything else, the descriptor too. */
void target_free(struct target *target);

/* The reason why the word @word names no device. Fills @err, returns its code. */
int word_refuse_absent(const struct target_roots *roots, const char *word, int error,
		       struct error *err);
int word_refuse_character(const struct target_roots *roots, const char *word, dev_t number,
			  struct error *err);
int word_refuse_hidden(const struct target_roots *roots, const char *word, const char *name,
		       struct error *err);

#endif
