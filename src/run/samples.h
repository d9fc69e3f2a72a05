/* SPDX-License-Identifier: MIT */
/* Samples on their way to the journal: a line for up to a minute of them. */
#ifndef SSDBENCH_RUN_SAMPLES_H
#define SSDBENCH_RUN_SAMPLES_H

#include "ssdbench/engine.h"

#define SAMPLES_SECONDS 60

struct samples {
	struct sample *row; /* owned */
	size_t nr, capacity;
};

/* -ENOMEM or 0. Release with samples_fini(). */
int samples_init(struct samples *samples, size_t nr_drives);
void samples_fini(struct samples *samples);

/* False: a minute is held already; it must be taken first, nothing was added. */
bool samples_add(struct samples *samples, const struct sample *sample);

/* The journal's line of what is held, which is forgotten. A new reference; NULL: no memory. */
struct json_t *samples_take(struct samples *samples, unsigned int step);

#endif
