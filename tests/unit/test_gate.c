// SPDX-License-Identifier: MIT
#include "test.h"

#include "ssdbench/result.h"

/* 300 reads of 100 ns and 100 writes of 200 ns in a second, p99 of both 210 ns, no errors. */
static const struct row measured = {
	.counted_ns = NSEC_PER_SEC,
	.latency_p99_ns = 210,
	.dir =
		{
			[DIR_READ] = {.ios = 300,
				      .iops = 300.0,
				      .bandwidth = 3000.0,
				      .latency_mean_ns = 100.0},
			[DIR_WRITE] = {.ios = 100,
				       .iops = 100.0,
				       .bandwidth = 500.0,
				       .latency_mean_ns = 200.0},
		},
};

static void verdicts_are_those_of_the_table(void **state)
{
	static const struct {
		enum metric metric;
		enum comparison comparison;
		double bound;
		int verdict;
		double value;
	} table[] = {
		{METRIC_IOPS, CMP_GE, 400.0, 1, 400.0},
		{METRIC_IOPS, CMP_GT, 400.0, 0, 400.0},
		{METRIC_IOPS, CMP_LT, 400.5, 1, 400.0},
		{METRIC_BANDWIDTH, CMP_LE, 3500.0, 1, 3500.0},
		{METRIC_BANDWIDTH, CMP_LE, 3499.0, 0, 3500.0},
		{METRIC_LATENCY_MEAN, CMP_EQ, 125.0, 1, 125.0},
		{METRIC_LATENCY_MEAN, CMP_NE, 125.0, 0, 125.0},
		{METRIC_LATENCY_P99, CMP_LT, 211.0, 1, 210.0},
		{METRIC_LATENCY_P99, CMP_LT, 210.0, 0, 210.0},
		{METRIC_ERRORS, CMP_EQ, 0.0, 1, 0.0},
		{METRIC_ERRORS, CMP_GT, 0.0, 0, 0.0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct gate gate = {
			.metric = table[i].metric,
			.comparison = table[i].comparison,
			.value = table[i].bound,
		};
		double value = -1.0;

		if (gate_check(&gate, &measured, &value) != table[i].verdict)
			fail_msg("row %zu of the table", i);
		assert_true(value >= table[i].value && value <= table[i].value);
	}
}

static void a_row_without_figures_is_neither_held_nor_broken(void **state)
{
	static const enum step_status status[] = {STEP_SKIPPED, STEP_FAILED, STEP_INTERRUPTED};
	double value = -1.0;

	(void)state;
	for (enum metric metric = 0; metric < METRICS; metric++) {
		const struct gate gate = {.metric = metric, .comparison = CMP_GE, .value = 0.0};

		for (size_t i = 0; i < sizeof(status) / sizeof(status[0]); i++) {
			const struct row row = {.status = status[i]};

			assert_int_equal(gate_check(&gate, &row, &value), -1);
			assert_true(value < 0.0);
		}
	}
}

static void errors_count_where_no_io_succeeded(void **state)
{
	const struct row row = {.status = STEP_ERRORS, .counted_ns = 1, .errors = 7};
	const struct gate errors = {.metric = METRIC_ERRORS, .comparison = CMP_EQ, .value = 0.0};
	const struct gate iops = {.metric = METRIC_IOPS, .comparison = CMP_GE, .value = 0.0};
	double value = 0.0;

	(void)state;
	assert_int_equal(gate_check(&errors, &row, &value), 0);
	assert_true(value > 6.9 && value < 7.1);
	assert_int_equal(gate_check(&iops, &row, &value), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_are_those_of_the_table),
		cmocka_unit_test(a_row_without_figures_is_neither_held_nor_broken),
		cmocka_unit_test(errors_count_where_no_io_succeeded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
