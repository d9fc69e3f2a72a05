// SPDX-License-Identifier: MIT
/*
 * What is asked of a histogram once the measuring is over; adding a value is inline in the header.
 */
#include "ssdbench/histogram.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void histogram_reset(struct histogram *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
	into->count += from->count;
	into->sum_high += from->sum_high;
	into->sum_high += __builtin_add_overflow(into->sum_low, from->sum_low, &into->sum_low);
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

uint64_t histogram_value(unsigned int index)
{
	const unsigned int sub_buckets = 1U << HISTOGRAM_SUB_BITS;
	unsigned int shift;

	assert(index < HISTOGRAM_BUCKETS);
	if (index < 2 * sub_buckets)
		return index;
	shift = (index >> HISTOGRAM_SUB_BITS) - 1;
	return ((uint64_t)(sub_buckets + index % sub_buckets) << shift) + (1ULL << (shift - 1));
}

double histogram_mean(const struct histogram *h)
{
	const unsigned __int128 sum = (unsigned __int128)h->sum_high << 64 | h->sum_low;

	if (h->count == 0)
		return 0.0;
	/* Whole part and rest apart: a 128-bit sum would lose its low digits in a double. */
	return (double)(uint64_t)(sum / h->count) +
	       (double)(uint64_t)(sum % h->count) / (double)h->count;
}

double histogram_stddev(const struct histogram *h)
{
	double mean = 0.0, squares = 0.0;
	const double count = (double)h->count;

	if (h->count < 2)
		return 0.0;
	/*
	 * Around the mean of the middles, not the exact mean: else equal values would seem to
	 * spread by their distance from the middle. Two passes, since a difference of squares
	 * cancels.
	 */
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		if (h->bucket[i])
			mean += (double)histogram_value(i) * ((double)h->bucket[i] / count);
	}
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		const double distance = (double)histogram_value(i) - mean;

		if (h->bucket[i])
			squares += distance * distance * ((double)h->bucket[i] / count);
	}
	return sqrt(squares);
}

/*
 * ceil(percent / 100 * count), at least 1. In integers, since 99.9 is no binary fraction: in
 * doubles 99.9 % of 1000 values would be the 1000th. Nine decimals of a percentage count.
 */
static uint64_t rank_of(double percent, uint64_t count)
{
	const uint64_t scale = 1000000000;
	const unsigned __int128 whole = 100 * (unsigned __int128)scale;
	const unsigned __int128 share = (uint64_t)llround(percent * (double)scale);
	const uint64_t rank = (uint64_t)((share * count + whole - 1) / whole);

	return rank > 0 ? rank : 1;
}

uint64_t histogram_percentile(const struct histogram *h, double percent)
{
	uint64_t rank, below = 0, value;
	unsigned int i;

	assert(percent > 0.0 && percent <= 100.0);
	if (h->count == 0)
		return 0;
	rank = rank_of(percent, h->count);
	if (rank == 1)
		return h->min;
	if (rank == h->count)
		return h->max;
	for (i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
		below += h->bucket[i];
		if (below >= rank)
			break;
	}
	value = histogram_value(i);
	if (value < h->min)
		return h->min;
	return value > h->max ? h->max : value;
}
