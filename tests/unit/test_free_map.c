// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>

#include "engine/free_map.h"
#include "ssdbench/random.h"

/* What free_map_next() must say, by looking at each granule. */
static uint64_t next_by_hand(const unsigned char *taken, uint64_t n, uint64_t from)
{
	while (taken[from])
		from = (from + 1) % n;
	return from;
}

static uint64_t run_by_hand(const unsigned char *taken, uint64_t n, uint64_t from, uint64_t most)
{
	uint64_t run = 0;

	while (run < most && from + run < n && !taken[from + run])
		run++;
	return run;
}

/* Take random runs until all is taken, beside a plain array; twice, over a restart. */
static void compare_with_an_array(uint64_t n, uint64_t longest)
{
	unsigned char *taken = calloc(n, 1);
	struct random random;
	struct free_map map;

	assert_non_null(taken);
	random_seed(&random, n, 0, 0, 0);
	assert_int_equal(free_map_init(&map, n), 0);
	for (int pass = 0; pass < 3; pass++) {
		while (map.free > 0) {
			const uint64_t from = random_below(&random, n);
			const uint64_t at = free_map_next(&map, from);
			const uint64_t most = 1 + random_below(&random, longest);
			const uint64_t run = free_map_run(&map, at, most);

			assert_int_equal(at, next_by_hand(taken, n, from));
			assert_int_equal(run, run_by_hand(taken, n, at, most));
			free_map_take(&map, at, run);
			for (uint64_t i = 0; i < run; i++)
				taken[at + i] = 1;
		}
		for (uint64_t i = 0; i < n; i++)
			assert_int_equal(taken[i], 1);
		for (uint64_t i = 0; i < n; i++)
			taken[i] = 0;
		free_map_restart(&map);
		assert_int_equal(map.free, n);
	}
	free_map_fini(&map);
	free(taken);
}

static void it_agrees_with_an_array_at_every_size(void **state)
{
	static const uint64_t size[] = {1, 2, 63, 64, 65, 127, 128, 1000, 4095, 4096, 4097, 20000};

	(void)state;
	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		compare_with_an_array(size[i], 1);
		compare_with_an_array(size[i], 100);
		compare_with_an_array(size[i], 5000);
	}
}

static void the_last_free_granule_of_a_large_map_is_found(void **state)
{
	const uint64_t n = (64ULL << 20) + 5;
	struct free_map map;

	(void)state;
	assert_int_equal(free_map_init(&map, n), 0);
	free_map_take(&map, 0, 12345678);
	free_map_take(&map, 12345679, n - 12345679);
	assert_int_equal(map.free, 1);
	assert_int_equal(free_map_next(&map, 0), 12345678);
	assert_int_equal(free_map_next(&map, 12345679), 12345678);
	assert_int_equal(free_map_next(&map, n - 1), 12345678);
	assert_int_equal(free_map_run(&map, 12345678, 100), 1);
	free_map_fini(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_with_an_array_at_every_size),
		cmocka_unit_test(the_last_free_granule_of_a_large_map_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
