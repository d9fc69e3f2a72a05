// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "ssdbench/profile.h"

static const char text[] =
	"{\"name\": \"x\", \"title\": \"X\", \"parameters\": {"
	" \"depth\": {\"value\": 4, \"about\": \"d\"}, \"jobs\": {\"value\": [1, 2], \"about\": \"j\"},"
	" \"on\": {\"value\": true, \"about\": \"o\"}, \"time\": {\"value\": \"1s\", \"about\": \"t\"},"
	" \"share\": {\"value\": 98.51, \"about\": \"s\"}, \"gates\": {\"value\": [\"errors == 0\"], \"about\": \"g\"}"
	"}, \"phases\": [{\"kind\": \"idle\", \"runtime\": \"1s\"},"
	" {\"kind\": \"measure\", \"rw\": \"read\", \"enabled\": \"$on\", \"iodepth\": \"$depth\","
	" \"numjobs\": \"$jobs\", \"runtime\": \"$time\", \"gates\": \"$gates\","
	" \"bssplit\": [{\"bs\": \"4KiB\", \"percent\": \"$share\"}, {\"bs\": \"8KiB\", \"percent\": 1.49}]}]}";

static struct profile *parse(const char *const *set, size_t nr)
{
	const struct profile_options options = {.set = set, .nr_set = nr};
	struct profile *profile = NULL;
	struct error err = {0};

	if (profile_parse(&profile, text, strlen(text), "x.json", &options, &err))
		fail_msg("%s", err.text);
	return profile;
}

static void defaults_stand_where_phases_name_them(void **state)
{
	struct profile *profile = parse(NULL, 0);
	const struct phase *phase = &profile->phase[1];

	(void)state;
	assert_int_equal(profile->nr_parameters, 6);
	assert_string_equal(profile->parameter[0].name, "depth");
	assert_string_equal(profile->parameter[0].value, "4");
	assert_string_equal(profile->parameter[0].about, "d");
	assert_string_equal(profile->parameter[1].value, "[1,2]");
	assert_string_equal(profile->parameter[2].value, "true");
	assert_string_equal(profile->parameter[3].value, "1s");
	assert_string_equal(profile->parameter[4].value, "98.51");
	assert_int_equal(phase->nr_points, 2);
	assert_int_equal(phase->point[1].iodepth, 4);
	assert_int_equal(phase->point[1].numjobs, 2);
	assert_int_equal(phase->runtime_ns, 1000000000);
	assert_int_equal(phase->bs->entry[0].basis_points, 9851);
	profile_free(profile);
}

static void set_reads_a_value_by_the_type_of_the_default(void **state)
{
	static const char *const set[] = {"depth=9", "jobs=3,5,7", "time=2ms", "jobs=[8]",
					  "gates=iops > 0,errors == 0"};
	struct profile *profile = parse(set, 5);
	const struct phase *phase = &profile->phase[1];

	(void)state;
	assert_int_equal(phase->nr_points, 1); /* the later --set of jobs wins */
	assert_int_equal(phase->point[0].iodepth, 9);
	assert_int_equal(phase->point[0].numjobs, 8);
	assert_int_equal(phase->runtime_ns, 2000000);
	assert_int_equal(phase->nr_gates, 2);
	assert_string_equal(phase->gate[1].text, "errors == 0");
	assert_string_equal(profile->parameter[1].value, "[8]");
	profile_free(profile);
}

static void set_can_turn_a_phase_off(void **state)
{
	static const char *const set[] = {"on=false"};
	struct profile *profile = parse(set, 1);

	(void)state;
	assert_int_equal(profile->nr_phases, 1);
	profile_free(profile);
}

static void a_value_may_contain_an_equals_sign(void **state)
{
	static const char *const set[] = {"gates=iops >= 5"};
	struct profile *profile = parse(set, 1);

	(void)state;
	assert_int_equal(profile->phase[1].gate[0].comparison, CMP_GE);
	profile_free(profile);
}

static void a_value_that_is_not_utf8_is_refused(void **state)
{
	static const char *const set[] = {"time=\xff"};
	const struct profile_options options = {.set = set, .nr_set = 1};
	struct profile *profile = NULL;

	(void)state;
	assert_true(profile_parse(&profile, text, strlen(text), "x.json", &options, NULL) < 0);
	assert_null(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_stand_where_phases_name_them),
		cmocka_unit_test(set_reads_a_value_by_the_type_of_the_default),
		cmocka_unit_test(set_can_turn_a_phase_off),
		cmocka_unit_test(a_value_may_contain_an_equals_sign),
		cmocka_unit_test(a_value_that_is_not_utf8_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
