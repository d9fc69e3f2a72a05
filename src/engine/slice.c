// SPDX-License-Identifier: MIT
#include "slice.h"

#include <string.h>

/* The buckets in use are [first, last]; none where ios is 0. */
static unsigned int first_bucket(const struct slice_part *part)
{
	return histogram_index(part->min_ns);
}

static unsigned int last_bucket(const struct slice_part *part)
{
	return histogram_index(part->max_ns);
}

static void empty_counts(struct slice_part *part)
{
	part->ios = part->bytes = part->sum_ns = part->max_ns = 0;
	part->min_ns = UINT64_MAX;
	part->owed = &part->nothing;
}

void slice_settle(struct slice *slice)
{
	for (int dir = 0; dir < DIRECTIONS; dir++) {
		struct slice_part *part = &slice->dir[dir];

		++*part->owed;
		part->owed = &part->nothing;
	}
}

void slice_clear(struct slice *slice)
{
	for (int dir = 0; dir < DIRECTIONS; dir++) {
		struct slice_part *part = &slice->dir[dir];

		if (part->ios)
			memset(&part->bucket[first_bucket(part)], 0,
			       (last_bucket(part) - first_bucket(part) + 1) *
				       sizeof(part->bucket[0]));
		empty_counts(part);
	}
}

static void merge_part(struct slice_part *into, const struct slice_part *from)
{
	if (!from->ios)
		return;
	if (!into->ios)
		empty_counts(into);
	into->ios += from->ios;
	into->bytes += from->bytes;
	into->sum_ns += from->sum_ns;
	into->min_ns = from->min_ns < into->min_ns ? from->min_ns : into->min_ns;
	into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
	for (unsigned int i = first_bucket(from); i <= last_bucket(from); i++)
		into->bucket[i] += from->bucket[i];
}

void slice_merge(struct slice *into, const struct slice *from)
{
	for (int dir = 0; dir < DIRECTIONS; dir++)
		merge_part(&into->dir[dir], &from->dir[dir]);
}

void slice_add_to_histogram(const struct slice_part *part, struct histogram *h)
{
	if (!part->ios)
		return;
	h->count += part->ios;
	h->sum_high += __builtin_add_overflow(h->sum_low, part->sum_ns, &h->sum_low);
	h->min = part->min_ns < h->min ? part->min_ns : h->min;
	h->max = part->max_ns > h->max ? part->max_ns : h->max;
	for (unsigned int i = first_bucket(part); i <= last_bucket(part); i++)
		h->bucket[i] += part->bucket[i];
}
