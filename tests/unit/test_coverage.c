// SPDX-License-Identifier: MIT
#include "test.h"

#include "plan/coverage.h"

static void nothing_is_covered_at_first(void **state)
{
	struct coverage coverage = {0};

	(void)state;
	assert_false(coverage_holds(&coverage, (struct span){0, 1}));
	assert_true(coverage_holds(&coverage, (struct span){5, 0}));
}

static void ranges_that_touch_become_one(void **state)
{
	struct coverage coverage = {0};

	(void)state;
	assert_int_equal(coverage_add(&coverage, (struct span){0, 100}), 0);
	assert_int_equal(coverage_add(&coverage, (struct span){200, 100}), 0);
	assert_int_equal(coverage.nr, 2);
	assert_false(coverage_holds(&coverage, (struct span){50, 200}));
	assert_int_equal(coverage_add(&coverage, (struct span){100, 100}), 0);
	assert_int_equal(coverage.nr, 1);
	assert_true(coverage_holds(&coverage, (struct span){0, 300}));
	assert_false(coverage_holds(&coverage, (struct span){0, 301}));
	coverage_fini(&coverage);
}

static void a_range_takes_in_all_that_it_overlaps(void **state)
{
	struct coverage coverage = {0};

	(void)state;
	assert_int_equal(coverage_add(&coverage, (struct span){500, 10}), 0);
	assert_int_equal(coverage_add(&coverage, (struct span){300, 10}), 0);
	assert_int_equal(coverage_add(&coverage, (struct span){100, 10}), 0);
	assert_int_equal(coverage.range[0].offset, 100);
	assert_int_equal(coverage_add(&coverage, (struct span){105, 300}), 0);
	assert_int_equal(coverage.nr, 2);
	assert_int_equal(coverage.range[0].offset, 100);
	assert_int_equal(coverage.range[0].bytes, 305);
	assert_int_equal(coverage.range[1].offset, 500);
	coverage_fini(&coverage);
}

static void a_smaller_range_changes_nothing(void **state)
{
	struct coverage coverage = {0};

	(void)state;
	assert_int_equal(coverage_add(&coverage, (struct span){0, 1000}), 0);
	assert_int_equal(coverage_add(&coverage, (struct span){10, 20}), 0);
	assert_int_equal(coverage_add(&coverage, (struct span){10, 0}), 0);
	assert_int_equal(coverage.nr, 1);
	assert_int_equal(coverage.range[0].bytes, 1000);
	coverage_fini(&coverage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_covered_at_first),
		cmocka_unit_test(ranges_that_touch_become_one),
		cmocka_unit_test(a_range_takes_in_all_that_it_overlaps),
		cmocka_unit_test(a_smaller_range_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
