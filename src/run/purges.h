/* SPDX-License-Identifier: MIT */
/* Purges of a run: how each went, and which drives are not as fresh as the profile wants them. */
#ifndef SSDBENCH_RUN_PURGES_H
#define SSDBENCH_RUN_PURGES_H

#include "ssdbench/result.h"

struct purges {
	size_t nr_drives;
	char **evidence; /* per drive: which purge failed; NULL: the last one did not; owned */
	struct step_purge *step; /* per drive, of the step at hand; owned */
	struct target **targets; /* those that the step purges; owned */
};

/* 0 or -ENOMEM. Release with purges_fini(). */
int purges_init(struct purges *purges, size_t nr_drives);
void purges_fini(struct purges *purges);

/* For step_outcome.not_purged: valid until the next purge. */
const char *const *purges_evidence(const struct purges *purges);

#endif
