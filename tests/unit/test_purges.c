// SPDX-License-Identifier: MIT
/* Runs with a purge in them: what its failure means for the rest. */
#include "test.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "run_fixture.h"

#define INVALID_FORMAT 0x410a
#define ROWS_OF_STEP   3 /* two drives and their total */

static struct fixture f;
static struct run_outcome outcome;

/* A purge, a row, another row, on two drives. */
static int set_up(void **state)
{
	(void)state;
	fixture_init(&f, 3, 2);
	fixture_make_purge(&f, 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	run_outcome_fini(&outcome);
	fixture_fini(&f);
	return 0;
}

static void fail_drive(size_t drive, int code)
{
	f.target[drive].purge = code;
	f.target[drive].purged = (struct purge_outcome){
		.used = PURGE_NONE,
		.nvme_status = INVALID_FORMAT,
		.drive_failed = code == -EIO,
	};
}

static const struct row *row_at(size_t step, size_t drive)
{
	return &outcome.row[step * ROWS_OF_STEP + drive];
}

static const struct flag *flag_of(const struct row *row, enum flag_kind kind)
{
	for (uint32_t i = 0; i < row->nr_flags; i++) {
		if (row->flag[i].kind == kind)
			return &row->flag[i];
	}
	return NULL;
}

static json_t *load_result(void)
{
	json_t *document;

	assert_valid_result(outcome.result_path);
	document = json_load_file(outcome.result_path, 0, NULL);
	assert_non_null(document);
	return document;
}

static json_t *step_of(const json_t *document, size_t index)
{
	return json_array_get(json_object_get(document, "steps"), index);
}

static json_t *drive_of(const json_t *document, size_t step, size_t drive)
{
	return json_array_get(json_object_get(step_of(document, step), "drives"), drive);
}

static const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void a_purge_tells_how_it_went(void **state)
{
	json_t *document, *asked, *done;

	(void)state;
	strcpy(f.target[1].purged.fallback, "format: not there");
	f.target[1].purged.used = PURGE_DISCARD;
	f.target[1].purged.nvme_status = -1;
	fixture_run(&f, &outcome);
	assert_int_equal(f.target[0].purges, 1);
	assert_int_equal(f.target[0].purged_with, 2);
	assert_int_equal(f.nr_engine, 2);
	assert_true(f.last_fraction == 0.5);
	assert_int_equal(row_at(0, 0)->status, STEP_OK);
	assert_int_equal(row_at(0, 0)->purge, PURGE_FORMAT);
	assert_int_equal(row_at(0, 0)->purge_ns, 3 * NSEC_PER_SEC);
	assert_null(flag_of(row_at(1, 0), FLAG_NOT_PURGED));

	document = load_result();
	assert_string_equal(text_at(document, "status"), "ok");
	assert_string_equal(text_at(step_of(document, 0), "kind"), "purge");
	asked = json_object_get(step_of(document, 0), "purge");
	assert_string_equal(text_at(asked, "method"), "auto");
	assert_string_equal(text_at(asked, "on_failure"), "stop");
	done = json_object_get(drive_of(document, 0, 0), "purge");
	assert_string_equal(text_at(done, "used"), "format");
	assert_int_equal(json_integer_value(json_object_get(done, "nvme_status")), 0);
	assert_true(json_is_null(json_object_get(done, "fallback")));
	assert_int_equal(json_integer_value(json_object_get(done, "duration_ns")),
			 3 * NSEC_PER_SEC);
	done = json_object_get(drive_of(document, 0, 1), "purge");
	assert_string_equal(text_at(done, "used"), "discard");
	assert_string_equal(text_at(done, "fallback"), "format: not there");
	assert_true(json_is_null(json_object_get(done, "nvme_status")));
	assert_true(json_is_null(json_object_get(step_of(document, 1), "purge")));
	assert_true(json_is_null(json_object_get(drive_of(document, 1, 0), "purge")));
	json_decref(document);
}

static void a_purge_that_fails_ends_the_run(void **state)
{
	json_t *document, *done;

	(void)state;
	fail_drive(0, -EIO);
	fixture_run(&f, &outcome);
	assert_int_equal(f.nr_engine, 0);
	assert_true(outcome.misbehaved);
	assert_int_equal(row_at(0, 0)->status, STEP_ERRORS);
	assert_string_equal(row_at(0, 0)->reason, "nvme0n1: no purge");
	assert_int_equal(f.target[1].purges, 0);
	assert_int_equal(row_at(0, 1)->status, STEP_FAILED);
	assert_int_equal(row_at(1, 0)->status, STEP_FAILED);
	assert_string_equal(row_at(1, 0)->reason, "not begun: the purge failed: nvme0n1: no purge");
	document = load_result();
	done = json_object_get(drive_of(document, 0, 0), "purge");
	assert_true(json_is_null(json_object_get(done, "used")));
	assert_int_equal(json_integer_value(json_object_get(done, "nvme_status")), INVALID_FORMAT);
	json_decref(document);
}

static void the_run_may_go_on_with_marked_rows(void **state)
{
	json_t *document, *flags;

	(void)state;
	f.step[0].on_failure = PURGE_CONTINUE;
	fail_drive(0, -ENOTSUP);
	fixture_run(&f, &outcome);
	assert_int_equal(f.nr_engine, 2);
	assert_true(outcome.step_failed);
	assert_false(outcome.misbehaved);
	assert_int_equal(row_at(0, 0)->status, STEP_FAILED);
	assert_int_equal(row_at(0, 1)->status, STEP_OK);
	assert_int_equal(row_at(0, 2)->status, STEP_FAILED);
	for (size_t step = 1; step < 3; step++) {
		const struct flag *flag = flag_of(row_at(step, 0), FLAG_NOT_PURGED);

		assert_non_null(flag);
		assert_string_equal(flag->evidence,
				    "the purge of step 0 failed: nvme0n1: no purge");
		assert_null(flag_of(row_at(step, 1), FLAG_NOT_PURGED));
		assert_non_null(flag_of(row_at(step, 2), FLAG_NOT_PURGED));
	}
	document = load_result();
	flags = json_object_get(drive_of(document, 2, 0), "flags");
	assert_string_equal(text_at(json_array_get(flags, 0), "flag"), "not_purged");
	json_decref(document);
}

static void a_later_purge_takes_the_mark_away(void **state)
{
	(void)state;
	f.step[0].on_failure = PURGE_CONTINUE;
	f.step[0].drive[1].skip = strdup("not this one");
	fixture_make_purge(&f, 1);
	f.step[0].purge = PURGE_FORMAT;
	f.target[0].purge = 0;
	fixture_run(&f, &outcome);
	assert_int_equal(f.target[0].purges, 2);
	assert_int_equal(f.target[1].purges, 1);
	assert_int_equal(row_at(0, 1)->status, STEP_SKIPPED);
	assert_null(flag_of(row_at(2, 0), FLAG_NOT_PURGED));
	free(f.step[0].drive[1].skip);
}

static void a_refusal_for_safety_ends_the_run_whatever_the_profile_says(void **state)
{
	(void)state;
	f.step[0].on_failure = PURGE_CONTINUE;
	fail_drive(1, -EPERM);
	fixture_run(&f, &outcome);
	assert_int_equal(f.nr_engine, 0);
	assert_int_equal(row_at(0, 0)->status, STEP_OK);
	assert_int_equal(row_at(0, 1)->status, STEP_FAILED);
	assert_non_null(strstr(row_at(2, 0)->reason, "would reach others"));
}

static void a_stopped_purge_is_an_interruption(void **state)
{
	(void)state;
	f.step[0].on_failure = PURGE_CONTINUE;
	fail_drive(0, -EINTR);
	atomic_store(&f.stop, 0);
	fixture_run(&f, &outcome);
	assert_int_equal(row_at(0, 0)->status, STEP_INTERRUPTED);
	assert_true(outcome.interrupted);
}

int main(void)
{
#define PURGES_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		PURGES_TEST(a_purge_tells_how_it_went),
		PURGES_TEST(a_purge_that_fails_ends_the_run),
		PURGES_TEST(the_run_may_go_on_with_marked_rows),
		PURGES_TEST(a_later_purge_takes_the_mark_away),
		PURGES_TEST(a_refusal_for_safety_ends_the_run_whatever_the_profile_says),
		PURGES_TEST(a_stopped_purge_is_an_interruption),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
