/* SPDX-License-Identifier: MIT */
/* Is a target in use: mounted, swap, held, the base of a loop device, open elsewhere for writing. */
#ifndef SSDBENCH_TARGET_INUSE_H
#define SSDBENCH_TARGET_INUSE_H

#include "footprint.h"

/*
 * 1 and *@why set to a sentence that names what uses the target and how to end that (release with
 * free()); 0: nothing was found; or a negative errno where one cannot tell, with *@why naming what could not be
 * read (NULL: out of memory). This process's own descriptors do not count.
 */
int inuse_find(char **why, const struct target_roots *roots, const struct footprint *footprint);

#endif
