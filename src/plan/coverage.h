/* SPDX-License-Identifier: MIT */
/* Which bytes of a drive the plan has written so far: a set of ranges. */
#ifndef SSDBENCH_PLAN_COVERAGE_H
#define SSDBENCH_PLAN_COVERAGE_H

#include "ssdbench/plan.h"

/* All zero is the empty set. Ranges are sorted and neither touch nor overlap. */
struct coverage {
	struct span *range;
	size_t nr;
};

/* Adds @span; an empty one changes nothing. 0 or -ENOMEM (@coverage is unchanged then). */
int coverage_add(struct coverage *coverage, struct span span);

/* Is every byte of @span in the set? True for an empty span. */
bool coverage_holds(const struct coverage *coverage, struct span span);

void coverage_fini(struct coverage *coverage);

#endif
