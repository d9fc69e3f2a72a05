// SPDX-License-Identifier: MIT
#include "test.h"

#include "report/figures.h"

static void figures_have_three_digits_or_all_before_the_point(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{0.0, "0.00"},   {0.004, "0.00"},  {8.123, "8.12"},    {9.994, "9.99"},
		{9.996, "10.0"}, {81.26, "81.3"},  {99.94, "99.9"},    {99.96, "100"},
		{812.4, "812"},  {6812.0, "6812"}, {68123.4, "68123"}, {2.5e6, "2500000"},
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(figure_format(cases[i].value, text), cases[i].text);
	assert_string_equal(bandwidth_format(812.4e6, text), "812");
}

static void a_request_is_its_label_without_depth_and_jobs(void **state)
{
	char label[] = "randrw 4KiB rwmixread=70 iodepth=32 numjobs=4 #2";
	char idle[] = "idle 5s";
	struct step step = {.label = label};
	char text[64];

	(void)state;
	assert_string_equal(request_format(&step, text, sizeof(text)), "randrw 4KiB rwmixread=70");
	step.label = idle;
	assert_string_equal(request_format(&step, text, sizeof(text)), "idle 5s");
}

static void drive_writes_are_never_rounded_to_none(void **state)
{
	char text[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(drive_writes_format(0, 1000, text), "0");
	assert_string_equal(drive_writes_format(2000, 1000, text), "2.00");
	assert_string_equal(drive_writes_format(1375, 1000, text), "1.38");
	assert_string_equal(drive_writes_format(4, 1000, text), "0.004");
	assert_string_equal(drive_writes_format(1, 1000000, text), "<0.001");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_have_three_digits_or_all_before_the_point),
		cmocka_unit_test(a_request_is_its_label_without_depth_and_jobs),
		cmocka_unit_test(drive_writes_are_never_rounded_to_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
