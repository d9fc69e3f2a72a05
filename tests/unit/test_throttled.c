// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "ssdbench/result.h"

static const struct drive_health cool = {.temperature_c = 60};

static void expect(const struct drive_health *now, int32_t warning_c, const char *part)
{
	char evidence[200] = "";

	assert_int_equal(health_throttled(&cool, now, warning_c, evidence, sizeof(evidence)),
			 part != NULL);
	if (part && !strstr(evidence, part))
		fail_msg("'%s' lacks '%s'", evidence, part);
}

static void a_cool_drive_has_not_throttled(void **state)
{
	struct drive_health now = {.temperature_c = 81};

	(void)state;
	expect(&cool, 82, NULL);
	expect(&now, 82, NULL);
	expect(&now, TEMPERATURE_UNKNOWN, NULL);
}

static void a_drive_at_its_warning_temperature_has(void **state)
{
	struct drive_health now = {.temperature_c = 82};

	(void)state;
	expect(&now, 82, "82 C");
}

static void its_own_count_says_most(void **state)
{
	struct drive_health now = {.temperature_c = 85, .thermal_transitions = {3, 1}};

	(void)state;
	expect(&now, 82, "3 times lightly and 1 times heavily");
}

static void minutes_of_heat_and_its_warning_count(void **state)
{
	struct drive_health minutes = {.temperature_c = 60, .warning_temperature_minutes = 2};
	struct drive_health warns = {.temperature_c = 60,
				     .critical_warning = NVME_WARNING_TEMPERATURE};
	struct drive_health ocp = {.temperature_c = 60, .has_ocp = true, .throttling_status = 2};

	(void)state;
	expect(&minutes, 82, "2 more minutes");
	expect(&warns, 82, "warns");
	expect(&ocp, 82, "level 2");
}

static void an_unknown_temperature_is_no_heat(void **state)
{
	struct drive_health now = {.temperature_c = TEMPERATURE_UNKNOWN};

	(void)state;
	expect(&now, 82, NULL);
	expect(&now, -300, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cool_drive_has_not_throttled),
		cmocka_unit_test(a_drive_at_its_warning_temperature_has),
		cmocka_unit_test(its_own_count_says_most),
		cmocka_unit_test(minutes_of_heat_and_its_warning_count),
		cmocka_unit_test(an_unknown_temperature_is_no_heat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
