// SPDX-License-Identifier: MIT
#include "test.h"

#include "run/estimate.h"
#include "run_fixture.h"

static struct fixture f;
static struct estimate estimate;

/* A fill that the plan gives 10 s, a second one, and a row of 1 s with a pause of 2 s; two drives. */
static int set_up(void **state)
{
	(void)state;
	fixture_init(&f, 3, 2);
	fixture_make_fill(&f, 0);
	fixture_make_fill(&f, 1);
	f.step[0].estimate_ns = f.step[1].estimate_ns = 10 * NSEC_PER_SEC;
	f.step[2].idle_ns = 2 * NSEC_PER_SEC;
	f.step[2].estimate_ns = 3 * NSEC_PER_SEC;
	estimate_init(&estimate, &f.plan);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fixture_fini(&f);
	return 0;
}

static uint64_t all_bytes(void)
{
	return f.on[0][0].write_bytes * 2;
}

static void without_a_measured_rate_the_plan_is_believed(void **state)
{
	(void)state;
	assert_int_equal(estimate_left(&estimate, &f.step[0], 0, 0), 23 * NSEC_PER_SEC);
	assert_int_equal(estimate_left(&estimate, &f.step[0], 0, NSEC_PER_SEC), 22 * NSEC_PER_SEC);
	assert_int_equal(estimate_left_after(&estimate, &f.step[1]), 3 * NSEC_PER_SEC);
	assert_int_equal(estimate_left_after(&estimate, &f.step[2]), 0);
}

static void a_running_fill_is_judged_by_its_own_rate(void **state)
{
	(void)state;
	/* A quarter in 5 s: 15 s more, then what the plan says of the others. */
	assert_int_equal(estimate_left(&estimate, &f.step[0], all_bytes() / 4, 5 * NSEC_PER_SEC),
			 28 * NSEC_PER_SEC);
	assert_int_equal(estimate_left(&estimate, &f.step[0], all_bytes(), 5 * NSEC_PER_SEC),
			 13 * NSEC_PER_SEC);
}

static void later_fills_take_the_rate_of_earlier_ones(void **state)
{
	const uint64_t second = 1000 * NSEC_PER_MSEC;
	uint64_t left;

	(void)state;
	estimate_learn(&estimate, &f.step[0], all_bytes(), 40 * NSEC_PER_SEC);
	left = estimate_left_after(&estimate, &f.step[0]);
	assert_in_range(left, 43 * second - 10, 43 * second + 10);
	f.step[1].kind = PHASE_RANDOM_FILL; /* of which no rate is known */
	left = estimate_left_after(&estimate, &f.step[0]);
	assert_in_range(left, 43 * second - 10, 43 * second + 10);
	estimate_learn(&estimate, &f.step[1], all_bytes() / 2, 40 * NSEC_PER_SEC);
	left = estimate_left_after(&estimate, &f.step[0]);
	assert_in_range(left, 83 * second - 10, 83 * second + 10);
}

static void a_moment_teaches_nothing(void **state)
{
	(void)state;
	estimate_learn(&estimate, &f.step[0], 1, 1);
	estimate_learn(&estimate, &f.step[2], 1 << 20, NSEC_PER_SEC);
	assert_int_equal(estimate_left_after(&estimate, &f.step[0]), 13 * NSEC_PER_SEC);
}

static void skipped_steps_take_no_time(void **state)
{
	static char why[] = "skipped";

	(void)state;
	f.on[1][0].skip = why;
	assert_int_equal(estimate_left_after(&estimate, &f.step[0]), 13 * NSEC_PER_SEC);
	f.on[1][1].skip = why;
	assert_int_equal(estimate_left_after(&estimate, &f.step[0]), 3 * NSEC_PER_SEC);
}

int main(void)
{
#define ESTIMATE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		ESTIMATE_TEST(without_a_measured_rate_the_plan_is_believed),
		ESTIMATE_TEST(a_running_fill_is_judged_by_its_own_rate),
		ESTIMATE_TEST(later_fills_take_the_rate_of_earlier_ones),
		ESTIMATE_TEST(a_moment_teaches_nothing),
		ESTIMATE_TEST(skipped_steps_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
