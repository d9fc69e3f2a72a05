// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_fixture.h"

static struct fixture f;
static struct run_outcome outcome;

static int set_up(void **state)
{
	(void)state;
	fixture_init(&f, 3, 2);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	run_outcome_fini(&outcome);
	fixture_fini(&f);
	return 0;
}

static json_t *load_result(void)
{
	json_error_t error;
	json_t *document = json_load_file(outcome.result_path, 0, &error);

	if (!document)
		fail_msg("%s: %s", outcome.result_path, error.text);
	return document;
}

static json_int_t integer_at(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	assert_non_null(text);
	return text;
}

static json_t *step_at(const json_t *document, size_t index)
{
	return json_array_get(json_object_get(document, "steps"), index);
}

static void a_run_leaves_a_valid_result_of_all_its_steps(void **state)
{
	json_t *document, *step, *read, *rows;

	(void)state;
	fixture_make_fill(&f, 0);
	f.config.label = "f\xfcr alle"; /* Latin-1: no UTF-8 */
	fixture_run(&f, &outcome);
	assert_true(outcome.saved);
	assert_string_equal(outcome.save_error, "");
	assert_int_equal(outcome.nr_rows, 3 * 3);
	assert_int_equal(f.begun, 3);
	assert_int_equal(f.ended, 3);
	assert_valid_result(outcome.result_path);

	document = load_result();
	assert_string_equal(text_at(document, "schema"), "ssdbench-result");
	assert_string_equal(text_at(document, "status"), "ok");
	assert_true(json_is_false(json_object_get(document, "interrupted")));
	assert_string_equal(text_at(json_object_get(document, "run"), "label"),
			    "f\xef\xbf\xbdr alle");
	assert_string_equal(
		text_at(json_object_get(json_object_get(document, "run"), "options"), "seed"),
		"18446744073709551615");
	assert_int_equal(json_array_size(json_object_get(document, "steps")), 3);
	step = step_at(document, 1);
	assert_string_equal(text_at(step, "status"), "ok");
	assert_string_equal(text_at(json_object_get(step, "window"), "started_at"),
			    "2026-11-30T12:00:00.123Z");
	read = json_object_get(json_object_get(step, "total"), "read");
	assert_int_equal(integer_at(read, "ios"), 200);
	assert_true(json_is_null(json_object_get(json_object_get(step, "total"), "write")));
	rows = json_object_get(json_object_get(step, "series"), "rows");
	assert_int_equal(json_array_size(rows), 2);
	assert_int_equal(json_integer_value(json_array_get(json_array_get(rows, 1), 0)), 1);
	assert_int_equal(
		integer_at(json_array_get(json_object_get(document, "totals"), 1), "written_bytes"),
		100 * 4096);
	json_decref(document);
}

static void a_directory_that_holds_a_run_is_refused(void **state)
{
	struct run_outcome second;
	struct error err = {0};

	(void)state;
	fixture_run(&f, &outcome);
	assert_int_equal(run_execute(&second, &f.config, &err), -EINVAL);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "--output"));
	assert_non_null(strstr(err.text, f.directory));
}

static void nothing_is_made_where_the_engine_cannot_run_the_plan(void **state)
{
	struct error err = {0};

	(void)state;
	f.check = -EMFILE;
	assert_int_equal(run_execute(&outcome, &f.config, &err), -EMFILE);
	assert_int_equal(access(f.directory, F_OK), -1);
}

static void a_skipped_step_says_why_and_has_no_figures(void **state)
{
	static char why[] = "bs 512 < LBA 4096";
	json_t *document, *step;

	(void)state;
	f.on[1][0].skip = why;
	f.on[1][1].skip = why;
	f.on[2][0].skip = why; /* the other drive runs it */
	fixture_run(&f, &outcome);
	assert_int_equal(f.nr_engine, 2);
	assert_int_equal(outcome.row[3].status, STEP_SKIPPED);
	assert_string_equal(outcome.row[3].reason, why);
	assert_int_equal(outcome.row[3].dir[DIR_READ].ios, 0);
	assert_int_equal(outcome.row[6].status, STEP_SKIPPED);
	assert_int_equal(outcome.row[7].status, STEP_OK);
	assert_int_equal(outcome.row[8].dir[DIR_READ].ios, 100);
	assert_valid_result(outcome.result_path);
	document = load_result();
	step = step_at(document, 1);
	assert_string_equal(text_at(step, "status"), "skipped");
	assert_string_equal(text_at(step, "reason"), why);
	assert_true(json_is_null(json_object_get(step, "total")));
	assert_true(json_is_null(json_object_get(step, "series")));
	json_decref(document);
}

static int second_fails(struct engine_result *result, const struct step *step, size_t nr,
			const struct engine_hooks *hooks, struct error *err)
{
	if (step->index == 1)
		return error_set(err, -EPERM, "io_uring is switched off");
	return fixture_engine_ok(result, step, nr, hooks, err);
}

static void a_step_that_the_engine_cannot_run_leaves_the_others_whole(void **state)
{
	json_t *document;

	(void)state;
	f.engine = second_fails;
	fixture_run(&f, &outcome);
	assert_true(outcome.step_failed);
	assert_int_equal(outcome.row[3].status, STEP_FAILED);
	assert_string_equal(outcome.row[3].reason, "io_uring is switched off");
	assert_int_equal(outcome.row[6].status, STEP_OK);
	assert_valid_result(outcome.result_path);
	document = load_result();
	assert_string_equal(text_at(document, "status"), "step_failed");
	assert_true(json_is_null(json_object_get(step_at(document, 1), "total")));
	assert_int_equal(integer_at(json_object_get(document, "summary"), "steps_ok"), 2);
	json_decref(document);
}

static void set_errors(struct engine_drive_result *result, int code)
{
	result->complete = false;
	result->errors = 3;
	result->nr_error = 1;
	result->error[0] = (struct io_error){
		.code = code,
		.dir = DIR_WRITE,
		.count = 3,
		.first_offset = 40960,
		.first_length = 4096,
		.first_result = -code,
	};
}

static int first_has_io_errors(struct engine_result *result, const struct step *step, size_t nr,
			       const struct engine_hooks *hooks, struct error *err)
{
	fixture_engine_ok(result, step, nr, hooks, err);
	if (step->index == 0)
		set_errors(&result->drive[1], EIO);
	return 0;
}

static const struct flag *find_flag(const struct row *row, enum flag_kind kind)
{
	for (uint32_t i = 0; i < row->nr_flags; i++) {
		if (row->flag[i].kind == kind)
			return &row->flag[i];
	}
	return NULL;
}

static void reads_after_a_failed_fill_are_marked_on_that_drive(void **state)
{
	json_t *document, *kind;

	(void)state;
	fixture_make_fill(&f, 0);
	f.engine = first_has_io_errors;
	fixture_run(&f, &outcome);
	assert_true(outcome.misbehaved);
	assert_false(outcome.step_failed);
	assert_int_equal(outcome.row[0].status, STEP_OK);
	assert_int_equal(outcome.row[1].status, STEP_ERRORS);
	assert_string_equal(outcome.row[2].reason, "3 failed I/Os on nvme1n1");
	assert_string_equal(find_flag(&outcome.row[1], FLAG_ERRORS)->evidence,
			    "3 failed I/Os; first: write of 4096 bytes at 40960: EIO");
	assert_non_null(find_flag(&outcome.row[1], FLAG_SHORT));
	assert_null(find_flag(&outcome.row[3], FLAG_UNWRITTEN));
	assert_string_equal(find_flag(&outcome.row[4], FLAG_UNWRITTEN)->evidence,
			    "the fill of phase rows (step 0) did not come to its end");
	assert_non_null(strstr(find_flag(&outcome.row[5], FLAG_UNWRITTEN)->evidence, "nvme1n1: "));
	assert_valid_result(outcome.result_path);
	document = load_result();
	assert_string_equal(text_at(document, "status"), "drive_errors");
	kind = json_array_get(
		json_object_get(
			json_object_get(
				json_array_get(json_object_get(step_at(document, 0), "drives"), 1),
				"whole"),
			"error_kinds"),
		0);
	assert_string_equal(text_at(kind, "errno"), "EIO");
	assert_int_equal(integer_at(kind, "first_offset_bytes"), 40960);
	json_decref(document);
}

static int first_loses_its_drive(struct engine_result *result, const struct step *step, size_t nr,
				 const struct engine_hooks *hooks, struct error *err)
{
	fixture_engine_ok(result, step, nr, hooks, err);
	set_errors(&result->drive[0], ENODEV);
	return 0;
}

static void a_drive_that_is_gone_ends_the_run(void **state)
{
	(void)state;
	f.engine = first_loses_its_drive;
	fixture_run(&f, &outcome);
	assert_int_equal(f.nr_engine, 1);
	assert_int_equal(f.begun, 1);
	assert_int_equal(outcome.nr_rows, 9);
	assert_int_equal(outcome.row[8].status, STEP_FAILED);
	assert_string_equal(outcome.row[8].reason, "not begun: drive nvme0n1 is gone (ENODEV)");
	assert_true(outcome.misbehaved);
	assert_valid_result(outcome.result_path);
}

static void a_drive_is_checked_again_once_before_each_phase_that_writes(void **state)
{
	(void)state;
	fixture_make_fill(&f, 0);
	fixture_make_fill(&f, 1);
	f.step[1].phase = 0;
	fixture_make_fill(&f, 2);
	fixture_run(&f, &outcome);
	assert_int_equal(f.target[0].rechecks, 2);
	assert_int_equal(f.target[1].flushes, 3);
}

static void a_drive_that_is_in_use_now_is_not_written(void **state)
{
	(void)state;
	fixture_make_fill(&f, 1);
	f.target[1].recheck = -EPERM;
	fixture_run(&f, &outcome);
	assert_int_equal(f.nr_engine, 1);
	assert_true(outcome.step_failed);
	assert_string_equal(outcome.row[3].reason, "nvme1n1 is mounted now");
	assert_string_equal(outcome.row[6].reason, "not begun: nvme1n1 is mounted now");
}

static void a_failed_flush_is_an_error_of_the_drive(void **state)
{
	(void)state;
	fixture_make_fill(&f, 0);
	f.target[0].flush = -EIO;
	fixture_run(&f, &outcome);
	assert_true(outcome.misbehaved);
	assert_int_equal(outcome.row[2].status, STEP_ERRORS);
	assert_string_equal(outcome.row[2].reason, "flush of nvme0n1: Input/output error");
}

static int second_is_interrupted(struct engine_result *result, const struct step *step, size_t nr,
				 const struct engine_hooks *hooks, struct error *err)
{
	fixture_engine_ok(result, step, nr, hooks, err);
	if (step->index == 1) {
		atomic_store(&fixture->stop, 15);
		result->interrupted = true;
		result->counted_ns = NSEC_PER_SEC / 4;
		result->drive[0].counted_ns = result->drive[1].counted_ns = NSEC_PER_SEC / 4;
		result->drive[0].ended_ns = result->drive[1].ended_ns = NSEC_PER_SEC / 4;
	}
	return 0;
}

static void an_interrupted_run_keeps_what_was_measured(void **state)
{
	json_t *document, *read;

	(void)state;
	f.engine = second_is_interrupted;
	f.step[1].idle_ns = 3600 * NSEC_PER_SEC;
	fixture_run(&f, &outcome);
	assert_true(outcome.interrupted);
	assert_true(outcome.saved);
	assert_int_equal(outcome.row[0].status, STEP_OK);
	assert_int_equal(outcome.row[5].status, STEP_INTERRUPTED);
	assert_string_equal(find_flag(&outcome.row[5], FLAG_INTERRUPTED)->evidence,
			    "nvme0n1: stopped by a signal after 250 ms");
	assert_string_equal(find_flag(&outcome.row[3], FLAG_SHORT)->evidence,
			    "counted for 250 ms of 1 s");
	assert_string_equal(outcome.row[8].reason, "not begun: the run was interrupted before");
	assert_valid_result(outcome.result_path);
	document = load_result();
	assert_true(json_is_true(json_object_get(document, "interrupted")));
	assert_string_equal(text_at(document, "status"), "interrupted");
	read = json_object_get(json_object_get(step_at(document, 1), "total"), "read");
	assert_int_equal(integer_at(read, "ios"), 200);
	assert_true(json_real_value(json_object_get(read, "iops")) > 799.9 &&
		    json_real_value(json_object_get(read, "iops")) < 800.1);
	json_decref(document);
}

static void an_idle_step_waits_and_has_no_figures(void **state)
{
	const uint64_t start = clock_monotonic_ns();

	(void)state;
	f.step[1].kind = PHASE_IDLE;
	f.step[1].runtime_ns = 150 * NSEC_PER_MSEC;
	fixture_run(&f, &outcome);
	assert_true(clock_monotonic_ns() - start >= 150 * NSEC_PER_MSEC);
	assert_int_equal(f.nr_engine, 2);
	assert_int_equal(outcome.row[5].status, STEP_OK);
	assert_int_equal(outcome.row[5].counted_ns, 0);
	assert_valid_result(outcome.result_path);
}

static void gates_are_judged_on_the_total_and_counted(void **state)
{
	static char held[] = "iops >= 200", broken[] = "iops > 200";
	static const struct gate gate[] = {
		{.text = held, .metric = METRIC_IOPS, .comparison = CMP_GE, .value = 200.0},
		{.text = broken, .metric = METRIC_IOPS, .comparison = CMP_GT, .value = 200.0},
	};
	json_t *document, *verdicts;

	(void)state;
	f.step[1].gate = gate;
	f.step[1].nr_gates = 2;
	fixture_run(&f, &outcome);
	assert_int_equal(outcome.gates_broken, 1);
	assert_valid_result(outcome.result_path);
	document = load_result();
	verdicts = json_object_get(step_at(document, 1), "gates");
	assert_string_equal(text_at(json_array_get(verdicts, 0), "verdict"), "held");
	assert_string_equal(text_at(json_array_get(verdicts, 1), "verdict"), "broken");
	assert_string_equal(text_at(document, "status"), "gates_broken");
	json_decref(document);
}

static void findings_are_recorded_and_warnings_told(void **state)
{
	struct finding finding[] = {
		{FINDING_OK, "clocksource", FINDING_HOST, "tsc", "tsc", "", ""},
		{FINDING_NOTE, "mitigations", FINDING_HOST, "2", "", "2 mitigations", ""},
		{FINDING_WARNING, "cpu_governor", FINDING_HOST, "powersave", "performance",
		 "the governor is powersave", "mend it"},
		{FINDING_WARNING, "scheduler", 0, "bfq", "none", "the scheduler is bfq", ""},
	};
	const struct findings findings = {.finding = finding, .nr = 4};
	json_t *document, *list, *entry;

	(void)state;
	f.config.findings = &findings;
	fixture_run(&f, &outcome);
	assert_string_equal(f.warnings, "the governor is powersave; mend it\n"
					"nvme0n1: the scheduler is bfq\n");
	document = load_result();
	assert_int_equal(json_array_size(json_object_get(document, "warnings")), 2);
	list = json_object_get(document, "preflight");
	assert_int_equal(json_array_size(list), 3);
	entry = json_array_get(list, 0);
	assert_string_equal(json_string_value(json_object_get(entry, "code")), "mitigations");
	assert_true(json_is_null(json_object_get(entry, "drive")));
	assert_true(json_is_null(json_object_get(entry, "wanted")));
	entry = json_array_get(list, 2);
	assert_string_equal(json_string_value(json_object_get(entry, "level")), "warning");
	assert_int_equal(json_integer_value(json_object_get(entry, "drive")), 0);
	json_decref(document);
}

static void warnings_reach_the_listener_and_the_result(void **state)
{
	static char word[] = "no fill before the reads";
	char *warning[] = {word};
	json_t *document;

	(void)state;
	f.plan.warning = warning;
	f.plan.nr_warnings = 1;
	fixture_run(&f, &outcome);
	assert_non_null(strstr(f.warnings, word));
	document = load_result();
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(document, "warnings"), 0)), word);
	json_decref(document);
}

/* Takes the run's directory away while the second step runs. */
static int second_removes_directory(struct engine_result *result, const struct step *step,
				    size_t nr, const struct engine_hooks *hooks, struct error *err)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -r '%s'", fixture->directory);
	if (step->index == 1)
		assert_int_equal(system(command), 0);
	return fixture_engine_ok(result, step, nr, hooks, err);
}

static void a_removed_directory_costs_nothing_but_its_place(void **state)
{
	char state_home[128];
	json_t *document;

	(void)state;
	snprintf(state_home, sizeof(state_home), "%s/state", f.root);
	setenv("XDG_STATE_HOME", state_home, 1);
	f.engine = second_removes_directory;
	fixture_run(&f, &outcome);
	unsetenv("XDG_STATE_HOME");
	assert_false(outcome.saved);
	assert_non_null(strstr(f.warnings, "was removed"));
	assert_non_null(strstr(outcome.save_error, f.directory));
	assert_non_null(strstr(outcome.save_error, outcome.result_path));
	assert_ptr_equal(strstr(outcome.result_path, state_home), outcome.result_path);
	assert_int_equal(access(f.directory, F_OK), -1);
	assert_valid_result(outcome.result_path);
	document = load_result();
	assert_int_equal(integer_at(json_object_get(document, "summary"), "steps_ok"), 3);
	json_decref(document);
}

/* Fills the run's filesystem up while the second step runs. */
static int second_fills_disk(struct engine_result *result, const struct step *step, size_t nr,
			     const struct engine_hooks *hooks, struct error *err)
{
	char path[128], block[4096] = {0};
	FILE *file;

	snprintf(path, sizeof(path), "%s/ballast", fixture->directory);
	if (step->index == 1) {
		file = fopen(path, "w");
		assert_non_null(file);
		while (fwrite(block, 1, sizeof(block), file) == sizeof(block) && fflush(file) == 0)
			;
		fclose(file);
	}
	return fixture_engine_ok(result, step, nr, hooks, err);
}

static void a_full_disk_moves_the_journal_and_the_result(void **state)
{
	char state_home[128], path[128];
	json_t *document;

	(void)state;
	if (!mount_small(f.directory, 256 << 10))
		skip();
	snprintf(state_home, sizeof(state_home), "%s/state", f.root);
	setenv("XDG_STATE_HOME", state_home, 1);
	f.engine = second_fills_disk;
	fixture_run(&f, &outcome);
	unsetenv("XDG_STATE_HOME");
	snprintf(path, sizeof(path), "%s/result.json", f.directory);
	assert_int_equal(access(path, F_OK), -1);
	unmount_small(f.directory);
	assert_false(outcome.saved);
	assert_non_null(strstr(f.warnings, "No space left on device"));
	assert_non_null(strstr(outcome.save_error, "No space left on device"));
	assert_ptr_equal(strstr(outcome.result_path, state_home), outcome.result_path);
	assert_valid_result(outcome.result_path);
	document = load_result();
	assert_int_equal(integer_at(json_object_get(document, "summary"), "steps_ok"), 3);
	assert_int_equal(json_array_size(json_object_get(
				 json_object_get(step_at(document, 2), "series"), "rows")),
			 2);
	json_decref(document);
}

static void a_result_for_a_full_device_is_kept_in_the_directory(void **state)
{
	struct stat st;
	char path[128];

	(void)state;
	f.config.result_path = "/dev/full";
	fixture_run(&f, &outcome);
	assert_false(outcome.saved);
	snprintf(path, sizeof(path), "%s/result.json", f.directory);
	assert_string_equal(outcome.result_path, path);
	assert_non_null(strstr(outcome.save_error, "/dev/full: No space left on device"));
	assert_int_equal(stat("/dev/full", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_valid_result(path);
}

int main(void)
{
#define RUN_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		RUN_TEST(a_run_leaves_a_valid_result_of_all_its_steps),
		RUN_TEST(a_directory_that_holds_a_run_is_refused),
		RUN_TEST(nothing_is_made_where_the_engine_cannot_run_the_plan),
		RUN_TEST(a_skipped_step_says_why_and_has_no_figures),
		RUN_TEST(a_step_that_the_engine_cannot_run_leaves_the_others_whole),
		RUN_TEST(reads_after_a_failed_fill_are_marked_on_that_drive),
		RUN_TEST(a_drive_that_is_gone_ends_the_run),
		RUN_TEST(a_drive_is_checked_again_once_before_each_phase_that_writes),
		RUN_TEST(a_drive_that_is_in_use_now_is_not_written),
		RUN_TEST(a_failed_flush_is_an_error_of_the_drive),
		RUN_TEST(an_interrupted_run_keeps_what_was_measured),
		RUN_TEST(an_idle_step_waits_and_has_no_figures),
		RUN_TEST(gates_are_judged_on_the_total_and_counted),
		RUN_TEST(findings_are_recorded_and_warnings_told),
		RUN_TEST(warnings_reach_the_listener_and_the_result),
		RUN_TEST(a_removed_directory_costs_nothing_but_its_place),
		RUN_TEST(a_full_disk_moves_the_journal_and_the_result),
		RUN_TEST(a_result_for_a_full_device_is_kept_in_the_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
