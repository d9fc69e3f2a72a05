// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cpu_list.h"

static void lists_above_cpu_1023_are_read_in_their_order(void **state)
{
	static const unsigned int want[] = {0, 5, 8, 9, 10, 11, 12, 13, 14, 15, 1030};
	unsigned int *cpus;
	size_t nr;

	(void)state;
	assert_int_equal(cpu_list_parse("0,5,8-15,1030", &cpus, &nr, NULL), 0);
	assert_int_equal(nr, sizeof(want) / sizeof(want[0]));
	assert_memory_equal(cpus, want, sizeof(want));
	free(cpus);
}

static void order_and_repetition_are_kept(void **state)
{
	static const unsigned int want[] = {3, 1, 1, 2, 3};
	unsigned int *cpus;
	size_t nr;

	(void)state;
	assert_int_equal(cpu_list_parse("3,1,1-3", &cpus, &nr, NULL), 0);
	assert_int_equal(nr, 5);
	assert_memory_equal(cpus, want, sizeof(want));
	free(cpus);
}

static void what_is_no_list_is_a_usage_error(void **state)
{
	static const char *const bad[] = {"",
					  "a",
					  "1,",
					  ",1",
					  "1,,2",
					  "1-",
					  "-1",
					  "3-1",
					  " 1",
					  "1 ",
					  "1;2",
					  "0x1",
					  "65536",
					  "1-70000",
					  "+1",
					  "1-2-3",
					  "4294967296",
					  "99999999999999999999",
					  "0,5,8-15,1030,"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = {0};
		unsigned int *cpus = NULL;
		size_t nr = 77;

		assert_int_equal(cpu_list_parse(bad[i], &cpus, &nr, &err), -EINVAL);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.text, "is not a list of CPUs"));
		assert_null(cpus);
		assert_int_equal(nr, 77);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_above_cpu_1023_are_read_in_their_order),
		cmocka_unit_test(order_and_repetition_are_kept),
		cmocka_unit_test(what_is_no_list_is_a_usage_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
