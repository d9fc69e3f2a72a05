// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "run/fills.h"
#include "run_fixture.h"

static struct fixture f;
static struct fills fills;
static struct engine_result engine;

/* Two fills, then a row, on two drives. */
static int set_up(void **state)
{
	(void)state;
	fixture_init(&f, 3, 2);
	fixture_make_fill(&f, 0);
	fixture_make_fill(&f, 1);
	fixture_result_init(&engine, &f.step[0], 2);
	assert_int_equal(fills_init(&fills, &f.plan), 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fills_fini(&fills);
	engine_result_fini(&engine);
	fixture_fini(&f);
	return 0;
}

static void note(unsigned int step, bool first, bool second)
{
	engine.drive[0].complete = first;
	engine.drive[1].complete = second;
	fills_note(&fills, &f.step[step], &engine);
}

static bool is_doubted(size_t drive)
{
	return fills_evidence(&fills, &f.step[2])[drive] != NULL;
}

static void complete_fills_leave_no_doubt(void **state)
{
	(void)state;
	note(0, true, true);
	note(1, true, true);
	assert_false(is_doubted(0));
	assert_false(is_doubted(1));
}

static void an_incomplete_fill_is_named_on_its_drive(void **state)
{
	(void)state;
	note(0, true, true);
	note(1, true, false);
	assert_false(is_doubted(0));
	assert_non_null(strstr(fills_evidence(&fills, &f.step[2])[1], "step 1"));
}

static void a_later_complete_fill_mends_an_earlier_one(void **state)
{
	(void)state;
	note(0, false, false);
	note(1, true, true);
	assert_false(is_doubted(0));
}

static void a_smaller_fill_does_not_mend_what_it_does_not_cover(void **state)
{
	(void)state;
	note(0, false, true);
	note(1, true, true);
	f.on[1][0].span.bytes /= 2;
	assert_true(is_doubted(0));
	f.on[2][0].span.bytes /= 2; /* the row reads the mended half only */
	assert_false(is_doubted(0));
}

static void a_fill_that_failed_or_never_began_is_incomplete(void **state)
{
	(void)state;
	note(0, true, true);
	fills_note(&fills, &f.step[1], NULL);
	assert_true(is_doubted(0));
	assert_true(is_doubted(1));
}

static void a_fill_that_a_drive_skips_says_nothing_of_it(void **state)
{
	static char why[] = "skipped";

	(void)state;
	note(0, true, true);
	f.on[1][0].skip = why;
	fills_note(&fills, &f.step[1], NULL);
	assert_false(is_doubted(0));
	assert_true(is_doubted(1));
}

static void a_purge_makes_what_came_before_it_no_matter(void **state)
{
	(void)state;
	note(0, false, false);
	fixture_make_purge(&f, 1);
	assert_false(is_doubted(0)); /* the plan marks the row as unwritten */
}

int main(void)
{
#define FILLS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		FILLS_TEST(complete_fills_leave_no_doubt),
		FILLS_TEST(an_incomplete_fill_is_named_on_its_drive),
		FILLS_TEST(a_later_complete_fill_mends_an_earlier_one),
		FILLS_TEST(a_smaller_fill_does_not_mend_what_it_does_not_cover),
		FILLS_TEST(a_fill_that_failed_or_never_began_is_incomplete),
		FILLS_TEST(a_fill_that_a_drive_skips_says_nothing_of_it),
		FILLS_TEST(a_purge_makes_what_came_before_it_no_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
