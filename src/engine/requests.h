/* SPDX-License-Identifier: MIT */
/* What a worker asks of its drive next: a direction, a size and a place. Pure. */
#ifndef SSDBENCH_ENGINE_REQUESTS_H
#define SSDBENCH_ENGINE_REQUESTS_H

#include "offsets.h"
#include "ssdbench/engine.h"

struct requests {
	struct random random;
	uint32_t read_percent;
	struct offsets offsets;
};

struct request {
	struct place place;
	enum direction dir;
};

/*
 * The requests of job @job of @jobs on drive number @drive of @step. They depend on @seed, the step and
 * the drive's number, never on the time. 0 (release with requests_fini()), -ENOMEM or -EINVAL with @err.
 */
int requests_init(struct requests *requests, const struct step *step, const struct span *span,
		  uint64_t seed, uint32_t drive, uint32_t job, uint32_t jobs, struct error *err);
void requests_fini(struct requests *requests);

/* False: the step has no more. */
static inline bool requests_next(struct requests *requests, struct request *request)
{
	const uint32_t reads = requests->read_percent;

	if (reads == 0)
		request->dir = DIR_WRITE;
	else if (reads == 100)
		request->dir = DIR_READ;
	else
		request->dir = random_below(&requests->random, 100) < reads ? DIR_READ : DIR_WRITE;
	return offsets_next(&requests->offsets, &requests->random, &request->place);
}

#endif
