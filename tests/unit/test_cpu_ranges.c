// SPDX-License-Identifier: MIT
#include "test.h"

#include "result/cpu_ranges.h"

static void lists_are_counted(void **state)
{
	(void)state;
	assert_int_equal(cpu_ranges_count("0"), 1);
	assert_int_equal(cpu_ranges_count("0,5,8-15,1030"), 11);
	assert_int_equal(cpu_ranges_count("0-1023"), 1024);
	assert_int_equal(cpu_ranges_count(""), 0);
	assert_int_equal(cpu_ranges_count("3-1"), 0);
	assert_int_equal(cpu_ranges_count("none"), 0);
}

static void a_cpu_is_found_within_its_range(void **state)
{
	(void)state;
	assert_true(cpu_ranges_have("0,5,8-15,1030", 12));
	assert_true(cpu_ranges_have("0,5,8-15,1030", 1030));
	assert_false(cpu_ranges_have("0,5,8-15,1030", 16));
	assert_false(cpu_ranges_have("", 0));
}

static void common_cpus_are_counted_once(void **state)
{
	(void)state;
	assert_int_equal(cpu_ranges_common("0-15,32-47", "0-7,40-63"), 16);
	assert_int_equal(cpu_ranges_common("0,2,4,6", "1,3,5,7"), 0);
	assert_int_equal(cpu_ranges_common("0,2,4,6", "0-7"), 4);
	assert_int_equal(cpu_ranges_common("0-3", ""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_counted),
		cmocka_unit_test(a_cpu_is_found_within_its_range),
		cmocka_unit_test(common_cpus_are_counted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
