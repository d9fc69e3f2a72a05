/* SPDX-License-Identifier: MIT */
/*
 * What one worker completed in one second, or in the part of it that lies in the counted window. The loop
 * adds each I/O here and nowhere else; totals and samples are made from slices when they close.
 */
#ifndef SSDBENCH_ENGINE_SLICE_H
#define SSDBENCH_ENGINE_SLICE_H

#include "ssdbench/engine.h"

struct slice_part {
	uint64_t ios, bytes;
	uint64_t sum_ns;
	uint64_t min_ns, max_ns; /* where ios is 0: nothing, or what slice_clear() leaves */
	uint32_t *owed;          /* the bucket of the last latency, which is not counted yet */
	uint32_t nothing;        /* what is owed at first */
	/* As histogram.bucket; 32 bits last for a second. Pages that no latency falls into are never
	 * touched, since only the range from min to max is read and cleared. */
	uint32_t bucket[HISTOGRAM_BUCKETS];
};

struct slice {
	uint32_t second; /* of the step */
	struct slice_part dir[DIRECTIONS];
};

/*
 * The bucket is counted one call late. @ns comes from the clock just now: the CPU would have to guess
 * whether this increment follows one of the same bucket, and wrong guesses cost as much as all else here.
 */
static inline void slice_add(struct slice_part *part, uint64_t bytes, uint64_t ns)
{
	++*part->owed;
	part->owed = &part->bucket[histogram_index(ns)];
	part->ios++;
	part->bytes += bytes;
	part->sum_ns += ns;
	if (ns < part->min_ns)
		part->min_ns = ns;
	if (ns > part->max_ns)
		part->max_ns = ns;
}

/* Count what is owed: before the slice is read or handed over. */
void slice_settle(struct slice *slice);

/* Empties it, so that slice_add() may begin; costs what was used of it. Memory that is all zero is
 * empty too, but must be cleared once before slice_add(). */
void slice_clear(struct slice *slice);

/* Adds all of @from to @into, whose second stays. */
void slice_merge(struct slice *into, const struct slice *from);

/* Adds all latencies of @part. */
void slice_add_to_histogram(const struct slice_part *part, struct histogram *histogram);

#endif
