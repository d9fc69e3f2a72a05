// SPDX-License-Identifier: MIT
#include "test.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run_fixture.h"

static struct fixture f;
static struct engine_result engine;
static struct step_outcome outcome;

static int set_up(void **state)
{
	(void)state;
	fixture_init(&f, 1, 3);
	fixture_result_init(&engine, &f.step[0], 3);
	outcome = (struct step_outcome){
		.step = &f.step[0],
		.engine = &engine,
		.drives = f.facts,
		.nr_drives = 3,
	};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	engine_result_fini(&engine);
	fixture_fini(&f);
	return 0;
}

static void add_ios(uint32_t drive, enum direction dir, unsigned int nr, uint64_t latency_ns)
{
	struct io_totals *totals = &engine.drive[drive].dir[dir];

	totals->ios += nr;
	totals->bytes += 4096ULL * nr;
	for (unsigned int i = 0; i < nr; i++)
		histogram_add(&totals->latency, latency_ns);
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void figures_are_those_of_the_histogram(void **state)
{
	struct row row;

	(void)state;
	engine.drive[0].counted_ns = 500 * NSEC_PER_MSEC;
	add_ios(0, DIR_READ, 98, 100);
	add_ios(0, DIR_READ, 2, 120);
	row_build(&row, &outcome, 0);
	assert_int_equal(row.dir[DIR_READ].ios, 100);
	assert_int_equal(row.dir[DIR_READ].bytes, 409600);
	assert_near(row.dir[DIR_READ].iops, 200.0);
	assert_near(row.dir[DIR_READ].bandwidth, 819200.0);
	assert_near(row.dir[DIR_READ].latency_mean_ns, 100.4);
	assert_near(row.dir[DIR_READ].latency_stddev_ns, 2.8);
	assert_int_equal(row.dir[DIR_READ].latency_min_ns, 100);
	assert_int_equal(row.dir[DIR_READ].latency_max_ns, 120);
	assert_int_equal(row.dir[DIR_READ].latency_p50_ns, 100);
	assert_int_equal(row.dir[DIR_READ].latency_p99_ns, 120);
	assert_int_equal(row.dir[DIR_WRITE].ios, 0);
	assert_int_equal(row.latency_p99_ns, 120);
}

static void a_histogram_of_20_s_does_not_saturate(void **state)
{
	struct row row;

	(void)state;
	add_ios(0, DIR_READ, 1000, 20 * NSEC_PER_SEC);
	row_build(&row, &outcome, 0);
	assert_int_equal(row.dir[DIR_READ].latency_p50_ns, 20 * NSEC_PER_SEC);
	assert_int_equal(row.dir[DIR_READ].latency_p99_99_ns, 20 * NSEC_PER_SEC);
}

static void without_io_all_figures_are_zero(void **state)
{
	const struct row_figures none = {0};
	struct row row;

	(void)state;
	row_build(&row, &outcome, ROW_TOTAL);
	assert_memory_equal(&row.dir[DIR_READ], &none, sizeof(none));
	engine.drive[0].counted_ns = 0;
	add_ios(0, DIR_READ, 1, 100);
	row_build(&row, &outcome, 0);
	assert_true(isfinite(row.dir[DIR_READ].iops));
}

static void the_total_merges_all_drives_that_ran(void **state)
{
	struct row row;

	(void)state;
	add_ios(0, DIR_READ, 10, 100);
	add_ios(1, DIR_READ, 30, 108);
	add_ios(2, DIR_READ, 99, 1);
	engine.drive[2].ran = false;
	row_build(&row, &outcome, ROW_TOTAL);
	assert_int_equal(row.dir[DIR_READ].ios, 40);
	assert_near(row.dir[DIR_READ].iops, 40.0);
	assert_near(row.dir[DIR_READ].latency_mean_ns, 106.0);
	assert_int_equal(row.dir[DIR_READ].latency_min_ns, 100);
}

static bool has_flag(enum flag_kind kind, uint32_t drive)
{
	struct row row;

	row_build(&row, &outcome, drive);
	for (uint32_t i = 0; i < row.nr_flags; i++) {
		if (row.flag[i].kind == kind)
			return true;
	}
	return false;
}

/* As a row of a drive that answers has: none at all is worth a flag. */
static void each_drive_reads_once(void)
{
	for (uint32_t drive = 0; drive < 3; drive++)
		add_ios(drive, DIR_READ, 1, 100);
}

static void a_clean_row_has_no_flag(void **state)
{
	struct row row;

	(void)state;
	each_drive_reads_once();
	row_build(&row, &outcome, ROW_TOTAL);
	assert_int_equal(row.nr_flags, 0);
}

static void a_busy_worker_marks_the_host_as_the_limit(void **state)
{
	(void)state;
	engine.busiest_worker = 0.9;
	assert_false(has_flag(FLAG_HOST_LIMITED, 0));
	engine.busiest_worker = 0.91;
	assert_true(has_flag(FLAG_HOST_LIMITED, 0));
}

static void workers_that_use_up_all_cpus_together_limit_it_too(void **state)
{
	(void)state;
	engine.busiest_worker = 0.25;
	engine.busy_cpus = 0.9;
	assert_false(has_flag(FLAG_HOST_LIMITED, 0));
	engine.busy_cpus = 0.91;
	assert_true(has_flag(FLAG_HOST_LIMITED, 0));
}

static void files_and_memory_are_no_device(void **state)
{
	(void)state;
	f.target[0].facts.kind = TARGET_SCRATCH;
	f.target[1].facts.ram_backed = true;
	assert_true(has_flag(FLAG_NOT_A_DEVICE, 0));
	assert_true(has_flag(FLAG_NOT_A_DEVICE, 1));
	assert_false(has_flag(FLAG_NOT_A_DEVICE, 2));
	assert_true(has_flag(FLAG_NOT_A_DEVICE, ROW_TOTAL));
}

static void a_clock_that_drifts_by_more_than_a_thousandth_is_flagged(void **state)
{
	(void)state;
	engine.clock_drift_ns = -1000000;
	assert_false(has_flag(FLAG_CLOCK_DRIFT, 0));
	engine.clock_drift_ns = -1000001;
	assert_true(has_flag(FLAG_CLOCK_DRIFT, 0));
	engine.clock_drift_ns = 1000001;
	assert_true(has_flag(FLAG_CLOCK_DRIFT, 0));
}

static void a_drive_that_throttled_is_flagged_with_its_evidence(void **state)
{
	const char *evidence[] = {NULL, "85 C, and its warning temperature is 82", NULL};
	struct row row;

	(void)state;
	each_drive_reads_once();
	assert_false(has_flag(FLAG_THROTTLED, 1));
	outcome.throttled = evidence;
	assert_false(has_flag(FLAG_THROTTLED, 0));
	row_build(&row, &outcome, 1);
	assert_int_equal(row.nr_flags, 1);
	assert_int_equal(row.flag[0].kind, FLAG_THROTTLED);
	assert_string_equal(row.flag[0].evidence, evidence[1]);
}

static void the_engine_tells_why_it_is_not_the_first_choice(void **state)
{
	struct row row;

	(void)state;
	each_drive_reads_once();
	strcpy(engine.reason, "io_uring: blocked (seccomp or container)");
	row_build(&row, &outcome, 1);
	assert_int_equal(row.nr_flags, 1);
	assert_int_equal(row.flag[0].kind, FLAG_FALLBACK_ENGINE);
	assert_string_equal(row.flag[0].evidence, engine.reason);
}

static void only_reads_of_unwritten_blocks_are_flagged(void **state)
{
	(void)state;
	f.on[0][1].unwritten = true;
	assert_false(has_flag(FLAG_UNWRITTEN, 0));
	assert_true(has_flag(FLAG_UNWRITTEN, 1));
	f.step[0].rw = RW_RANDWRITE;
	assert_false(has_flag(FLAG_UNWRITTEN, 1));
}

static void a_drive_that_gave_up_is_short_of_its_window(void **state)
{
	(void)state;
	each_drive_reads_once();
	engine.drive[1].ended_ns = NSEC_PER_SEC / 2;
	assert_false(has_flag(FLAG_SHORT, 1)); /* a slow drive, not one that stopped */
	engine.drive[1].counted_ns = NSEC_PER_SEC / 2;
	assert_true(has_flag(FLAG_SHORT, 1));
	assert_false(has_flag(FLAG_SHORT, 0));
}

static void a_window_in_which_no_request_ended_is_short(void **state)
{
	(void)state;
	add_ios(0, DIR_READ, 1, 100);
	add_ios(1, DIR_WRITE, 1, 100);
	assert_false(has_flag(FLAG_SHORT, 0));
	assert_false(has_flag(FLAG_SHORT, 1));
	assert_true(has_flag(FLAG_SHORT, 2));
}

static void a_fill_that_is_not_complete_is_short(void **state)
{
	(void)state;
	fixture_make_fill(&f, 0);
	assert_false(has_flag(FLAG_SHORT, 0));
	engine.drive[0].complete = false;
	assert_true(has_flag(FLAG_SHORT, 0));
	assert_false(has_flag(FLAG_SHORT, 1));
}

static void json_has_null_for_a_direction_without_io(void **state)
{
	json_t *step, *total, *latency, *bins, *bin;
	json_int_t count = 0;
	size_t index;

	(void)state;
	add_ios(0, DIR_WRITE, 1, 77);
	add_ios(1, DIR_WRITE, 9, 5000000);
	step = result_step_json(&outcome);
	total = json_object_get(step, "total");
	assert_true(json_is_null(json_object_get(total, "read")));
	latency = json_object_get(json_object_get(total, "write"), "latency_ns");
	bins = json_object_get(latency, "bins");
	assert_int_equal(json_array_size(bins), 2);
	assert_int_equal(json_integer_value(json_array_get(json_array_get(bins, 0), 0)), 77);
	json_array_foreach (bins, index, bin)
		count += json_integer_value(json_array_get(bin, 1));
	assert_int_equal(count, 10);
	assert_int_equal(json_integer_value(
				 json_object_get(json_object_get(latency, "percentiles"), "99.9")),
			 5000000);
	/* One I/O has no deviation. */
	latency = json_object_get(
		json_object_get(json_array_get(json_object_get(step, "drives"), 0), "write"),
		"latency_ns");
	assert_true(json_is_null(json_object_get(latency, "stddev")));
	json_decref(step);
}

static void a_sample_without_io_is_a_row_of_zeros_with_null_latencies(void **state)
{
	const struct sample sample = {.drive = 2, .second = 5};
	json_t *row = result_sample_json(&sample);
	json_t *columns = result_sample_columns_json();
	char *text = json_dumps(row, JSON_COMPACT);

	(void)state;
	assert_string_equal(text,
			    "[2,5,0,0,null,null,null,null,null,0,0,null,null,null,null,null]");
	assert_int_equal(json_array_size(columns), json_array_size(row));
	free(text);
	json_decref(row);
	json_decref(columns);
}

int main(void)
{
#define ROW_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		ROW_TEST(figures_are_those_of_the_histogram),
		ROW_TEST(a_histogram_of_20_s_does_not_saturate),
		ROW_TEST(without_io_all_figures_are_zero),
		ROW_TEST(the_total_merges_all_drives_that_ran),
		ROW_TEST(a_clean_row_has_no_flag),
		ROW_TEST(a_busy_worker_marks_the_host_as_the_limit),
		ROW_TEST(workers_that_use_up_all_cpus_together_limit_it_too),
		ROW_TEST(files_and_memory_are_no_device),
		ROW_TEST(a_clock_that_drifts_by_more_than_a_thousandth_is_flagged),
		ROW_TEST(a_drive_that_throttled_is_flagged_with_its_evidence),
		ROW_TEST(the_engine_tells_why_it_is_not_the_first_choice),
		ROW_TEST(only_reads_of_unwritten_blocks_are_flagged),
		ROW_TEST(a_drive_that_gave_up_is_short_of_its_window),
		ROW_TEST(a_window_in_which_no_request_ended_is_short),
		ROW_TEST(a_fill_that_is_not_complete_is_short),
		ROW_TEST(json_has_null_for_a_direction_without_io),
		ROW_TEST(a_sample_without_io_is_a_row_of_zeros_with_null_latencies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
