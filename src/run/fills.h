/* SPDX-License-Identifier: MIT */
/*
 * Which fills came to their end. The plan says which step reads what no step writes before; a fill that
 * failed or was cut short makes that true of more steps.
 */
#ifndef SSDBENCH_RUN_FILLS_H
#define SSDBENCH_RUN_FILLS_H

#include "ssdbench/result.h"

struct fills {
	const struct plan *plan;
	bool *incomplete;      /* [step * nr_drives + drive], of steps that were to fill; owned */
	const char **evidence; /* one per drive; each text owned; NULL: no reason to doubt */
};

/* 0 or -ENOMEM. Release with fills_fini(). */
int fills_init(struct fills *fills, const struct plan *plan);
void fills_fini(struct fills *fills);

bool step_is_fill(const struct step *step);

/* Note how @step ended on each drive; steps that do not fill are ignored. */
void fills_note(struct fills *fills, const struct step *step, const struct engine_result *engine);

/* For step_outcome.unwritten of @step: valid until the next call. */
const char *const *fills_evidence(struct fills *fills, const struct step *step);

#endif
