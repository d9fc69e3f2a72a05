// SPDX-License-Identifier: MIT
#include "test.h"

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/journal.h"
#include "run/save.h"
#include "run_fixture.h"

#define ID "01234567-89ab-cdef-0123-456789abcdef"

static struct fixture f;
static struct journal journal;
static struct places places;
static struct run_outcome outcome;
static struct save_request request;
static json_t *header;
static char fallback[128], path[128];

static int set_up(void **state)
{
	char journal_path[128];

	(void)state;
	fixture_init(&f, 1, 1);
	snprintf(fallback, sizeof(fallback), "%s/state/ssdbench", f.root);
	snprintf(path, sizeof(path), "%s/out.json", f.root);
	snprintf(journal_path, sizeof(journal_path), "%s/journal.jsonl", f.root);
	places = (struct places){.directory = {fallback}, .nr = 1};
	assert_int_equal(journal_open(&journal, journal_path, &places), 0);
	header = json_pack("{s:s, s:{s:i}, s:[{}]}", "schema", "ssdbench-run", "plan", "steps", 0,
			   "drives");
	request = (struct save_request){
		.document = {header, journal.fd},
		.path = path,
		.directory = f.directory, /* which is not there */
		.id = ID,
		.places = &places,
	};
	outcome = (struct run_outcome){0};
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	run_outcome_fini(&outcome);
	json_decref(header);
	journal_close(&journal);
	fixture_fini(&f);
	return 0;
}

static void assert_document(const char *text)
{
	json_t *document = json_loads(text, 0, NULL);

	assert_non_null(document);
	assert_string_equal(json_string_value(json_object_get(document, "schema")),
			    "ssdbench-result");
	/* The journal has no end: this run was cut off. */
	assert_true(json_is_true(json_object_get(document, "interrupted")));
	json_decref(document);
}

static void assert_document_at(const char *where)
{
	char *text = read_whole_file(where);

	assert_document(text);
	free(text);
}

static void assert_saved_in_fallback(void)
{
	char expected[256];

	assert_false(outcome.saved);
	snprintf(expected, sizeof(expected), "%s/ssdbench-" ID ".json", fallback);
	assert_string_equal(outcome.result_path, expected);
	assert_non_null(strstr(outcome.save_error, request.path));
	assert_non_null(strstr(outcome.save_error, expected));
	assert_document_at(expected);
}

static unsigned int entries_in_root(void)
{
	char command[128];
	unsigned int nr = 0;
	FILE *pipe;

	snprintf(command, sizeof(command), "ls -A '%s' | wc -l", f.root);
	pipe = popen(command, "r");
	assert_int_equal(fscanf(pipe, "%u", &nr), 1);
	pclose(pipe);
	return nr;
}

static void a_file_is_replaced_whole_and_nothing_is_left_beside_it(void **state)
{
	FILE *old = fopen(path, "w");

	(void)state;
	fputs("what was there", old);
	fclose(old);
	save_result(&outcome, &request);
	assert_true(outcome.saved);
	assert_string_equal(outcome.result_path, path);
	assert_document_at(path);
	assert_int_equal(entries_in_root(), 2); /* the journal and the result */
}

static void the_file_behind_a_link_is_replaced_not_the_link(void **state)
{
	char link_path[160];
	struct stat st;

	(void)state;
	fclose(fopen(path, "w"));
	snprintf(link_path, sizeof(link_path), "%s/link", f.root);
	assert_int_equal(symlink(path, link_path), 0);
	request.path = link_path;
	save_result(&outcome, &request);
	assert_true(outcome.saved);
	assert_int_equal(lstat(link_path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_document_at(path);
}

static void a_full_filesystem_gets_no_half_of_a_result(void **state)
{
	char small[96], ballast[128], there[128], command[512];

	(void)state;
	snprintf(small, sizeof(small), "%s/small", f.root);
	if (!mount_small(small, 16 << 10))
		skip();
	snprintf(ballast, sizeof(ballast), "%s/ballast", small);
	snprintf(there, sizeof(there), "%s/out.json", small);
	snprintf(
		command, sizeof(command),
		"echo old > '%s'; head -c 1M /dev/zero > '%s' 2>/dev/null; test $(ls '%s' | wc -l) = 2",
		there, ballast, small);
	assert_int_equal(system(command), 0);
	request.path = there;
	save_result(&outcome, &request);
	assert_saved_in_fallback();
	assert_non_null(strstr(outcome.save_error, "No space left on device"));
	snprintf(command, sizeof(command),
		 "test \"$(cat '%s')\" = old && test $(ls '%s' | wc -l) = 2", there, small);
	assert_int_equal(system(command), 0);
	unmount_small(small);
}

static void a_directory_that_is_gone_sends_the_result_elsewhere(void **state)
{
	char gone[128];

	(void)state;
	snprintf(gone, sizeof(gone), "%s/gone/out.json", f.root);
	request.path = gone;
	save_result(&outcome, &request);
	assert_saved_in_fallback();
	assert_non_null(strstr(outcome.save_error, "No such file or directory"));
}

static void a_fifo_without_a_reader_does_not_block(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(path, 0666), 0);
	save_result(&outcome, &request);
	assert_saved_in_fallback();
}

static void a_fifo_gets_the_document_in_place(void **state)
{
	char text[65536] = "";
	struct stat st;
	int fd;

	(void)state;
	assert_int_equal(mkfifo(path, 0666), 0);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	save_result(&outcome, &request);
	assert_true(outcome.saved);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	assert_document(text);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
}

static void a_result_that_fits_nowhere_is_handed_back_as_text(void **state)
{
	static char nowhere[] = "/proc/no/such/place";

	(void)state;
	places.directory[0] = nowhere;
	request.path = "/dev/full";
	save_result(&outcome, &request);
	assert_false(outcome.saved);
	assert_null(outcome.result_path);
	assert_non_null(outcome.document);
	assert_document(outcome.document);
	assert_non_null(strstr(outcome.save_error, "nor anywhere else"));
}

/* Where nothing takes the journal's lines, the document must not call itself whole. */
static void a_document_whose_steps_are_lost_is_not_ok(void **state)
{
	json_t *plan = json_object_get(header, "plan"), *document;
	json_t *end = json_pack("{s:s, s:s, s:b}", "event", "run_finished", "at", "now",
				"interrupted", 0);
	char why[512];

	(void)state;
	json_object_set_new(plan, "steps", json_integer(1));
	assert_int_equal(journal_append(&journal, end, why, sizeof(why)), 0);
	json_decref(end);
	save_result(&outcome, &request);
	assert_true(outcome.saved);
	document = json_load_file(path, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(document, "status")), "step_failed");
	json_decref(document);
}

static void the_places_follow_the_xdg_specification(void **state)
{
	char *home = strdup(getenv("HOME") ? getenv("HOME") : "");

	(void)state;
	setenv("HOME", "/home/u", 1);
	setenv("XDG_STATE_HOME", "/state", 1);
	places_init(&places);
	assert_string_equal(places.directory[0], "/state/ssdbench");
	assert_string_equal(places.directory[1], "/var/tmp");
	assert_string_equal(places.directory[2], "/tmp");
	places_fini(&places);
	setenv("XDG_STATE_HOME", "relative", 1);
	places_init(&places);
	assert_string_equal(places.directory[0], "/home/u/.local/state/ssdbench");
	places_fini(&places);
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", home, 1);
	free(home);
}

int main(void)
{
#define SAVE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		SAVE_TEST(a_file_is_replaced_whole_and_nothing_is_left_beside_it),
		SAVE_TEST(the_file_behind_a_link_is_replaced_not_the_link),
		SAVE_TEST(a_full_filesystem_gets_no_half_of_a_result),
		SAVE_TEST(a_directory_that_is_gone_sends_the_result_elsewhere),
		SAVE_TEST(a_fifo_without_a_reader_does_not_block),
		SAVE_TEST(a_fifo_gets_the_document_in_place),
		SAVE_TEST(a_result_that_fits_nowhere_is_handed_back_as_text),
		SAVE_TEST(a_document_whose_steps_are_lost_is_not_ok),
		SAVE_TEST(the_places_follow_the_xdg_specification),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
