/* SPDX-License-Identifier: MIT */
/*
 * Reading the kernel's small text files and links. All functions take the directory first, so that
 * a test's own tree serves as well as /sys. Paths longer than PATH_MAX are -ENAMETOOLONG, never cut.
 */
#ifndef SSDBENCH_TARGET_SYSFS_H
#define SSDBENCH_TARGET_SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ssdbench/target.h"

/* One line of sysfs; an attribute is at most a page, and ours are far shorter. */
#define SYSFS_TEXT_MAX 512

/* Content of @dir/@file without blanks and newlines at its end, NUL-terminated; bytes otherwise as they
 * are. The length, or a negative errno. */
ssize_t sysfs_text(const char *dir, const char *file, char text[SYSFS_TEXT_MAX]);

/* 0 and @value set; -EINVAL where the text is no decimal number. */
int sysfs_number(const char *dir, const char *file, uint64_t *value);
int sysfs_integer(const char *dir, const char *file, int64_t *value); /* may be negative */

/* Is @dir/@file the number 1? False where it does not exist. */
bool sysfs_flag(const char *dir, const char *file);

bool sysfs_exists(const char *dir, const char *entry);

/* @dir/@entry with every link followed. 0 or a negative errno. */
int sysfs_resolve(const char *dir, const char *entry, char path[PATH_MAX]);

/* The directory of a block device: of its kernel name, or of its number. 0 or a negative errno. */
int sysfs_block_by_name(const struct target_roots *roots, const char *name, char dir[PATH_MAX]);
int sysfs_block_by_number(const struct target_roots *roots, dev_t number, char dir[PATH_MAX]);

/* The device number that @dir/dev holds, "259:3". 0 or a negative errno. */
int sysfs_device_number(const char *dir, dev_t *number);

/* @path becomes its parent directory. False at the top. */
bool sysfs_parent(char path[PATH_MAX]);

/* Last component of a path; borrowed from it. */
const char *sysfs_name(const char *path);

/* Names in @dir in version order (nvme2n1 before nvme10n1), dot entries left out. 0 with an array that
 * sysfs_list_free() releases, or a negative errno. */
int sysfs_list(const char *dir, char ***names, size_t *nr);
void sysfs_list_free(char **names, size_t nr);

/* The node of a kernel name below @roots->dev, where '!' stands for '/'. 0 or -ENAMETOOLONG. */
int sysfs_node_path(const struct target_roots *roots, const char *name, char path[PATH_MAX]);

/* snprintf into a path. 0 or -ENAMETOOLONG. */
int path_format(char path[PATH_MAX], const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
