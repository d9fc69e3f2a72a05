// SPDX-License-Identifier: MIT
#include "test.h"

#include <math.h>
#include <string.h>

#include "ssdbench/random.h"

static void the_generator_gives_the_known_answers(void **state)
{
	/* The reference code's first outputs from the state 1, 2, 3, 4. */
	static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};
	struct random random = {.state = {1, 2, 3, 4}};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(random_next(&random), expected[i]);
}

static void the_mixer_gives_the_known_answer(void **state)
{
	(void)state;
	/* splitmix64's first outputs from seed 0 */
	assert_int_equal(random_mix(0), 0xe220a8397b1dcdafULL);
	assert_int_equal(random_mix(0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
}

static void the_same_coordinates_give_the_same_stream(void **state)
{
	struct random a, b;

	(void)state;
	random_seed(&a, 42, 1, 2, 3);
	random_seed(&b, 42, 1, 2, 3);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(random_next(&a), random_next(&b));
}

static void a_seed_means_the_same_on_every_machine(void **state)
{
	struct random random;

	(void)state;
	/* Fixed once: a result that names its seed must stay reproducible by later versions. */
	random_seed(&random, 42, 1, 2, 3);
	assert_int_equal(random_next(&random), 14643438741774014716ULL);
}

static void each_coordinate_makes_another_stream(void **state)
{
	enum { SIDE = 8, STREAMS = SIDE * SIDE * SIDE * SIDE };
	static uint64_t first[STREAMS];
	size_t count = 0;

	(void)state;
	for (unsigned int i = 0; i < STREAMS; i++) {
		struct random random;
		uint64_t draw;

		random_seed(&random, i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE % SIDE,
			    i / SIDE / SIDE / SIDE);
		draw = random_next(&random);
		for (size_t k = 0; k < count; k++)
			assert_int_not_equal(first[k], draw);
		first[count++] = draw;
	}
}

static void neighbouring_streams_are_uncorrelated(void **state)
{
	const int draws = 100000;

	(void)state;
	for (uint64_t worker = 0; worker < 8; worker++) {
		struct random a, b;
		double sum = 0.0;
		unsigned int equal_bits = 0;

		random_seed(&a, 1, 0, 0, worker);
		random_seed(&b, 1, 0, 0, worker + 1);
		for (int i = 0; i < draws; i++) {
			const uint64_t x = random_next(&a), y = random_next(&b);

			sum += ((double)x / 0x1p64 - 0.5) * ((double)y / 0x1p64 - 0.5);
			equal_bits += (unsigned int)__builtin_popcountll(~(x ^ y));
		}
		/*
		 * Standard errors: 1 / sqrt(draws) of the correlation, sqrt(64 * draws) / 2 of the
		 * bits.
		 */
		assert_true(fabs(sum * 12 / draws) < 4 / sqrt(draws));
		assert_true(fabs(equal_bits - 32.0 * draws) < 4 * sqrt(64.0 * draws) / 2);
	}
}

static void draws_stay_below_their_bound_and_fill_it(void **state)
{
	static const uint64_t bounds[] = {1, 2, 3, 7, 1000, 60000000000, 1ULL << 63, UINT64_MAX};
	struct random random;

	(void)state;
	random_seed(&random, 5, 0, 0, 0);
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		double sum = 0.0;

		for (int n = 0; n < 100000; n++) {
			const uint64_t draw = random_below(&random, bounds[i]);

			assert_true(draw < bounds[i]);
			sum += (double)draw;
		}
		/* the mean of 0 .. bound - 1, 4 standard errors wide */
		assert_true(fabs(sum / 100000 - ((double)bounds[i] - 1) / 2) <=
			    4 * (double)bounds[i] / sqrt(12.0 * 100000));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_generator_gives_the_known_answers),
		cmocka_unit_test(the_mixer_gives_the_known_answer),
		cmocka_unit_test(the_same_coordinates_give_the_same_stream),
		cmocka_unit_test(a_seed_means_the_same_on_every_machine),
		cmocka_unit_test(each_coordinate_makes_another_stream),
		cmocka_unit_test(neighbouring_streams_are_uncorrelated),
		cmocka_unit_test(draws_stay_below_their_bound_and_fill_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
