// SPDX-License-Identifier: MIT
#include "profile_test.h"

#include <stdlib.h>

static const char measure[] = "{\"kind\": \"measure\", \"rw\": \"read\", \"runtime\": \"1s\", ";

/* @profile's text is valid, has its hash, and comes out the same again. */
static void check_round_trip(const struct profile *profile)
{
	struct profile *again = NULL;
	struct error err = {0};
	char *text = profile_to_text(profile), *text_again;

	assert_non_null(text);
	if (profile_parse(&again, text, strlen(text), "again.json", NULL, &err))
		fail_msg("%s\n%s", err.text, text);
	assert_string_equal(again->hash, profile->hash);
	assert_int_equal(again->nr_phases, profile->nr_phases);
	assert_int_equal(again->nr_parameters, 0);
	assert_null(strstr(text, "\"$"));
	text_again = profile_to_text(again);
	assert_string_equal(text, text_again);
	free(text);
	free(text_again);
	profile_free(again);
}

static void every_shipped_profile_survives_the_round_trip(void **state)
{
	struct profile_entry *entries = NULL;
	size_t nr = 0;

	(void)state;
	assert_int_equal(profile_list(&entries, &nr, NULL, NULL), 0);
	assert_true(nr > 0);
	for (size_t i = 0; i < nr; i++) {
		struct profile *profile = NULL;

		assert_int_equal(profile_load(&profile, entries[i].name, NULL, NULL), 0);
		check_round_trip(profile);
		profile_free(profile);
	}
	profile_list_free(entries, nr);
}

static void every_key_survives_the_round_trip(void **state)
{
	static const char *const phases[] = {
		"{\"kind\": \"fill\", \"bs\": \"1MiB\", \"iodepth\": 2, \"numjobs\": 3, \"passes\": 4,"
		" \"offset\": \"1000B\", \"size\": \"33.33%\", \"idle\": \"1500us\"}",
		"{\"kind\": \"saturate\", \"rw\": \"rw\", \"rwmixread\": 0, \"blockalign\": \"1MiB\","
		" \"bssplit\": [{\"bs\": \"4KiB\", \"percent\": \"0.01\"},"
		" {\"bs\": \"8KiB\", \"percent\": 99.99}], \"runtime\": \"90s\", \"ramp\": \"1ns\"}",
		"{\"kind\": \"measure\", \"rw\": [\"randread\", \"read\"], \"bs\": [\"4KiB\", \"128KiB\"],"
		" \"when\": \"capacity >= 245.76TB and logical_block < 4KiB\", \"runtime\": \"1h\","
		" \"random_map\": {\"granule\": \"4KiB\"}, \"gates\": [\"iops > 0\", \"errors == 0\"]}",
		"{\"kind\": \"idle\", \"name\": \"rest\", \"runtime\": \"1d\"}",
		"{\"kind\": \"purge\", \"idle\": \"1m\"}",
		"{\"kind\": \"purge\", \"method\": \"none\", \"on_failure\": \"continue\"}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		struct profile *profile = parse_phases(phases[i]);

		check_round_trip(profile);
		profile_free(profile);
	}
}

static void points_of_every_shape_survive_the_round_trip(void **state)
{
	static const char *const keys[] = {
		"\"iodepth\": [1, 2, 4], \"numjobs\": [1, 8]",
		"\"iodepth\": [1, 2, 4], \"numjobs\": [1, 8],"
		" \"order\": [\"iodepth\", \"numjobs\", \"bs\", \"rw\"]",
		"\"points\": [{\"iodepth\": 40, \"numjobs\": 1}, {\"iodepth\": 10, \"numjobs\": 4}]",
		/* Not the product of two lists, though the first two points look like it. */
		"\"points\": [{\"iodepth\": 1, \"numjobs\": 1}, {\"iodepth\": 2, \"numjobs\": 1},"
		" {\"iodepth\": 3, \"numjobs\": 2}, {\"iodepth\": 4, \"numjobs\": 2}]",
		/* A list that comes back would have a value twice. */
		"\"points\": [{\"iodepth\": 1, \"numjobs\": 1}, {\"iodepth\": 1, \"numjobs\": 2},"
		" {\"iodepth\": 2, \"numjobs\": 1}]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct profile *profile;
		char phase[1024];

		snprintf(phase, sizeof(phase), "%s\"bs\": \"4KiB\", %s}", measure, keys[i]);
		profile = parse_phases(phase);
		check_round_trip(profile);
		profile_free(profile);
	}
}

static void hash_of(const char *keys, char hash[17])
{
	struct profile *profile;
	char phase[1024];

	snprintf(phase, sizeof(phase), "%s%s}", measure, keys);
	profile = parse_phases(phase);
	assert_int_equal(strlen(profile->hash), 16);
	memcpy(hash, profile->hash, 17);
	profile_free(profile);
}

static void the_hash_is_of_the_workload_and_not_of_its_notation(void **state)
{
	char plain[17], other[17];

	(void)state;
	hash_of("\"bs\": \"128KiB\", \"iodepth\": [1, 2]", plain);
	hash_of("\"iodepth\": [1, 2], \"bs\": [\"131072\"], \"numjobs\": 1, \"size\": \"100%\"",
		other);
	assert_string_equal(plain, other);
	hash_of("\"bs\": \"128k\", \"points\": [{\"iodepth\": 1, \"numjobs\": 1},"
		" {\"iodepth\": 2, \"numjobs\": 1}]",
		other);
	assert_string_equal(plain, other);
	hash_of("\"bs\": \"128KiB\", \"iodepth\": [2, 1]", other);
	assert_string_not_equal(plain, other);
	hash_of("\"bs\": \"128kB\", \"iodepth\": [1, 2]", other);
	assert_string_not_equal(plain, other);
}

static void name_title_and_source_do_not_change_the_hash(void **state)
{
	static const char text[] =
		"{\"name\": \"y\", \"title\": \"Y\", \"source\": [{\"mark\": \"ours\", \"text\": \"t\"}],"
		" \"phases\": [{\"kind\": \"idle\", \"runtime\": \"1s\"}]}";
	struct profile *profile = parse_phases("{\"kind\": \"idle\", \"runtime\": \"1s\"}");
	struct profile *other = NULL;

	(void)state;
	assert_int_equal(profile_parse(&other, text, strlen(text), "y.json", NULL, NULL), 0);
	assert_string_equal(profile->hash, other->hash);
	check_round_trip(other);
	profile_free(profile);
	profile_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shipped_profile_survives_the_round_trip),
		cmocka_unit_test(every_key_survives_the_round_trip),
		cmocka_unit_test(points_of_every_shape_survive_the_round_trip),
		cmocka_unit_test(the_hash_is_of_the_workload_and_not_of_its_notation),
		cmocka_unit_test(name_title_and_source_do_not_change_the_hash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
