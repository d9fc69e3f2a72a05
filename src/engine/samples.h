/* SPDX-License-Identifier: MIT */
/*
 * From the workers' slices to a sample per drive and second, without a lock: a worker fills a slice,
 * hands it over when its second is past, and goes on in a free one; the coordinator adds up what it finds.
 */
#ifndef SSDBENCH_ENGINE_SAMPLES_H
#define SSDBENCH_ENGINE_SAMPLES_H

#include <stdatomic.h>

#include "slice.h"

/* Seconds that the coordinator may be late before rows get coarse (see outbox_publish()). */
#define OUTBOX_SLICES 8

/* progress of a worker that will publish nothing more */
#define OUTBOX_CLOSED UINT32_MAX

/*
 * One worker's slices. The worker always takes the lowest free one, so that a few of them stay in cache
 * and the memory of the others is never touched.
 */
struct outbox {
	_Atomic uint32_t progress; /* all seconds below are published */
	atomic_bool full[OUTBOX_SLICES];
	struct slice slice[OUTBOX_SLICES];
	struct slice late; /* the worker's: what found no free slice */
};

/* @outbox: all zero. Returns the slice to fill first. */
struct slice *outbox_init(struct outbox *outbox);

/*
 * Hand @slice over; returns the one to fill next, empty. Where none is free (the coordinator is seconds
 * behind, since a listener blocks) what @slice holds goes with the next one that is handed over:
 * counts and latencies stay complete, but appear in a later second.
 */
struct slice *outbox_publish(struct outbox *outbox, struct slice *slice);

/* Say that all seconds below @second are published. */
void outbox_advance(struct outbox *outbox, uint32_t second);

struct sampler;

struct sampler_drive {
	uint32_t drive; /* number in the samples */
	struct outbox **outbox;
	uint32_t nr; /* of its workers; 0: the drive does not run */
};

/* @drives: copied; the outboxes are borrowed. NULL: no memory. */
struct sampler *sampler_new(const struct sampler_drive *drives, size_t nr,
			    const struct engine_hooks *hooks);

/* Take what the workers have published and call hooks->sample for each second that all workers
 * of a drive have left behind. 0 or -ENOMEM. */
int sampler_collect(struct sampler *sampler);

/* After the workers are done: the rows that are left of drive @index of @drives, @seconds in all, and more where
 * something completed later. */
int sampler_finish(struct sampler *sampler, size_t index, uint32_t seconds);

void sampler_free(struct sampler *sampler);

#endif
