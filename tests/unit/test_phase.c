// SPDX-License-Identifier: MIT
#include "profile_test.h"

static void absent_keys_have_the_documented_defaults(void **state)
{
	static const enum axis order[] = {AXIS_RW, AXIS_BS, AXIS_NUMJOBS, AXIS_IODEPTH};
	struct profile *profile = parse_phases(
		"{\"kind\": \"measure\", \"rw\": \"randrw\", \"bs\": \"4KiB\", \"runtime\": \"1s\"}");
	const struct phase *phase = profile->phase;

	(void)state;
	assert_int_equal(profile->nr_phases, 1);
	assert_int_equal(phase->kind, PHASE_MEASURE);
	assert_string_equal(phase->name, "measure");
	assert_int_equal(phase->nr_when, 0);
	assert_int_equal(phase->nr_rw, 1);
	assert_int_equal(phase->rw[0], RW_RANDRW);
	assert_int_equal(phase->rwmixread, 50);
	assert_int_equal(phase->nr_bs, 1);
	assert_int_equal(phase->bs[0].nr, 1);
	assert_int_equal(phase->bs[0].entry[0].bytes, 4096);
	assert_int_equal(phase->bs[0].entry[0].basis_points, 10000);
	assert_int_equal(phase->nr_points, 1);
	assert_int_equal(phase->point[0].iodepth, 1);
	assert_int_equal(phase->point[0].numjobs, 1);
	assert_memory_equal(phase->order, order, sizeof(order));
	assert_int_equal(phase->offset.bytes, 0);
	assert_int_equal(phase->offset.basis_points, 0);
	assert_int_equal(phase->size.basis_points, 10000);
	assert_int_equal(phase->blockalign, 0);
	assert_int_equal(phase->map_granule, 0);
	assert_int_equal(phase->map_region, 0);
	assert_int_equal(phase->passes, 1);
	assert_int_equal(phase->runtime_ns, 1000000000);
	assert_int_equal(phase->ramp_ns, 0);
	assert_int_equal(phase->idle_ns, 0);
	assert_int_equal(phase->nr_gates, 0);
	profile_free(profile);
}

static void every_key_reaches_its_field(void **state)
{
	struct profile *profile = parse_phases(
		"{\"kind\": \"measure\", \"name\": \"all\", \"when\": \"logical_block == 512B\","
		" \"rw\": [\"rw\", \"randrw\"], \"rwmixread\": 70, \"bs\": [\"8KiB\", \"1.5MiB\"],"
		" \"iodepth\": 3, \"numjobs\": 2, \"offset\": \"1GB\", \"size\": \"12.5%\","
		" \"blockalign\": \"64KiB\", \"random_map\": {\"granule\": \"4KiB\", \"region\": \"1TiB\"},"
		" \"runtime\": \"3h\", \"ramp\": \"500ms\", \"idle\": \"180s\", \"gates\": [\"errors == 0\"]}");
	const struct phase *phase = profile->phase;

	(void)state;
	assert_string_equal(phase->name, "all");
	assert_int_equal(phase->nr_when, 1);
	assert_int_equal(phase->nr_rw, 2);
	assert_int_equal(phase->rw[1], RW_RANDRW);
	assert_int_equal(phase->rwmixread, 70);
	assert_int_equal(phase->nr_bs, 2);
	assert_int_equal(phase->bs[1].entry[0].bytes, 1572864);
	assert_int_equal(phase->point[0].iodepth, 3);
	assert_int_equal(phase->point[0].numjobs, 2);
	assert_int_equal(phase->offset.bytes, 1000000000);
	assert_int_equal(phase->size.basis_points, 1250);
	assert_int_equal(phase->blockalign, 65536);
	assert_int_equal(phase->map_granule, 4096);
	assert_int_equal(phase->map_region, 1ULL << 40);
	assert_int_equal(phase->runtime_ns, 10800000000000);
	assert_int_equal(phase->ramp_ns, 500000000);
	assert_int_equal(phase->idle_ns, 180000000000);
	assert_int_equal(phase->nr_gates, 1);
	profile_free(profile);
}

static void a_fill_writes_and_a_random_fill_writes_at_random(void **state)
{
	struct profile *profile =
		parse_phases("{\"kind\": \"fill\", \"bs\": \"1MiB\", \"passes\": 2},"
			     "{\"kind\": \"random-fill\", \"bs\": \"4KiB\"}");

	(void)state;
	assert_int_equal(profile->phase[0].nr_rw, 1);
	assert_int_equal(profile->phase[0].rw[0], RW_WRITE);
	assert_int_equal(profile->phase[0].passes, 2);
	assert_int_equal(profile->phase[1].rw[0], RW_RANDWRITE);
	profile_free(profile);
}

static void check_points(const char *keys, const struct point *expected, size_t nr)
{
	struct profile *profile;
	char phase[512];

	snprintf(
		phase, sizeof(phase),
		"{\"kind\": \"measure\", \"rw\": \"read\", \"bs\": \"4KiB\", \"runtime\": \"1s\", %s}",
		keys);
	profile = parse_phases(phase);
	assert_int_equal(profile->phase[0].nr_points, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(profile->phase[0].point[i].iodepth, expected[i].iodepth);
		assert_int_equal(profile->phase[0].point[i].numjobs, expected[i].numjobs);
	}
	profile_free(profile);
}

static void iodepth_runs_inside_numjobs_unless_told_otherwise(void **state)
{
	static const struct point inside[] = {{1, 1}, {2, 1}, {3, 1}, {1, 4}, {2, 4}, {3, 4}};
	static const struct point outside[] = {{1, 1}, {1, 4}, {2, 1}, {2, 4}, {3, 1}, {3, 4}};

	(void)state;
	check_points("\"iodepth\": [1, 2, 3], \"numjobs\": [1, 4]", inside, 6);
	check_points("\"iodepth\": [1, 2, 3], \"numjobs\": [1, 4],"
		     "\"order\": [\"rw\", \"iodepth\", \"numjobs\", \"bs\"]",
		     outside, 6);
}

static void points_stay_in_the_order_in_which_they_are_written(void **state)
{
	static const struct point points[] = {{40, 1}, {10, 4}};

	(void)state;
	check_points(
		"\"points\": [{\"iodepth\": 40, \"numjobs\": 1}, {\"iodepth\": 10, \"numjobs\": 4}]",
		points, 2);
}

static void a_phase_that_is_not_enabled_is_dropped(void **state)
{
	struct profile *profile =
		parse_phases("{\"kind\": \"fill\", \"bs\": \"1MiB\", \"enabled\": false},"
			     "{\"kind\": \"idle\", \"runtime\": \"1s\", \"enabled\": true}");

	(void)state;
	assert_int_equal(profile->nr_phases, 1);
	assert_int_equal(profile->phase[0].kind, PHASE_IDLE);
	assert_int_equal(profile->phase[0].nr_rw, 0);
	assert_int_equal(profile->phase[0].nr_points, 0);
	profile_free(profile);
}

static void a_purge_is_of_the_best_method_and_stops_the_run_unless_told_otherwise(void **state)
{
	struct profile *profile =
		parse_phases("{\"kind\": \"purge\"},"
			     "{\"kind\": \"purge\", \"name\": \"again\", \"idle\": \"5s\","
			     " \"method\": \"sanitize-crypto\", \"on_failure\": \"continue\"}");

	(void)state;
	assert_int_equal(profile->phase[0].kind, PHASE_PURGE);
	assert_int_equal(profile->phase[0].purge, PURGE_AUTO);
	assert_int_equal(profile->phase[0].on_failure, PURGE_STOP);
	assert_int_equal(profile->phase[0].nr_points, 0);
	assert_int_equal(profile->phase[1].purge, PURGE_SANITIZE_CRYPTO);
	assert_int_equal(profile->phase[1].on_failure, PURGE_CONTINUE);
	assert_int_equal(profile->phase[1].idle_ns, 5000000000ULL);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_keys_have_the_documented_defaults),
		cmocka_unit_test(every_key_reaches_its_field),
		cmocka_unit_test(a_fill_writes_and_a_random_fill_writes_at_random),
		cmocka_unit_test(iodepth_runs_inside_numjobs_unless_told_otherwise),
		cmocka_unit_test(points_stay_in_the_order_in_which_they_are_written),
		cmocka_unit_test(a_phase_that_is_not_enabled_is_dropped),
		cmocka_unit_test(
			a_purge_is_of_the_best_method_and_stops_the_run_unless_told_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
