/* SPDX-License-Identifier: MIT */
/*
 * The drives' health over a run: read before it, after each step, before a step that follows a pause, and once
 * a minute within. A drive that never answers says why once and is left alone.
 */
#ifndef SSDBENCH_RUN_HEALTH_H
#define SSDBENCH_RUN_HEALTH_H

#include "ssdbench/result.h"

struct json_t;

/* One line of a journal holds the readings of all drives; how it begins, and nothing else does. */
#define HEALTH_PREFIX "{\"event\":\"health\","

struct drive_watch {
	bool silent; /* not to be asked again */
	bool has_reading;
	struct drive_health reading; /* the last one */
	char throttled[200];         /* the evidence of the step at hand; "": none */
};

struct health_watch {
	struct drive_watch *drive; /* owned */
	const char **throttled;    /* per drive, as step_outcome wants it; the array is owned */
	size_t nr_drives;
	uint64_t read_ns; /* CLOCK_MONOTONIC of the last readings; 0: none yet */
};

/* -ENOMEM or 0. Release with health_watch_fini(). */
int health_watch_init(struct health_watch *watch, size_t nr_drives);
void health_watch_fini(struct health_watch *watch);

/* Have @ns gone by since the last readings? */
bool health_watch_is_due(const struct health_watch *watch, uint64_t ns);

/*
 * Read the health of @targets. A new reference to the line for the journal, NULL where there is nothing to
 * say: no drive answers, and that is known. @step: NULL outside of steps.
 */
struct json_t *health_watch_read(struct health_watch *watch, struct target *const *targets,
				 const struct step *step);

/* A step begins: what throttled before is none of its evidence. */
void health_watch_begin_step(struct health_watch *watch);

/* Per drive, why it counts as throttled in this step, NULL where it does not. Valid until the next call. */
const char *const *health_watch_evidence(struct health_watch *watch);

#endif
