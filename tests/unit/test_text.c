// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>

#include "target/text.h"

static void expect(const char *bytes, size_t len, const char *right, bool replaced)
{
	bool changed;
	char *clean = text_clean(bytes, len, &changed);

	assert_string_equal(clean, right);
	assert_int_equal(changed, replaced);
	free(clean);
}

#define EXPECT(bytes, right, replaced) expect(bytes, sizeof(bytes) - 1, right, replaced)

static void blanks_at_the_end_are_cut_and_others_kept(void **state)
{
	(void)state;
	EXPECT("ACME 3.2TB   ", "ACME 3.2TB", false);
	EXPECT("  ACME", "  ACME", false);
	EXPECT("ACME\0\0", "ACME", false);
	EXPECT("    ", "", false);
	EXPECT("", "", false);
}

static void well_formed_utf8_stays(void **state)
{
	(void)state;
	EXPECT("Müller \xE2\x82\xAC \xF0\x9F\x98\x80", "Müller \xE2\x82\xAC \xF0\x9F\x98\x80",
	       false);
}

static void each_bad_byte_becomes_one_replacement(void **state)
{
	(void)state;
	EXPECT("TESTDRIVE\xFF\xFE  ", "TESTDRIVE\xEF\xBF\xBD\xEF\xBF\xBD", true);
	EXPECT("a\xE2\x82", "a\xEF\xBF\xBD\xEF\xBF\xBD", true);
	EXPECT("\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD", true);
	EXPECT("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", true);
	EXPECT("a\x80z", "a\xEF\xBF\xBDz", true);
}

static void control_characters_cannot_reach_a_terminal(void **state)
{
	(void)state;
	EXPECT("a\x1B[2Jb", "a\xEF\xBF\xBD[2Jb", true);
	EXPECT("a\0b",
	       "a\xEF\xBF\xBD"
	       "b",
	       true);
	EXPECT("\x7F", "\xEF\xBF\xBD", true);
	EXPECT("\xC2\x9B", "\xEF\xBF\xBD\xEF\xBF\xBD", true);
}

static void hex_shows_every_byte(void **state)
{
	char *hex = text_hex("T\xFF\0", 3);

	(void)state;
	assert_string_equal(hex, "54ff00");
	free(hex);
	hex = text_hex("", 0);
	assert_string_equal(hex, "");
	free(hex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_at_the_end_are_cut_and_others_kept),
		cmocka_unit_test(well_formed_utf8_stays),
		cmocka_unit_test(each_bad_byte_becomes_one_replacement),
		cmocka_unit_test(control_characters_cannot_reach_a_terminal),
		cmocka_unit_test(hex_shows_every_byte),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
