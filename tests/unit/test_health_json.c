// SPDX-License-Identifier: MIT
#include "test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/result.h"
#include "ssdbench/value.h"

static const struct drive_health young = {
	.realtime_ns = 1796040000123456789ULL,
	.temperature_c = 45,
	.sensor_c = {47, TEMPERATURE_UNKNOWN, -5, TEMPERATURE_UNKNOWN, TEMPERATURE_UNKNOWN,
		     TEMPERATURE_UNKNOWN, TEMPERATURE_UNKNOWN, TEMPERATURE_UNKNOWN},
	.spare_percent = 100,
	.spare_threshold_percent = 10,
	.data_units_written = 1000,
};

static void expect_dump(const json_t *object, const char *key, const char *expected)
{
	char *text = json_dumps(json_object_get(object, key), VALUE_DUMP | JSON_ENCODE_ANY);

	assert_non_null(text);
	if (strcmp(text, expected) != 0)
		fail_msg("%s is %s, not %s", key, text, expected);
	free(text);
}

static void expect_member(const struct drive_health *health, const char *key, const char *expected)
{
	json_t *reading = result_health_json(health);

	expect_dump(reading, key, expected);
	json_decref(reading);
}

static void a_reading_has_its_figures(void **state)
{
	(void)state;
	expect_member(&young, "at", "\"2026-11-30T12:00:00.123Z\"");
	expect_member(&young, "temperature_c", "45");
	expect_member(&young, "sensors_c", "[47,null,-5]");
	expect_member(&young, "data_units_written", "1000");
	expect_member(&young, "warnings", "[]");
	expect_member(&young, "ocp", "false");
	expect_member(&young, "physical_written_bytes", "null");
	expect_member(&young, "throttling_status", "null");
}

static void an_unknown_temperature_is_null(void **state)
{
	struct drive_health health = young;

	(void)state;
	health.temperature_c = TEMPERATURE_UNKNOWN;
	expect_member(&health, "temperature_c", "null");
	health.temperature_c = 0;
	expect_member(&health, "temperature_c", "0");
}

static void warnings_are_words_too(void **state)
{
	struct drive_health health = young;

	(void)state;
	health.critical_warning = 0x0a;
	expect_member(&health, "critical_warning", "10");
	expect_member(&health, "warnings", "[\"temperature\",\"read_only\"]");
	health.critical_warning = 0xc0; /* reserved */
	expect_member(&health, "warnings", "[]");
}

static void a_counter_loses_no_digit(void **state)
{
	struct drive_health health = young;

	(void)state;
	health.data_units_read = 9007199254740993;
	expect_member(&health, "data_units_read", "9007199254740993");
	health.data_units_read = INT64_MAX;
	expect_member(&health, "data_units_read", "9223372036854775807");
	health.data_units_read = (unsigned __int128)INT64_MAX + 1;
	expect_member(&health, "data_units_read", "\"9223372036854775808\"");
	health.data_units_read = ~(unsigned __int128)0;
	expect_member(&health, "data_units_read", "\"340282366920938463463374607431768211455\"");
}

static json_t *change_of(const struct drive_health *before, const struct drive_health *after)
{
	json_t *first = result_health_json(before), *last = result_health_json(after);
	json_t *change = result_health_change_json(first, last);

	json_decref(first);
	json_decref(last);
	assert_non_null(change);
	return change;
}

static void counters_have_their_growth(void **state)
{
	struct drive_health old = young;
	json_t *change;

	(void)state;
	old.data_units_written = 1500;
	old.thermal_transitions[0] = 3;
	old.warning_temperature_minutes = 2;
	change = change_of(&young, &old);
	expect_dump(change, "data_units_written", "500");
	expect_dump(change, "thermal_transitions_1", "3");
	expect_dump(change, "thermal_transitions_2", "0");
	expect_dump(change, "warning_temperature_minutes", "2");
	expect_dump(change, "physical_written_bytes", "null");
	expect_dump(change, "write_amplification", "null");
	json_decref(change);
}

static void counters_above_64_bits_have_their_growth(void **state)
{
	struct drive_health before = young, after = young;
	json_t *change;

	(void)state;
	before.data_units_read = (unsigned __int128)INT64_MAX - 1;
	after.data_units_read = (unsigned __int128)INT64_MAX + 4;
	change = change_of(&before, &after);
	expect_dump(change, "data_units_read", "5");
	json_decref(change);
}

/* A drive was exchanged, or its firmware lost count. */
static void a_counter_that_went_back_has_no_growth(void **state)
{
	struct drive_health after = young;
	json_t *change;

	(void)state;
	after.data_units_written = 999;
	change = change_of(&young, &after);
	expect_dump(change, "data_units_written", "null");
	json_decref(change);
}

static void write_amplification_is_physical_over_host_bytes(void **state)
{
	struct drive_health before = young, after = young;
	json_t *change;

	(void)state;
	before.has_ocp = true;
	before.physical_written_bytes = (unsigned __int128)1 << 70;
	after.has_ocp = true;
	after.physical_written_bytes = before.physical_written_bytes + 500ULL * 512000 * 5 / 2;
	after.data_units_written = before.data_units_written + 500;
	change = change_of(&before, &after);
	expect_dump(change, "write_amplification", "2.5");
	expect_dump(change, "physical_written_bytes", "640000000");
	json_decref(change);
	after.data_units_written = before.data_units_written;
	change = change_of(&before, &after);
	expect_dump(change, "write_amplification", "null");
	json_decref(change);
}

static void without_readings_there_is_no_change(void **state)
{
	json_t *change = result_health_change_json(NULL, NULL);

	(void)state;
	assert_true(json_is_null(change));
}

static void a_row_has_a_member_for_each_column(void **state)
{
	json_t *reading = result_health_json(&young), *step = json_integer(7);
	json_t *row = result_health_row_json(step, reading);
	json_t *columns = result_health_columns_json();

	(void)state;
	assert_int_equal(json_array_size(row), json_array_size(columns));
	assert_string_equal(json_string_value(json_array_get(columns, 0)), "step");
	assert_int_equal(json_integer_value(json_array_get(row, 0)), 7);
	assert_string_equal(json_string_value(json_array_get(columns, 2)), "temperature_c");
	assert_int_equal(json_integer_value(json_array_get(row, 2)), 45);
	json_decref(row);
	json_decref(columns);
	json_decref(step);
	json_decref(reading);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reading_has_its_figures),
		cmocka_unit_test(an_unknown_temperature_is_null),
		cmocka_unit_test(warnings_are_words_too),
		cmocka_unit_test(a_counter_loses_no_digit),
		cmocka_unit_test(counters_have_their_growth),
		cmocka_unit_test(counters_above_64_bits_have_their_growth),
		cmocka_unit_test(a_counter_that_went_back_has_no_growth),
		cmocka_unit_test(write_amplification_is_physical_over_host_bytes),
		cmocka_unit_test(without_readings_there_is_no_change),
		cmocka_unit_test(a_row_has_a_member_for_each_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
