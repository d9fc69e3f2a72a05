// SPDX-License-Identifier: MIT
#include "test.h"

#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "ssdbench/value.h"

static void assert_text(const char *text, const char *expected)
{
	json_t *value = value_text(text);

	assert_string_equal(json_string_value(value), expected);
	json_decref(value);
}

static void text_that_is_no_utf8_is_repaired(void **state)
{
	(void)state;
	assert_text("nvme", "nvme");
	assert_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	assert_text("TEST\xff\xfe", "TEST\xef\xbf\xbd\xef\xbf\xbd");
	assert_text("cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd");
	assert_text("\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd");                 /* overlong */
	assert_text("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* a surrogate */
}

static void unknown_is_null(void **state)
{
	(void)state;
	assert_true(json_is_null(value_text(NULL)));
	assert_true(json_is_null(value_text_or_null("")));
	assert_true(json_is_null(value_known(0)));
	assert_true(json_is_null(value_time(0)));
}

static void no_figure_is_nan_or_infinite(void **state)
{
	(void)state;
	assert_true(json_is_null(value_figure(NAN)));
	assert_true(json_is_null(value_figure(INFINITY)));
	assert_true(json_is_null(value_figure(-INFINITY)));
}

static void assert_dump(json_t *value, const char *expected)
{
	char *text = json_dumps(value, VALUE_DUMP | JSON_ENCODE_ANY);

	assert_string_equal(text, expected);
	free(text);
	json_decref(value);
}

static void numbers_are_exact_or_rounded_to_thousandths(void **state)
{
	(void)state;
	assert_dump(value_u64(9007199254740993ULL), "9007199254740993");
	assert_dump(value_u64(UINT64_MAX), "9223372036854775807");
	assert_dump(value_figure(98.51), "98.51");
	assert_dump(value_figure(1.0 / 3.0), "0.333");
	assert_dump(value_figure(123456789012.3456), "123456789012.346");
}

static void times_are_utc_with_milliseconds(void **state)
{
	(void)state;
	assert_dump(value_time(1796040000123456789ULL), "\"2026-11-30T12:00:00.123Z\"");
	assert_dump(value_time(1), "\"1970-01-01T00:00:00.000Z\"");
}

/* With a decimal comma; the build makes the locale where it can. */
static void the_locale_changes_no_number(void **state)
{
	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		skip();
	assert_string_equal(localeconv()->decimal_point, ",");
	assert_dump(value_figure(98.51), "98.51");
	assert_dump(value_time(1796040000123456789ULL), "\"2026-11-30T12:00:00.123Z\"");
	setlocale(LC_ALL, "C");
}

static void an_object_with_a_missing_value_is_none(void **state)
{
	const struct value_member whole[] = {{"a", json_integer(1)}, {"b", json_null()}};
	const struct value_member broken[] = {{"a", NULL}, {"b", json_integer(1)}};

	(void)state;
	assert_dump(VALUE_OBJECT(whole), "{\"a\":1,\"b\":null}");
	assert_null(VALUE_OBJECT(broken));
	assert_null(value_append(json_array(), NULL));
	assert_null(value_append(NULL, json_integer(1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_that_is_no_utf8_is_repaired),
		cmocka_unit_test(unknown_is_null),
		cmocka_unit_test(no_figure_is_nan_or_infinite),
		cmocka_unit_test(numbers_are_exact_or_rounded_to_thousandths),
		cmocka_unit_test(times_are_utc_with_milliseconds),
		cmocka_unit_test(the_locale_changes_no_number),
		cmocka_unit_test(an_object_with_a_missing_value_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
