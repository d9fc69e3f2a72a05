// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "profile/words.h"
#include "ssdbench/profile.h"

static void a_slip_of_the_finger_finds_its_word(void **state)
{
	(void)state;
	assert_string_equal(words_nearest(&rw_words, "randraed"), "randread");
	assert_string_equal(words_nearest(&rw_words, "wirte"), "write");
	assert_string_equal(words_nearest(&phase_kind_words, "randomfill"), "random-fill");
	assert_string_equal(words_nearest(&fact_words, "capacity"), "capacity");
}

static void a_word_that_is_far_from_all_gets_no_hint(void **state)
{
	(void)state;
	assert_null(words_nearest(&rw_words, "sequential"));
	assert_null(words_nearest(&rw_words, ""));
	assert_null(words_nearest(&comparison_words, "=>"));
}

static void words_are_found_by_their_index(void **state)
{
	(void)state;
	assert_int_equal(words_find(&rw_words, "randrw"), RW_RANDRW);
	assert_int_equal(words_find(&rw_words, "RANDRW"), -1);
	assert_string_equal(rw_name(RW_RANDWRITE), "randwrite");
	assert_string_equal(phase_kind_name(PHASE_RANDOM_FILL), "random-fill");
	assert_string_equal(comparison_name(CMP_NE), "!=");
}

static void a_list_that_does_not_fit_is_cut_with_room_for_the_hint(void **state)
{
	static const char long_word[] = "wordwordwordwordwordwordwordwordwordwordwordword";
	const char *names[100];
	const struct words words = {names, 100};
	char message[WORDS_MESSAGE_MAX];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		names[i] = long_word;
	words_hint(&words, "wordwordwordwordwordwordwordwordwordwordwordwor", message);
	assert_non_null(strstr(message, "..., ") ? message : strstr(message, "...;"));
	assert_non_null(strstr(message, "did you mean \"wordword"));
	assert_int_equal(message[strlen(message) - 1], '?');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slip_of_the_finger_finds_its_word),
		cmocka_unit_test(a_word_that_is_far_from_all_gets_no_hint),
		cmocka_unit_test(words_are_found_by_their_index),
		cmocka_unit_test(a_list_that_does_not_fit_is_cut_with_room_for_the_hint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
