/* SPDX-License-Identifier: MIT */
/* A row of a phase made into a step: all that does not depend on the drive. */
#ifndef SSDBENCH_PLAN_STEP_H
#define SSDBENCH_PLAN_STEP_H

#include "matrix.h"
#include "ssdbench/plan.h"

/* Kinds that write their whole span and end with it. */
bool phase_kind_fills(enum phase_kind kind);

/* Take what @row of @phase says, times as written or as @options replace them. */
void step_set_row(struct step *step, const struct phase *phase, const struct matrix_row *row,
		  const struct plan_options *options);

/* The same for a phase that purges. */
void step_set_purge(struct step *step, const struct phase *phase,
		    const struct plan_options *options);

/* The same for a phase that only waits. */
void step_set_idle(struct step *step, const struct phase *phase,
		   const struct plan_options *options);

#endif
