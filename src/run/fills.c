// SPDX-License-Identifier: MIT
#include "fills.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int fills_init(struct fills *fills, const struct plan *plan)
{
	*fills = (struct fills){.plan = plan};
	fills->incomplete =
		calloc(plan->nr_steps * plan->nr_drives + 1, sizeof(*fills->incomplete));
	fills->evidence = calloc(plan->nr_drives + 1, sizeof(*fills->evidence));
	if (fills->incomplete && fills->evidence)
		return 0;
	fills_fini(fills);
	return -ENOMEM;
}

static void forget_evidence(struct fills *fills)
{
	for (size_t i = 0; fills->evidence && i < fills->plan->nr_drives; i++) {
		free((char *)(uintptr_t)fills->evidence[i]); /* const only towards readers */
		fills->evidence[i] = NULL;
	}
}

void fills_fini(struct fills *fills)
{
	forget_evidence(fills);
	free(fills->evidence);
	free(fills->incomplete);
	*fills = (struct fills){0};
}

bool step_is_fill(const struct step *step)
{
	return step->kind == PHASE_FILL || step->kind == PHASE_RANDOM_FILL;
}

void fills_note(struct fills *fills, const struct step *step, const struct engine_result *engine)
{
	const size_t nr = fills->plan->nr_drives;

	if (!step_is_fill(step))
		return;
	for (size_t i = 0; i < nr; i++) {
		const bool complete = engine && engine->drive[i].ran && engine->drive[i].complete;

		fills->incomplete[step->index * nr + i] = !step->drive[i].skip && !complete;
	}
}

static bool overlaps(const struct span *a, const struct span *b)
{
	return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static bool covers(const struct span *outer, const struct span *inner)
{
	return outer->offset <= inner->offset &&
	       inner->offset + inner->bytes <= outer->offset + outer->bytes;
}

/* The last fill before @step that should have written some of its span and did not; NULL: none. */
static const struct step *find_incomplete(const struct fills *fills, const struct step *step,
					  size_t drive)
{
	for (unsigned int i = step->index; i-- > 0;) {
		const struct step *earlier = &fills->plan->step[i];
		const struct step_drive *on = &earlier->drive[drive];

		if (earlier->kind == PHASE_PURGE && !on->skip)
			return NULL; /* the plan knows that nothing from before it counts */
		if (!step_is_fill(earlier) || on->skip ||
		    !overlaps(&on->span, &step->drive[drive].span))
			continue;
		if (fills->incomplete[i * fills->plan->nr_drives + drive])
			return earlier;
		if (covers(&on->span, &step->drive[drive].span))
			return NULL; /* whatever was wrong before, this one wrote it all */
	}
	return NULL;
}

const char *const *fills_evidence(struct fills *fills, const struct step *step)
{
	forget_evidence(fills);
	for (size_t i = 0; i < fills->plan->nr_drives; i++) {
		const struct step *fill;
		char *text;

		if (!phase_kind_does_io(step->kind) || step->drive[i].skip)
			continue;
		fill = find_incomplete(fills, step, i);
		if (fill &&
		    asprintf(&text, "the fill of phase %s (step %u) did not come to its end",
			     fill->phase_name, fill->index) >= 0)
			fills->evidence[i] = text;
	}
	return fills->evidence;
}
