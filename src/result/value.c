// SPDX-License-Identifier: MIT
#include "ssdbench/value.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ssdbench/units.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Length of the UTF-8 character at @text, 0 where there is none (RFC 3629: no surrogates, no overlong forms). */
static size_t character_length(const unsigned char *text)
{
	static const struct {
		unsigned char first_low, first_high, second_low, second_high;
		size_t length;
	} form[] = {
		{0x01, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof(form) / sizeof(form[0]); i++) {
		if (text[0] < form[i].first_low || text[0] > form[i].first_high)
			continue;
		if (form[i].length == 1)
			return 1;
		if (text[1] < form[i].second_low || text[1] > form[i].second_high)
			return 0;
		for (size_t k = 2; k < form[i].length; k++) {
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		}
		return form[i].length;
	}
	return 0;
}

static json_t *repaired_text(const char *text)
{
	const size_t length = strlen(text);
	char *copy = malloc(length * (sizeof(REPLACEMENT) - 1) + 1);
	char *end = copy;
	json_t *value;

	if (!copy)
		return NULL;
	for (const char *from = text; *from;) {
		const size_t whole = character_length((const unsigned char *)from);

		if (whole) {
			end = mempcpy(end, from, whole);
			from += whole;
		} else {
			end = mempcpy(end, REPLACEMENT, sizeof(REPLACEMENT) - 1);
			from++;
		}
	}
	*end = '\0';
	value = json_string(copy);
	free(copy);
	return value;
}

struct json_t *value_text(const char *text)
{
	json_t *value;

	if (!text)
		return json_null();
	value = json_string(text);
	return value ? value : repaired_text(text);
}

struct json_t *value_text_or_null(const char *text)
{
	return value_text(text && *text ? text : NULL);
}

struct json_t *value_u64(uint64_t number)
{
	return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

struct json_t *value_u128(unsigned __int128 number)
{
	char digits[40]; /* 2^128 has 39 */
	char *first = digits + sizeof(digits) - 1;

	if (number <= INT64_MAX)
		return json_integer((json_int_t)number);
	*first = '\0';
	for (; number > 0; number /= 10)
		*--first = (char)('0' + (int)(number % 10));
	return json_string(first);
}

struct json_t *value_known(uint64_t number)
{
	return number ? value_u64(number) : json_null();
}

struct json_t *value_figure(double figure)
{
	if (!isfinite(figure))
		return json_null();
	return json_real(round(figure * 1000.0) / 1000.0);
}

struct json_t *value_time(uint64_t realtime_ns)
{
	const time_t seconds = (time_t)(realtime_ns / NSEC_PER_SEC);
	const unsigned int ms = (unsigned int)(realtime_ns % NSEC_PER_SEC / NSEC_PER_MSEC);
	struct tm tm;
	char text[64];

	if (realtime_ns == 0 || !gmtime_r(&seconds, &tm))
		return json_null();
	snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02d.%03uZ", tm.tm_year + 1900,
		 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, ms);
	return json_string(text);
}

struct json_t *value_object(const struct value_member *members, size_t nr)
{
	json_t *object = json_object();
	int failed = !object;

	/* All members are visited, also after a failure: each reference is ours to release. */
	for (size_t i = 0; i < nr; i++)
		failed |= json_object_set_new(object, members[i].key, members[i].value);
	if (!failed)
		return object;
	json_decref(object);
	return NULL;
}

struct json_t *value_append(struct json_t *list, struct json_t *entry)
{
	if (json_array_append_new(list, entry) == 0)
		return list;
	json_decref(list);
	return NULL;
}
