// SPDX-License-Identifier: MIT
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/histogram.h"
#include "ssdbench/random.h"

static const double percents[] = {0.001, 1, 5, 10, 50, 90, 99, 99.9, 99.99, 99.999, 100};

#define PERCENTS (sizeof(percents) / sizeof(percents[0]))

static void assert_within_1_percent(uint64_t value, uint64_t expected)
{
	const double distance = fabs((double)value - (double)expected);

	assert_true(distance <= 0.01 * (double)expected);
}

static void every_bucket_gives_its_index_back(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++)
		assert_int_equal(histogram_index(histogram_value(i)), i);
	assert_int_equal(HISTOGRAM_BUCKETS, 3776);
	assert_int_equal(histogram_index(0), 0);
	assert_int_equal(histogram_index(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static void buckets_join_without_gap_and_stay_near_their_middle(void **state)
{
	uint64_t first = 0; /* of the bucket */

	(void)state;
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		const unsigned int shift = i < 128 ? 0 : (i >> 6) - 1;
		const uint64_t last = first + (1ULL << shift) - 1;
		const uint64_t middle = histogram_value(i);

		assert_int_equal(histogram_index(first), i);
		assert_int_equal(histogram_index(last), i);
		assert_true((double)(middle - first) <= (double)first / 128);
		assert_true((double)(last - middle) <= (double)last / 128);
		first = last + 1;
	}
	assert_int_equal(first, 0); /* the top bucket ended at 2^64 - 1 */
}

static void the_buckets_below_17_s_are_those_of_fio(void **state)
{
	(void)state;
	/*
	 * fio's plat_idx_to_val() with 6 bits and 29 groups: 1856 buckets, the last from 16.9 s
	 * on.
	 */
	assert_int_equal(histogram_value(127), 127);
	assert_int_equal(histogram_value(128), 129);
	assert_int_equal(histogram_value(1855), 17112760320);
}

static void an_empty_histogram_says_zero(void **state)
{
	struct histogram *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	memset(h, 0xff, sizeof(*h));
	histogram_reset(h);
	assert_int_equal(h->count, 0);
	assert_int_equal(h->min, UINT64_MAX);
	assert_int_equal(h->max, 0);
	assert_true(histogram_mean(h) == 0.0);
	assert_true(histogram_stddev(h) == 0.0);
	assert_int_equal(histogram_percentile(h, 50), 0);
	free(h);
}

static void equal_values_give_that_value(void **state)
{
	static const uint64_t values[] = {0,       1,           127,         128,
					  1000000, 20000000000, 94000000000, 1ULL << 62};
	struct histogram *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		histogram_reset(h);
		for (int n = 0; n < 1000; n++)
			histogram_add(h, values[i]);
		assert_int_equal(h->count, 1000);
		for (size_t p = 0; p < PERCENTS; p++)
			assert_int_equal(histogram_percentile(h, percents[p]), values[i]);
		assert_true(histogram_mean(h) == (double)values[i]);
		/*
		 * The weights are rounded, so the mean of equal middles may miss by its last bit.
		 */
		assert_true(histogram_stddev(h) <= (double)values[i] * 1e-15);
	}
	free(h);
}

static int compare_values(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* @count values spread over a factor of 10 around @centre, checked against the sorted list. */
static void check_percentiles_around(uint64_t centre, size_t count, struct random *random)
{
	struct histogram *h = malloc(sizeof(*h));
	uint64_t *values = malloc(count * sizeof(*values));
	uint64_t last = 0;

	assert_non_null(h);
	assert_non_null(values);
	histogram_reset(h);
	for (size_t i = 0; i < count; i++) {
		values[i] = centre / 3 + random_below(random, centre * 2 + 1);
		histogram_add(h, values[i]);
	}
	qsort(values, count, sizeof(*values), compare_values);
	assert_int_equal(h->min, values[0]);
	assert_int_equal(h->max, values[count - 1]);
	for (size_t p = 0; p < PERCENTS; p++) {
		const uint64_t value = histogram_percentile(h, percents[p]);
		/* percents have three decimals at most, so this rank is exact */
		const uint64_t millis = (uint64_t)llround(percents[p] * 1000);
		const uint64_t rank = (millis * count + 99999) / 100000;

		assert_within_1_percent(value, values[rank - 1]);
		assert_true(value >= h->min && value <= h->max);
		assert_true(value >= last);
		last = value;
	}
	free(values);
	free(h);
}

static void percentiles_are_within_1_percent(void **state)
{
	static const uint64_t centres[] = {1, 100, 1000000, 20000000000, 94000000000, 1ULL << 62};
	static const size_t counts[] = {1, 2, 3, 10, 1000, 100003};
	struct random random;

	(void)state;
	random_seed(&random, 1, 2, 3, 4);
	for (size_t i = 0; i < sizeof(centres) / sizeof(centres[0]); i++) {
		for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++)
			check_percentiles_around(centres[i], counts[n], &random);
	}
}

static void twenty_seconds_do_not_saturate(void **state)
{
	struct histogram *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	histogram_reset(h);
	histogram_add(h, 1);
	for (int i = 0; i < 1000; i++)
		histogram_add(h, 20000000000);
	histogram_add(h, 1000000000000);
	assert_within_1_percent(histogram_percentile(h, 50), 20000000000);
	assert_within_1_percent(histogram_percentile(h, 99), 20000000000);
	assert_int_equal(histogram_percentile(h, 100), 1000000000000);
	free(h);
}

static void ranks_are_not_lost_to_binary_fractions(void **state)
{
	struct histogram *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	histogram_reset(h);
	/* Of 1000 values 99.9 % is the 999th; in doubles 99.9 / 100 * 1000 is above 999. */
	for (int i = 0; i < 998; i++)
		histogram_add(h, 10);
	histogram_add(h, 20);
	histogram_add(h, 30);
	assert_int_equal(histogram_percentile(h, 99.8), 10);
	assert_int_equal(histogram_percentile(h, 99.9), 20);
	assert_int_equal(histogram_percentile(h, 99.91), 30);
	assert_int_equal(histogram_percentile(h, 100), 30);
	free(h);
}

static void merging_equals_adding_all(void **state)
{
	struct histogram *all = malloc(sizeof(*all));
	struct histogram *part = malloc(4 * sizeof(*part));
	struct random random;

	(void)state;
	assert_non_null(all);
	assert_non_null(part);
	random_seed(&random, 7, 0, 0, 0);
	histogram_reset(all);
	for (int i = 0; i < 4; i++)
		histogram_reset(&part[i]);
	for (int i = 0; i < 100000; i++) {
		/* part[2] stays empty; sums pass 2^64 many times */
		const uint64_t value = random_next(&random) >> (i % 60);

		histogram_add(all, value);
		histogram_add(&part[i % 3 == 2 ? 3 : i % 3], value);
	}
	for (int i = 1; i < 4; i++)
		histogram_merge(&part[0], &part[i]);
	assert_memory_equal(&part[0], all, sizeof(*all));
	free(part);
	free(all);
}

static void the_mean_is_exact_beyond_64_bits(void **state)
{
	struct histogram *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	histogram_reset(h);
	for (int i = 0; i < 1000; i++) {
		histogram_add(h, 1ULL << 62);
		histogram_add(h, 1ULL << 63);
	}
	assert_true(histogram_mean(h) == 3.0 * (double)(1ULL << 61));
	histogram_reset(h);
	histogram_add(h, 1);
	histogram_add(h, 2);
	assert_true(histogram_mean(h) == 1.5);
	free(h);
}

static void the_deviation_is_near_the_true_one(void **state)
{
	struct histogram *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	histogram_reset(h);
	histogram_add(h, 5);
	assert_true(histogram_stddev(h) == 0.0);
	/* uniform over 0 to 999,999: 1,000,000 / sqrt(12) */
	histogram_reset(h);
	for (uint64_t i = 0; i < 1000000; i++)
		histogram_add(h, i);
	assert_true(fabs(histogram_stddev(h) - 288675.1) < 2886.0);
	/* exact where each value has its own bucket */
	histogram_reset(h);
	histogram_add(h, 10);
	histogram_add(h, 20);
	assert_true(histogram_stddev(h) == 5.0);
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bucket_gives_its_index_back),
		cmocka_unit_test(buckets_join_without_gap_and_stay_near_their_middle),
		cmocka_unit_test(the_buckets_below_17_s_are_those_of_fio),
		cmocka_unit_test(an_empty_histogram_says_zero),
		cmocka_unit_test(equal_values_give_that_value),
		cmocka_unit_test(percentiles_are_within_1_percent),
		cmocka_unit_test(twenty_seconds_do_not_saturate),
		cmocka_unit_test(ranks_are_not_lost_to_binary_fractions),
		cmocka_unit_test(merging_equals_adding_all),
		cmocka_unit_test(the_mean_is_exact_beyond_64_bits),
		cmocka_unit_test(the_deviation_is_near_the_true_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
