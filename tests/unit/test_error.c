// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/error.h"

static void each_kind_has_its_code(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(error_set(&err, -ENOMEM, "no room for %d", 7), -ENOMEM);
	assert_int_equal(err.kind, ERROR_HARNESS);
	assert_int_equal(err.code, -ENOMEM);
	assert_string_equal(err.text, "no room for 7");
	error_clear(&err);
	assert_int_equal(error_usage(&err, "unknown key"), -EINVAL);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(err.code, -EINVAL);
	error_clear(&err);
	assert_int_equal(error_refuse(&err, "mounted"), -EPERM);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_int_equal(err.code, -EPERM);
}

static void the_first_cause_wins(void **state)
{
	struct error err = {0};

	(void)state;
	error_refuse(&err, "/dev/sda1 is mounted");
	assert_int_equal(error_set(&err, -EIO, "step 3 failed"), -EIO);
	assert_int_equal(error_usage(&err, "bad word"), -EINVAL);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_int_equal(err.code, -EPERM);
	assert_string_equal(err.text, "/dev/sda1 is mounted");
}

static void a_cleared_error_takes_the_next_cause(void **state)
{
	struct error err = {0};

	(void)state;
	error_set(&err, -EIO, "first");
	error_clear(&err);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_int_equal(err.code, 0);
	assert_string_equal(err.text, "");
	error_usage(&err, "second");
	assert_string_equal(err.text, "second");
}

static void null_carries_only_the_return_value(void **state)
{
	(void)state;
	assert_int_equal(error_set(NULL, -EIO, "lost"), -EIO);
	assert_int_equal(error_usage(NULL, "lost"), -EINVAL);
	assert_int_equal(error_refuse(NULL, "lost"), -EPERM);
	error_prefix(NULL, "nowhere");
	error_clear(NULL);
}

static void prefixes_go_in_front_innermost_first(void **state)
{
	struct error err = {0};

	(void)state;
	error_prefix(&err, "cdn.json");
	assert_string_equal(err.text, "");
	error_usage(&err, "unknown key");
	error_prefix(&err, "/phases/%d/rw", 2);
	error_prefix(&err, "cdn.json");
	assert_string_equal(err.text, "cdn.json: /phases/2/rw: unknown key");
	assert_int_equal(err.kind, ERROR_USAGE);
}

static void a_prefix_may_quote_the_error_itself(void **state)
{
	struct error err = {0};

	(void)state;
	error_usage(&err, "a");
	error_prefix(&err, "%s", err.text);
	assert_string_equal(err.text, "a: a");
}

static void long_text_is_cut_at_the_end(void **state)
{
	struct error err = {0};
	char text[3000];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_usage(&err, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	error_prefix(&err, "cdn.json");
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_memory_equal(err.text, "cdn.json: xxx", 13);
}

static void a_cut_never_halves_a_character(void **state)
{
	static const char *const characters[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const size_t width = strlen(characters[i]);

		for (size_t lead = 0; lead < width; lead++) {
			struct error err = {0};
			char text[3000] = "";

			memset(text, 'x', lead);
			while (strlen(text) < 2000)
				strcat(text, characters[i]);
			error_usage(&err, "%s", text);
			assert_true(strlen(err.text) >= sizeof(err.text) - width);
			assert_int_equal((strlen(err.text) - lead) % width, 0);
		}
	}
}

static void a_text_is_one_line_whatever_a_file_is_called(void **state)
{
	struct error err = {0};

	(void)state;
	error_set(&err, -ENOENT, "%s: no such file", "two\nlines\033[31m\x7f\xc3\xbc");
	assert_string_equal(err.text, "two?lines?[31m?\xc3\xbc: no such file");
}

static void a_text_ends_without_newline(void **state)
{
	struct error err = {0};

	(void)state;
	error_set(&err, -EIO, "from a library\n\n");
	assert_string_equal(err.text, "from a library");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_has_its_code),
		cmocka_unit_test(the_first_cause_wins),
		cmocka_unit_test(a_cleared_error_takes_the_next_cause),
		cmocka_unit_test(null_carries_only_the_return_value),
		cmocka_unit_test(prefixes_go_in_front_innermost_first),
		cmocka_unit_test(a_prefix_may_quote_the_error_itself),
		cmocka_unit_test(long_text_is_cut_at_the_end),
		cmocka_unit_test(a_cut_never_halves_a_character),
		cmocka_unit_test(a_text_is_one_line_whatever_a_file_is_called),
		cmocka_unit_test(a_text_ends_without_newline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
