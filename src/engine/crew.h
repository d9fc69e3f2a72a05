/* SPDX-License-Identifier: MIT */
/* All workers of a step: made, started on one line, joined, and what they measured put together. */
#ifndef SSDBENCH_ENGINE_CREW_H
#define SSDBENCH_ENGINE_CREW_H

#include "worker.h"

struct crew_config {
	const struct engine_config *engine;
	const struct step *step;
	const struct engine_drive *drive;
	size_t nr_drives;
	const struct ring_ops *ops; /* of drives that are not null */
	bool null_override;         /* tests: ops for null targets too */
	uint32_t jobs, depth;       /* of each drive, of each worker */
	struct buffer_layout layout;
};

struct crew {
	struct crew_config config;
	struct worker *worker; /* drive by drive; [drive * jobs + job] for those that run */
	uint32_t nr;
	uint32_t *
		first; /* [drive]: its first worker; the drive runs where it differs from the next */
	struct outbox **outbox;
	struct halt *halt; /* [drive] */
	struct start_line line;
};

/* Workers a step needs, and requests in flight of each: the engine sync has a thread for each unit of
 * depth. */
void crew_size(const struct step *step, enum engine_kind kind, uint32_t *jobs, uint32_t *depth);

/* Set config->layout for @workers workers that need buffers. 0 or -ENOMEM: the bound is too low. */
int crew_lay_out(struct crew_config *config, uint64_t workers, struct error *err);

/* 0 and *@out set (release with crew_free()), or -ENOMEM. */
int crew_new(struct crew **out, const struct crew_config *config, struct error *err);

/* Start the threads and wait until all are prepared. 0, or the first failure with @err; then no thread runs. */
int crew_prepare(struct crew *crew, struct error *err);

/* All begin at once, a moment from now. */
void crew_go(struct crew *crew);

/* Wait @ns for the workers to finish; true: all have. */
bool crew_wait(struct crew *crew, uint64_t ns);

/* Some worker's ring broke down. */
bool crew_failed(struct crew *crew);

/* Bytes moved so far. */
uint64_t crew_bytes(const struct crew *crew);

/* End the work on all drives now. */
void crew_halt(struct crew *crew);

/* Join the threads. 0, or the first failure with @err. */
int crew_join(struct crew *crew, struct error *err);

/* After crew_join(): what the drives did. @result: zeroed, with drive[nr_drives] and histograms reset. */
void crew_collect(const struct crew *crew, struct engine_result *result);

/* Whole seconds of drive @index that have a sample, the last one begun included. */
uint32_t crew_seconds(const struct crew *crew, size_t index);

/* NULL is allowed. */
void crew_free(struct crew *crew);

#endif
