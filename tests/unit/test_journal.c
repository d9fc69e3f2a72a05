// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/journal.h"
#include "run_fixture.h"

static struct fixture f;
static struct journal journal;
static char path[128];
static struct places places;
static char why[512];

static int set_up(void **state)
{
	(void)state;
	fixture_init(&f, 1, 1);
	snprintf(path, sizeof(path), "%s/journal.jsonl", f.root);
	places = (struct places){.directory = {f.root}, .nr = 1};
	assert_int_equal(journal_open(&journal, path, &places), 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	journal_close(&journal);
	fixture_fini(&f);
	return 0;
}

static int append_number(int number)
{
	json_t *line = json_pack("{s:i}", "number", number);
	const int ret = journal_append(&journal, line, why, sizeof(why));

	json_decref(line);
	return ret;
}

/* Reads {"number": 0}, {"number": 1}, ... and says how many there are. */
static int count_lines(void)
{
	struct journal_cursor cursor;
	const char *line;
	size_t length;
	char expected[32];
	int nr = 0;

	journal_cursor_init(&cursor, journal.fd, 0);
	while (journal_cursor_next(&cursor, &line, &length) > 0) {
		snprintf(expected, sizeof(expected), "{\"number\":%d}", nr++);
		assert_string_equal(line, expected);
		assert_int_equal(length, strlen(expected));
	}
	assert_int_equal(cursor.at, journal.end);
	journal_cursor_fini(&cursor);
	return nr;
}

static void lines_are_read_as_they_were_appended(void **state)
{
	(void)state;
	assert_int_equal(count_lines(), 0);
	for (int i = 0; i < 500; i++)
		assert_int_equal(append_number(i), 0);
	assert_int_equal(count_lines(), 500);
}

static void a_line_longer_than_the_buffer_is_read_whole(void **state)
{
	char *text = calloc(1, 300001);
	struct journal_cursor cursor;
	const char *line;
	size_t length;
	json_t *object;

	(void)state;
	memset(text, 'x', 300000);
	object = json_pack("{s:s}", "text", text);
	assert_int_equal(journal_append(&journal, object, why, sizeof(why)), 0);
	journal_cursor_init(&cursor, journal.fd, 0);
	assert_int_equal(journal_cursor_next(&cursor, &line, &length), 1);
	assert_int_equal(length, 300000 + strlen("{\"text\":\"\"}"));
	journal_cursor_fini(&cursor);
	json_decref(object);
	free(text);
}

static void a_torn_last_line_is_not_read(void **state)
{
	(void)state;
	assert_int_equal(append_number(0), 0);
	assert_int_equal(append_number(1), 0);
	assert_int_equal(pwrite(journal.fd, "{\"numb", 6, journal.end), 6);
	assert_int_equal(count_lines(), 2);
}

static void a_file_that_is_there_is_not_overwritten(void **state)
{
	struct journal second;

	(void)state;
	assert_int_equal(journal_open(&second, path, &places), -EEXIST);
}

static void an_unlinked_journal_goes_on_and_says_so_once(void **state)
{
	(void)state;
	assert_int_equal(append_number(0), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(append_number(1), 1);
	assert_non_null(strstr(why, path));
	assert_int_equal(append_number(2), 0);
	assert_true(journal.moved);
	assert_int_equal(count_lines(), 3);
}

/* From a full filesystem of its own to @places; how many lines fit before. */
static int fill_and_move(void)
{
	char small[96];
	int nr = 0, ret;

	journal_close(&journal);
	snprintf(small, sizeof(small), "%s/small", f.root);
	if (!mount_small(small, 64 << 10))
		skip();
	snprintf(path, sizeof(path), "%s/journal.jsonl", small);
	assert_int_equal(journal_open(&journal, path, &places), 0);
	while ((ret = append_number(nr)) == 0)
		nr++;
	assert_int_equal(ret, 1);
	unmount_small(small);
	return nr;
}

static void a_full_disk_moves_all_lines_elsewhere(void **state)
{
	int nr;

	(void)state;
	nr = fill_and_move();
	assert_true(nr > 1000);
	assert_non_null(strstr(why, "No space left on device"));
	assert_non_null(strstr(why, f.root));
	assert_int_equal(append_number(nr + 1), 0);
	assert_int_equal(count_lines(), nr + 2);
}

static void without_a_place_on_disk_the_journal_goes_on_in_memory(void **state)
{
	static char nowhere[] = "/proc/no/such/place";
	int nr;

	(void)state;
	places.directory[0] = nowhere;
	nr = fill_and_move();
	assert_non_null(strstr(why, "memory"));
	assert_int_equal(append_number(nr + 1), 0);
	assert_int_equal(count_lines(), nr + 2);
}

int main(void)
{
#define JOURNAL_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		JOURNAL_TEST(lines_are_read_as_they_were_appended),
		JOURNAL_TEST(a_line_longer_than_the_buffer_is_read_whole),
		JOURNAL_TEST(a_torn_last_line_is_not_read),
		JOURNAL_TEST(a_file_that_is_there_is_not_overwritten),
		JOURNAL_TEST(an_unlinked_journal_goes_on_and_says_so_once),
		JOURNAL_TEST(a_full_disk_moves_all_lines_elsewhere),
		JOURNAL_TEST(without_a_place_on_disk_the_journal_goes_on_in_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
