/* SPDX-License-Identifier: MIT */
/*
 * How long the run will take from here: the plan's estimates, with fills corrected by the rate that fills
 * of this run have had so far.
 */
#ifndef SSDBENCH_RUN_ESTIMATE_H
#define SSDBENCH_RUN_ESTIMATE_H

#include "ssdbench/plan.h"

struct estimate {
	const struct plan *plan; /* borrowed */
	double ns_per_byte
		[PHASE_KINDS]; /* of a drive, in fills of that kind; 0: none measured yet */
};

void estimate_init(struct estimate *estimate, const struct plan *plan);

/* @bytes of @step on all its drives took @elapsed_ns. Steps that are not fills are ignored. */
void estimate_learn(struct estimate *estimate, const struct step *step, uint64_t bytes,
		    uint64_t elapsed_ns);

/* ns from now to the end of the run: @step has done @bytes in @elapsed_ns, and the later ones. */
uint64_t estimate_left(const struct estimate *estimate, const struct step *step, uint64_t bytes,
		       uint64_t elapsed_ns);

/* The same once @step and its pause are over. */
uint64_t estimate_left_after(const struct estimate *estimate, const struct step *step);

#endif
