/* SPDX-License-Identifier: MIT */
/* Filling struct drive_facts from sysfs. */
#ifndef SSDBENCH_TARGET_FACTS_H
#define SSDBENCH_TARGET_FACTS_H

#include "ssdbench/target.h"

/* Empty facts (nothing known, no gaps yet). NULL: out of memory. */
struct drive_facts *facts_new(enum target_kind kind, const char *word, const char *name);

/* Note that @key is unknown because of @reason. 0 or -ENOMEM. */
int facts_gap(struct drive_facts *facts, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Why @key is unknown; NULL: no gap says so. Borrowed. */
const char *facts_gap_reason(const struct drive_facts *facts, const char *key);

/* Forget the gaps of @key: the fact was found elsewhere. */
void facts_gap_remove(struct drive_facts *facts, const char *key);

/*
 * Set @field, which is NULL, to @bytes made clean; a gap where they are blank (@source is empty) or not UTF-8 (their
 * hexadecimal form). 0 or -ENOMEM.
 */
int facts_set_text(struct drive_facts *facts, const char *key, char **field, const char *bytes,
		   size_t len, const char *source);

/*
 * Read what sysfs tells of the block device whose directory (links followed) is @dir: a disk or a
 * partition. @word and @path as in the facts. 0 and @facts set (drive_facts_free()), or a negative errno:
 * -ENOMEM, or what reading "size" gave. Everything else that cannot be read is a gap.
 */
int facts_read_block(struct drive_facts **facts, const char *dir, const char *word,
		     const char *path);

/* "loop", "zram", "ram": kinds of block device that have no drive of their own. NULL: another kind. */
const char *facts_virtual_kind(const char *disk_name);

/* Why a device with these facts can be no target at all, apart from being in use: zoned, metadata, no
 * capacity. The caller releases the text. 0 with *@why NULL where nothing speaks against it, or -ENOMEM. */
int facts_unfit(const struct drive_facts *facts, char **why);

#endif
