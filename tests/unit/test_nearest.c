// SPDX-License-Identifier: MIT
#include "test.h"

#include "ssdbench/nearest.h"

static const char *nearest_of(const char *text)
{
	static const char *const commands[] = {"run", "plan", "list", "show", "drives", "schema"};
	struct nearest nearest = {0};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		nearest_offer(&nearest, text, commands[i]);
	return nearest.word;
}

static void a_letter_too_many_too_few_or_wrong_is_understood(void **state)
{
	(void)state;
	assert_string_equal(nearest_of("lst"), "list");
	assert_string_equal(nearest_of("plann"), "plan");
	assert_string_equal(nearest_of("shaw"), "show");
	assert_string_equal(nearest_of("drive"), "drives");
	assert_string_equal(nearest_of("shcema"), "schema");
	assert_string_equal(nearest_of("run"), "run");
}

static void what_is_far_from_all_words_gets_none(void **state)
{
	(void)state;
	assert_null(nearest_of("benchmark"));
	assert_null(nearest_of("xyzzy"));
	assert_null(nearest_of(""));
	assert_null(nearest_of("a-word-that-is-longer-than-any-command-can-be"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_letter_too_many_too_few_or_wrong_is_understood),
		cmocka_unit_test(what_is_far_from_all_words_gets_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
