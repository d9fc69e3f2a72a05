// SPDX-License-Identifier: MIT
#include "test.h"

#include <math.h>

#include "engine/requests.h"
#include "engine_fixture.h"

#define DRAWS 1000000U

static void draw(const struct step *step, uint64_t seed, uint64_t count[DIRECTIONS][ALIAS_MAX],
		 double *mean)
{
	const struct span span = {.bytes = 7681501126656ULL};
	struct requests requests;
	struct request request;
	uint64_t bytes = 0;

	assert_int_equal(requests_init(&requests, step, &span, seed, 0, 0, 1, NULL), 0);
	for (unsigned int i = 0; i < DRAWS; i++) {
		assert_true(requests_next(&requests, &request));
		count[request.dir][request.place.size]++;
		bytes += request.place.length;
	}
	*mean = (double)bytes / DRAWS / 1024.0;
	requests_fini(&requests);
}

/* Every size present, its share within 3 standard errors, the mean within 3 of its own. */
static void assert_mix(const struct mix *mix, double mean_kib)
{
	uint64_t count[DIRECTIONS][ALIAS_MAX] = {0};
	struct step step = step_of(mix, ORDER_RANDOM);
	double variance = 0, mean;

	step.runtime_ns = 1;
	draw(&step, 42, count, &mean);
	for (size_t i = 0; i < mix->mix.nr; i++) {
		const double share = mix->entry[i].basis_points / 10000.0;
		const double error = sqrt(share * (1 - share) * DRAWS);
		const double apart = (double)mix->entry[i].bytes / 1024.0 - mean_kib;

		assert_int_equal(count[DIR_WRITE][i], 0);
		assert_true(count[DIR_READ][i] > 0);
		assert_true(fabs((double)count[DIR_READ][i] - share * DRAWS) <= 3 * error);
		variance += share * apart * apart;
	}
	assert_true(fabs(mean - mean_kib) <= 3 * sqrt(variance / DRAWS));
}

static void mixes_are_drawn_as_they_are_written(void **state)
{
	struct mix mix;

	(void)state;
	mix_cdn_write(&mix);
	assert_mix(&mix, 126.7712);
	mix_cdn_read(&mix);
	assert_mix(&mix, 117.2284);
	mix_object(&mix);
	assert_mix(&mix, 62.040625 * 1024.0);
}

static void directions_have_the_share_that_was_asked(void **state)
{
	struct mix mix;

	(void)state;
	mix_single(&mix, KIB(4));
	for (uint32_t percent = 0; percent <= 100; percent += 10) {
		uint64_t count[DIRECTIONS][ALIAS_MAX] = {0};
		struct step step = step_of(&mix, ORDER_RANDOM);
		const double expected = percent / 100.0 * DRAWS;
		double mean;

		step.runtime_ns = 1;
		step.read_percent = percent;
		draw(&step, 42, count, &mean);
		assert_true(fabs((double)count[DIR_READ][0] - expected) <=
			    3 * sqrt(expected * (1 - percent / 100.0)));
		assert_int_equal(count[DIR_READ][0] + count[DIR_WRITE][0], DRAWS);
	}
}

static void a_sequential_mix_of_directions_has_one_position(void **state)
{
	const struct span span = {.bytes = MIB(1)};
	struct requests requests;
	struct request request;
	struct step step;
	struct mix mix;

	(void)state;
	mix_single(&mix, KIB(4));
	step = step_of(&mix, ORDER_SEQUENTIAL);
	step.read_percent = 70;
	assert_int_equal(requests_init(&requests, &step, &span, 1, 0, 0, 1, NULL), 0);
	for (uint64_t i = 0; i < 256; i++) {
		assert_true(requests_next(&requests, &request));
		assert_int_equal(request.place.offset, i * KIB(4));
	}
	assert_false(requests_next(&requests, &request));
}

static void jobs_of_a_drive_share_one_permutation_and_drives_do_not(void **state)
{
	const struct span span = {.bytes = MIB(16)};
	struct requests a, b, other;
	struct step step;
	struct mix mix;

	(void)state;
	mix_single(&mix, KIB(4));
	step = step_of(&mix, ORDER_ONCE);
	assert_int_equal(requests_init(&a, &step, &span, 1, 0, 0, 2, NULL), 0);
	assert_int_equal(requests_init(&b, &step, &span, 1, 0, 1, 2, NULL), 0);
	assert_int_equal(requests_init(&other, &step, &span, 1, 1, 0, 2, NULL), 0);
	assert_int_equal(a.offsets.once.permutation.multiplier[0],
			 b.offsets.once.permutation.multiplier[0]);
	assert_int_not_equal(a.offsets.once.permutation.multiplier[0],
			     other.offsets.once.permutation.multiplier[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixes_are_drawn_as_they_are_written),
		cmocka_unit_test(directions_have_the_share_that_was_asked),
		cmocka_unit_test(a_sequential_mix_of_directions_has_one_position),
		cmocka_unit_test(jobs_of_a_drive_share_one_permutation_and_drives_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
