/* SPDX-License-Identifier: MIT */
/*
 * The NVMe controllers of a namespace and the way back, by sysfs links alone. With native multipath
 * the numbers in "nvme1n1" are the subsystem's and say nothing of controllers; each controller then has a
 * hidden path ("nvme1c2n1") below it.
 */
#ifndef SSDBENCH_TARGET_CONTROLLER_H
#define SSDBENCH_TARGET_CONTROLLER_H

#include <limits.h>

#include "ssdbench/target.h"

/* Controllers of the disk whose sysfs directory (links followed) is @disk; none for other drives.
 * 0 and an array that controllers_free() releases, or -ENOMEM. */
int controllers_find(const char *disk, struct drive_controller **list, size_t *nr);
void controllers_free(struct drive_controller *list, size_t nr);

/* Kernel name of the namespace that users open instead of the hidden path @name. 0 or -ENOENT. */
int controller_head_of_path(const struct target_roots *roots, const char *name,
			    char head[NAME_MAX + 1]);

/* Namespaces (kernel names, comma between them) that belong to a character device with the sysfs
 * directory @dir: a controller (nvme0) or a generic node (ng0n1). 0 or -ENOENT. */
int controller_namespaces(const struct target_roots *roots, const char *dir, char *names,
			  size_t size);

#endif
