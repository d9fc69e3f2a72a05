// SPDX-License-Identifier: MIT
/* The health of drives over a run, from the readings to the result. */
#include "test.h"

#include <jansson.h>
#include <string.h>

#include "run/health.h"
#include "run_fixture.h"

static struct fixture f;
static struct run_outcome outcome;
static struct nvme_facts nvme;

static int set_up(void **state)
{
	(void)state;
	fixture_init(&f, 2, 2);
	nvme = (struct nvme_facts){
		.has_controller = true,
		.controller = {.warning_temperature_c = 82, .critical_temperature_c = 85},
	};
	f.target[0].facts.nvme = &nvme;
	f.target[0].has_health = true;
	f.target[0].health = (struct drive_health){
		.realtime_ns = 1796040000123456789ULL,
		.temperature_c = 45,
		.data_units_written = 1000,
	};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	run_outcome_fini(&outcome);
	fixture_fini(&f);
	return 0;
}

/* The second step heats the drive up: 60 degrees in the first, 85 in the second. */
static int heats_up(struct engine_result *result, const struct step *step, size_t nr,
		    const struct engine_hooks *hooks, struct error *err)
{
	struct drive_health *health = &fixture->target[0].health;

	health->temperature_c = step->index == 0 ? 60 : 85;
	health->thermal_transitions[0] = step->index == 0 ? 0 : 3;
	health->warning_temperature_minutes = step->index == 0 ? 0 : 2;
	health->data_units_written += 1;
	return fixture_engine_ok(result, step, nr, hooks, err);
}

static json_t *run_and_load(void)
{
	json_t *document;

	fixture_run(&f, &outcome);
	assert_valid_result(outcome.result_path);
	document = json_load_file(outcome.result_path, 0, NULL);
	assert_non_null(document);
	return document;
}

static json_t *health_of(const json_t *document, size_t drive)
{
	return json_array_get(json_object_get(document, "health"), drive);
}

static json_int_t integer_in(const json_t *object, const char *part, const char *key)
{
	const json_t *value = json_object_get(json_object_get(object, part), key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static bool step_is_throttled(const json_t *document, size_t step)
{
	const json_t *entry = json_array_get(json_object_get(document, "steps"), step), *flag;
	size_t index;

	json_array_foreach (json_object_get(entry, "flags"), index, flag) {
		if (!strcmp(json_string_value(json_object_get(flag, "flag")), "throttled"))
			return true;
	}
	return false;
}

static void heat_is_told_before_during_and_after(void **state)
{
	json_t *document, *health, *rows;

	(void)state;
	f.engine = heats_up;
	document = run_and_load();
	health = health_of(document, 0);
	assert_int_equal(integer_in(health, "before", "temperature_c"), 45);
	assert_int_equal(integer_in(health, "after", "temperature_c"), 85);
	assert_int_equal(integer_in(health, "before", "thermal_transitions_1"), 0);
	assert_int_equal(integer_in(health, "after", "thermal_transitions_1"), 3);
	assert_int_equal(integer_in(health, "change", "thermal_transitions_1"), 3);
	assert_int_equal(integer_in(health, "change", "warning_temperature_minutes"), 2);
	assert_int_equal(integer_in(health, "change", "data_units_written"), 2);
	assert_true(json_is_null(json_object_get(health, "reason")));
	rows = json_object_get(health, "rows");
	assert_int_equal(json_array_size(rows), 3);
	assert_true(json_is_null(json_array_get(json_array_get(rows, 0), 0)));
	assert_int_equal(json_integer_value(json_array_get(json_array_get(rows, 1), 0)), 0);
	assert_int_equal(json_integer_value(json_array_get(json_array_get(rows, 1), 2)), 60);
	assert_false(step_is_throttled(document, 0));
	assert_true(step_is_throttled(document, 1));
	json_decref(document);
}

static void a_drive_that_cannot_be_asked_says_why_and_is_left_alone(void **state)
{
	json_t *document, *health;

	(void)state;
	document = run_and_load();
	health = health_of(document, 1);
	assert_string_equal(json_string_value(json_object_get(health, "reason")),
			    "not an NVMe drive");
	assert_true(json_is_null(json_object_get(health, "before")));
	assert_true(json_is_null(json_object_get(health, "after")));
	assert_true(json_is_null(json_object_get(health, "change")));
	assert_int_equal(json_array_size(json_object_get(health, "rows")), 0);
	assert_int_equal(f.target[1].healths, 1);
	json_decref(document);
}

/* Its status of once is no reason to give up on a drive. */
static int fails_once(struct engine_result *result, const struct step *step, size_t nr,
		      const struct engine_hooks *hooks, struct error *err)
{
	fixture->target[0].has_health = step->index != 0;
	return fixture_engine_ok(result, step, nr, hooks, err);
}

static void a_drive_that_answered_before_is_asked_again(void **state)
{
	json_t *document, *health;

	(void)state;
	f.engine = fails_once;
	document = run_and_load();
	health = health_of(document, 0);
	assert_non_null(json_string_value(json_object_get(health, "reason")));
	assert_int_equal(json_array_size(json_object_get(health, "rows")), 2);
	json_decref(document);
}

static void zero_kelvin_is_null_and_no_throttling(void **state)
{
	json_t *document;

	(void)state;
	f.target[0].health.temperature_c = TEMPERATURE_UNKNOWN;
	document = run_and_load();
	assert_true(json_is_null(json_object_get(json_object_get(health_of(document, 0), "before"),
						 "temperature_c")));
	assert_false(step_is_throttled(document, 0));
	json_decref(document);
}

static void readings_are_due_after_a_time(void **state)
{
	struct health_watch watch;

	(void)state;
	assert_int_equal(health_watch_init(&watch, 2), 0);
	assert_true(health_watch_is_due(&watch, NSEC_PER_SEC));
	json_decref(health_watch_read(&watch, f.targets, NULL));
	assert_false(health_watch_is_due(&watch, 60 * NSEC_PER_SEC));
	assert_true(health_watch_is_due(&watch, 0));
	health_watch_fini(&watch);
}

int main(void)
{
#define RUN_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		RUN_TEST(heat_is_told_before_during_and_after),
		RUN_TEST(a_drive_that_cannot_be_asked_says_why_and_is_left_alone),
		RUN_TEST(a_drive_that_answered_before_is_asked_again),
		RUN_TEST(zero_kelvin_is_null_and_no_throttling),
		RUN_TEST(readings_are_due_after_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
