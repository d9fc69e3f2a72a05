/* SPDX-License-Identifier: MIT */
/* Which process has a target open, as far as /proc may be read. */
#ifndef SSDBENCH_TARGET_PROCESS_H
#define SSDBENCH_TARGET_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "footprint.h"

struct opener {
	pid_t pid;
	char comm[64];
	const char *name; /* of the item that it has open; borrowed from the footprint */
};

/* The first process other than @except (0: none) that has a part of @footprint open, @writers: for
 * writing. 1 and @opener set, 0: none seen, or a negative errno. */
int process_find_opener(struct opener *opener, const struct target_roots *roots,
			const struct footprint *footprint, pid_t except, bool writers);

/* Name of a process, "?" where it cannot be read. */
void process_comm(const struct target_roots *roots, pid_t pid, char comm[64]);

/* The number that a directory of /proc is named by; 0: it is no process. */
pid_t process_number(const char *name);

#endif
