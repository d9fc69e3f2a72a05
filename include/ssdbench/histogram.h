/* SPDX-License-Identifier: MIT */
/*
 * Log-linear histogram of latencies in ns: 64 buckets to each power of two, so a bucket's middle
 * is within 1/128 (0.78 %) of every value in it. Values below 128 have a bucket each; the top
 * bucket ends at 2^64 - 1, so nothing saturates. The first 1856 buckets are fio's
 * (FIO_IO_U_PLAT_BITS 6), which makes an export to fio's format lossless below 17.1 s.
 */
#ifndef SSDBENCH_HISTOGRAM_H
#define SSDBENCH_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_SUB_BITS 6
#define HISTOGRAM_BUCKETS  ((64 - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS)

/* Caller's storage; all zero is an empty histogram with the exception of min (histogram_reset). */
struct histogram {
	uint64_t count;
	uint64_t min;               /* exact; UINT64_MAX while empty */
	uint64_t max;               /* exact; 0 while empty */
	uint64_t sum_low, sum_high; /* 128-bit sum of all values: the mean is exact */
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

/* Below 128 the shift is 0; above, the leading 7 bits of @value are kept. */
static inline unsigned int histogram_index(uint64_t value)
{
	const unsigned int msb =
		63U ^ (unsigned int)__builtin_clzll(value | 1U << HISTOGRAM_SUB_BITS);
	const unsigned int shift = msb - HISTOGRAM_SUB_BITS;

	return (shift << HISTOGRAM_SUB_BITS) + (unsigned int)(value >> shift);
}

/* The one call of the hot loop: no branch but the two of min and max. */
static inline void histogram_add(struct histogram *h, uint64_t value)
{
	h->bucket[histogram_index(value)]++;
	h->count++;
	h->sum_high += __builtin_add_overflow(h->sum_low, value, &h->sum_low);
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
}

/* Empties @h. */
void histogram_reset(struct histogram *h);

/* Adds all of @from to @into. */
void histogram_merge(struct histogram *into, const struct histogram *from);

/* The middle of a bucket, as in fio: what stands for its values. @index < HISTOGRAM_BUCKETS. */
uint64_t histogram_value(unsigned int index);

/*
 * The mean in ns, exact but for rounding to double; 0 for an empty histogram (callers print null).
 */
double histogram_mean(const struct histogram *h);

/*
 * Population standard deviation in ns from the buckets' middles; 0 below two values. Each value is
 * off by 0.78 % at most, so a spread that stays inside one bucket reads as 0.
 */
double histogram_stddev(const struct histogram *h);

/*
 * The value below or at which @percent (0 < percent <= 100) of the values lie: the middle of the
 * first bucket whose cumulative count reaches ceil(percent / 100 * count), as fio does, but kept
 * within [min, max]. The first and the last value are known exactly: min and max. Nine decimals of
 * @percent count. 0 for an empty histogram (callers print null).
 */
uint64_t histogram_percentile(const struct histogram *h, double percent);

#endif
