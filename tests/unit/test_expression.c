// SPDX-License-Identifier: MIT
#include "profile_test.h"

static void conditions_are_read_in_order(void **state)
{
	struct profile *profile = parse_phases(
		"{\"kind\": \"idle\", \"runtime\": \"1s\","
		" \"when\": \"indirection_unit <= 4KiB and capacity > 1TB and logical_block != 512\"}");
	const struct phase *phase = profile->phase;

	(void)state;
	assert_int_equal(phase->nr_when, 3);
	assert_int_equal(phase->when[0].fact, FACT_INDIRECTION_UNIT);
	assert_int_equal(phase->when[0].comparison, CMP_LE);
	assert_int_equal(phase->when[0].value, 4096);
	assert_int_equal(phase->when[1].fact, FACT_CAPACITY);
	assert_int_equal(phase->when[1].comparison, CMP_GT);
	assert_int_equal(phase->when[1].value, 1000000000000);
	assert_int_equal(phase->when[2].fact, FACT_LOGICAL_BLOCK);
	assert_int_equal(phase->when[2].comparison, CMP_NE);
	assert_int_equal(phase->when[2].value, 512);
	profile_free(profile);
}

static void each_metric_has_its_unit(void **state)
{
	static const struct {
		enum metric metric;
		enum comparison comparison;
		double value;
		const char *text;
	} expected[] = {
		{METRIC_IOPS, CMP_GE, 1000.0, "iops >= 1000"},
		{METRIC_BANDWIDTH, CMP_GT, 100e6, "bandwidth > 100MB"},
		{METRIC_LATENCY_MEAN, CMP_LT, 1.5e6, "latency_mean < 1.5ms"},
		{METRIC_LATENCY_P99, CMP_LE, 5e9, "latency_p99 <= 5s"},
		{METRIC_ERRORS, CMP_EQ, 0.0, "errors == 0"},
	};
	struct profile *profile = parse_phases(
		"{\"kind\": \"measure\", \"rw\": \"read\", \"bs\": \"4KiB\", \"runtime\": \"1s\","
		" \"gates\": [\"iops >= 1000\", \"bandwidth > 100MB\", \"latency_mean < 1.5ms\","
		" \"latency_p99 <= 5s\", \"errors == 0\"]}");
	const struct phase *phase = profile->phase;

	(void)state;
	assert_int_equal(phase->nr_gates, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(phase->gate[i].metric, expected[i].metric);
		assert_int_equal(phase->gate[i].comparison, expected[i].comparison);
		assert_true(phase->gate[i].value == expected[i].value);
		assert_string_equal(phase->gate[i].text, expected[i].text);
	}
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_read_in_order),
		cmocka_unit_test(each_metric_has_its_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
