// SPDX-License-Identifier: MIT
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "ssdbench/permutation.h"

/* 245.76 TB in blocks of 4 KiB */
#define BLOCKS_OF_A_LARGE_DRIVE 60000000000ULL

static void a_pass_visits_every_block_once(void **state)
{
	static const uint64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 1 << 20, (1 << 20) + 1, 1000003};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (uint64_t key = 0; key < 3; key++) {
			bool *seen = calloc(sizes[i], sizeof(*seen));
			struct permutation p;

			assert_non_null(seen);
			permutation_init(&p, sizes[i], key);
			for (uint64_t index = 0; index < sizes[i]; index++) {
				const uint64_t block = permutation_at(&p, index);

				assert_true(block < sizes[i]);
				assert_false(seen[block]);
				seen[block] = true;
				assert_int_equal(permutation_index(&p, block), index);
			}
			free(seen);
		}
	}
}

static void the_inverse_holds_on_large_drives(void **state)
{
	static const uint64_t sizes[] = {BLOCKS_OF_A_LARGE_DRIVE, (1ULL << 62) + 1, 1ULL << 63};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct permutation p;

		permutation_init(&p, sizes[i], 99);
		for (uint64_t k = 0; k < 100000; k++) {
			const uint64_t ends[] = {k, sizes[i] / 2 + k, sizes[i] - 1 - k};

			for (size_t e = 0; e < 3; e++) {
				const uint64_t block = permutation_at(&p, ends[e]);

				assert_true(block < sizes[i]);
				assert_int_equal(permutation_index(&p, block), ends[e]);
				assert_int_equal(permutation_at(&p, permutation_index(&p, ends[e])),
						 ends[e]);
			}
		}
	}
}

static void workers_share_a_pass_without_overlap(void **state)
{
	const uint64_t n = 100003;
	struct permutation p;

	(void)state;
	permutation_init(&p, n, 5);
	for (uint64_t workers = 1; workers <= 7; workers++) {
		unsigned char *seen = calloc(n, 1);
		uint64_t visits = 0;

		assert_non_null(seen);
		for (uint64_t worker = 0; worker < workers; worker++) {
			for (uint64_t index = worker; index < n; index += workers) {
				seen[permutation_at(&p, index)]++;
				visits++;
			}
		}
		assert_int_equal(visits, n);
		for (uint64_t block = 0; block < n; block++)
			assert_int_equal(seen[block], 1);
		free(seen);
	}
}

/* Correlation of x[i] and y[i], both uniform over [0, n). */
static double correlation(const uint64_t *x, const uint64_t *y, uint64_t count, uint64_t n)
{
	const double middle = ((double)n - 1) / 2;
	double sum = 0.0;

	for (uint64_t i = 0; i < count; i++)
		sum += ((double)x[i] - middle) * ((double)y[i] - middle);
	return sum / (double)count / ((double)n * (double)n / 12);
}

static uint64_t *first_blocks(uint64_t n, uint64_t key, uint64_t count)
{
	uint64_t *block = malloc(count * sizeof(*block));
	struct permutation p;

	assert_non_null(block);
	permutation_init(&p, n, key);
	for (uint64_t i = 0; i < count; i++)
		block[i] = permutation_at(&p, i);
	return block;
}

static void following_blocks_are_unrelated(void **state)
{
	static const uint64_t sizes[] = {1 << 20, 1000003, BLOCKS_OF_A_LARGE_DRIVE};
	const uint64_t count = 1000003;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const uint64_t used = sizes[i] < count ? sizes[i] : count;

		for (uint64_t key = 0; key < 5; key++) {
			uint64_t *block = first_blocks(sizes[i], key, used);

			/*
			 * lags as T workers see them; a true shuffle has a standard error of 0.001
			 */
			for (uint64_t lag = 1; lag <= 64; lag *= 2)
				assert_true(fabs(correlation(block, block + lag, used - lag,
							     sizes[i])) < 0.01);
			free(block);
		}
	}
}

static void following_blocks_are_near_only_by_chance(void **state)
{
	const uint64_t n = BLOCKS_OF_A_LARGE_DRIVE, count = 1000000;

	(void)state;
	for (uint64_t key = 0; key < 5; key++) {
		uint64_t *block = first_blocks(n, key, count);
		unsigned int near = 0;

		for (uint64_t i = 1; i < count; i++) {
			const uint64_t a = block[i - 1], b = block[i];

			near += (a < b ? b - a : a - b) < n / 1000;
		}
		/* 0.2 % of the pairs of a shuffle, 5 standard errors wide */
		assert_true(fabs(near - 2000.0) < 5 * sqrt(2000));
		free(block);
	}
}

/* The step from block to block must not repeat, as it would in a linear sequence. */
static void steps_from_block_to_block_are_uniform(void **state)
{
	enum { BINS = 256 };
	const uint64_t n = BLOCKS_OF_A_LARGE_DRIVE, count = 1000000;

	(void)state;
	for (uint64_t key = 0; key < 5; key++) {
		const double expected = (double)(count - 1) / BINS;
		uint64_t *block = first_blocks(n, key, count);
		double bins[BINS] = {0}, chi_square = 0.0;

		for (uint64_t i = 1; i < count; i++)
			bins[(block[i] + n - block[i - 1]) % n / (n / BINS + 1)]++;
		for (int i = 0; i < BINS; i++)
			chi_square += (bins[i] - expected) * (bins[i] - expected) / expected;
		/* 255 degrees of freedom: mean 255, standard deviation sqrt(510) */
		assert_true(chi_square < 255 + 5 * sqrt(510));
		free(block);
	}
}

static void keys_give_unrelated_orders(void **state)
{
	static const uint64_t sizes[] = {1000003, BLOCKS_OF_A_LARGE_DRIVE};
	const uint64_t count = 1000000;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		uint64_t *first = first_blocks(sizes[i], 0, count);

		for (uint64_t key = 1; key < 8; key++) {
			uint64_t *other = first_blocks(sizes[i], key, count);
			uint64_t same = 0;

			assert_true(fabs(correlation(first, other, count, sizes[i])) < 0.01);
			for (uint64_t k = 0; k < count; k++)
				same += first[k] == other[k];
			/* a Poisson count of mean 1 at most */
			assert_true(same < 10);
			free(other);
		}
		free(first);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_visits_every_block_once),
		cmocka_unit_test(the_inverse_holds_on_large_drives),
		cmocka_unit_test(workers_share_a_pass_without_overlap),
		cmocka_unit_test(following_blocks_are_unrelated),
		cmocka_unit_test(following_blocks_are_near_only_by_chance),
		cmocka_unit_test(steps_from_block_to_block_are_uniform),
		cmocka_unit_test(keys_give_unrelated_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
