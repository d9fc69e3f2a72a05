// SPDX-License-Identifier: MIT
#include "test.h"

#include <math.h>
#include <string.h>

#include "ssdbench/alias.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* 128K, 64K, 32K, 16K, 8K of the CDN write mix */
static const uint32_t cdn_write[] = {9851, 80, 40, 19, 10};

/* 4K to 20K, 24K to 124K, 128K of the CDN read mix */
static const uint32_t cdn_read[] = {
	55, 55, 55, 55, 55, 54, 54, 54, 54, 54, 54, 54, 54, 54, 54, 54,
	54, 54, 54, 54, 54, 54, 54, 54, 54, 54, 54, 54, 54, 54, 54, 8321,
};

/* P(i) * count * ALIAS_TOTAL, by enumerating the columns: no draw, no error. */
static void assert_exact(const uint32_t *weight, size_t count)
{
	uint64_t parts[ALIAS_MAX] = {0};
	struct alias alias;

	alias_init(&alias, weight, count);
	assert_int_equal(alias.count, count);
	for (size_t i = 0; i < count; i++) {
		assert_true(alias.column[i].cut <= ALIAS_TOTAL);
		assert_true(alias.column[i].choice[1] < count);
		parts[i] += alias.column[i].cut;
		parts[alias.column[i].choice[1]] += ALIAS_TOTAL - alias.column[i].cut;
	}
	for (size_t i = 0; i < count; i++)
		assert_int_equal(parts[i], (uint64_t)weight[i] * count);
}

static void the_cdn_mixes_are_exact(void **state)
{
	(void)state;
	assert_exact(cdn_write, COUNT(cdn_write));
	assert_exact(cdn_read, COUNT(cdn_read));
}

static void edge_weights_are_exact(void **state)
{
	static const uint32_t one[] = {10000};
	static const uint32_t last[] = {0, 0, 0, 10000};
	static const uint32_t halves[] = {5000, 5000};
	static const uint32_t thirds[] = {3333, 3333, 3334};
	static const uint32_t tiny[] = {1, 9999, 0};
	uint32_t many[ALIAS_MAX];

	(void)state;
	assert_exact(one, COUNT(one));
	assert_exact(last, COUNT(last));
	assert_exact(halves, COUNT(halves));
	assert_exact(thirds, COUNT(thirds));
	assert_exact(tiny, COUNT(tiny));
	for (size_t i = 0; i < ALIAS_MAX; i++)
		many[i] = i < 10000 % ALIAS_MAX ? 10000 / ALIAS_MAX + 1 : 10000 / ALIAS_MAX;
	assert_exact(many, ALIAS_MAX);
}

static void any_weights_are_exact(void **state)
{
	struct random random;

	(void)state;
	random_seed(&random, 11, 0, 0, 0);
	for (int round = 0; round < 2000; round++) {
		const size_t count = 1 + random_below(&random, ALIAS_MAX);
		uint32_t weight[ALIAS_MAX] = {0}, left = ALIAS_TOTAL;

		while (left > 0) {
			const uint32_t share = 1 + (uint32_t)random_below(&random, left);

			weight[random_below(&random, count)] += share;
			left -= share;
		}
		assert_exact(weight, count);
	}
}

/* A million draws by a fixed seed: each count within 4 standard errors of its weight. */
static void assert_drawn_as_weighted(const uint32_t *weight, size_t count)
{
	const int draws = 1000000;
	uint32_t drawn[ALIAS_MAX] = {0};
	struct random random;
	struct alias alias;

	alias_init(&alias, weight, count);
	random_seed(&random, 2024, 0, 0, 0);
	for (int i = 0; i < draws; i++) {
		const uint32_t index = alias_draw(&alias, &random);

		assert_true(index < count);
		drawn[index]++;
	}
	for (size_t i = 0; i < count; i++) {
		const double share = weight[i] / (double)ALIAS_TOTAL;
		const double error = sqrt(draws * share * (1 - share));

		assert_true(fabs(drawn[i] - draws * share) <= 4 * error);
	}
}

static void a_million_draws_follow_the_weights(void **state)
{
	static const uint32_t object_storage[] = {6500, 1500, 1500, 500};
	static const uint32_t with_zeros[] = {0, 2500, 0, 7500, 0};

	(void)state;
	assert_drawn_as_weighted(cdn_write, COUNT(cdn_write));
	assert_drawn_as_weighted(cdn_read, COUNT(cdn_read));
	assert_drawn_as_weighted(object_storage, COUNT(object_storage));
	assert_drawn_as_weighted(with_zeros, COUNT(with_zeros));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cdn_mixes_are_exact),
		cmocka_unit_test(edge_weights_are_exact),
		cmocka_unit_test(any_weights_are_exact),
		cmocka_unit_test(a_million_draws_follow_the_weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
