// SPDX-License-Identifier: MIT
/*
 * Values out of JSON. A place is a chain of `struct where` on the stack, so the pointer costs
 * nothing until an error wants to print it.
 */
#include "reader.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "ssdbench/units.h"

#define POINTER_MAX 256

/* Text in a fixed buffer that silently ends where the buffer does. */
struct pointer {
	char text[POINTER_MAX];
	size_t used;
};

static void pointer_add(struct pointer *pointer, const char *text)
{
	const int length =
		snprintf(pointer->text + pointer->used, POINTER_MAX - pointer->used, "%s", text);

	pointer->used += (size_t)length;
	if (pointer->used >= POINTER_MAX)
		pointer->used = POINTER_MAX - 1;
}

/* RFC 6901 escapes; control characters would reach a terminal and become '?'. */
static void pointer_add_key(struct pointer *pointer, const char *key)
{
	for (; *key; key++) {
		const char plain[2] = {(unsigned char)*key < ' ' || *key == 0x7f ? '?' : *key};

		pointer_add(pointer, *key == '~' ? "~0" : *key == '/' ? "~1" : plain);
	}
}

static void pointer_build(struct pointer *pointer, const struct where *at)
{
	char index[24];

	if (!at->up)
		return;
	pointer_build(pointer, at->up);
	pointer_add(pointer, "/");
	if (at->key) {
		pointer_add_key(pointer, at->key);
		return;
	}
	snprintf(index, sizeof(index), "%zu", at->index);
	pointer_add(pointer, index);
}

/* What was written at @at; the "$name" itself for all places inside a parameter's value. */
static const json_t *written_at(const json_t *root, const struct where *at)
{
	const json_t *up;

	if (!at->up)
		return root;
	up = written_at(root, at->up);
	if (json_is_string(up))
		return up;
	return at->key ? json_object_get(up, at->key) : json_array_get(up, at->index);
}

int reader_fail(const struct reader *r, const struct where *at, const char *format, ...)
{
	const char *written = json_string_value(r->written ? written_at(r->written, at) : NULL);
	struct pointer pointer = {0};
	char text[sizeof(r->err->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pointer_build(&pointer, at);
	if (written && written[0] == '$')
		return error_usage(r->err, "%s: %s: %s (the value of parameter \"%.64s\")",
				   r->origin, pointer.text, text, written + 1);
	if (!pointer.used)
		return error_usage(r->err, "%s: %s", r->origin, text);
	return error_usage(r->err, "%s: %s: %s", r->origin, pointer.text, text);
}

int reader_no_memory(const struct reader *r)
{
	return error_set(r->err, -ENOMEM, "%s: out of memory", r->origin);
}

const char *reader_show(const json_t *value, char text[SHOW_MAX])
{
	const size_t flags =
		JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15);
	size_t used;

	memset(text, 0, SHOW_MAX);
	if (json_dumpb(value, text, SHOW_MAX - 1, flags) < SHOW_MAX)
		return text;
	used = strlen(text);
	memcpy(text + (used < SHOW_MAX - 4 ? used : SHOW_MAX - 4), "...", 4);
	return text;
}

static int want_type(struct reader *r, const struct where *at, const json_t *value, bool is,
		     const char *noun)
{
	char shown[SHOW_MAX];

	return is ? 0 : reader_fail(r, at, "%s is not %s", reader_show(value, shown), noun);
}

static const struct key *find_key(const struct key *keys, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	}
	return NULL;
}

static int unknown_key(struct reader *r, const struct where *at, const struct key *keys, size_t nr,
		       unsigned int kind, const char *noun, bool known)
{
	const char *names[32];
	struct words words = {names, 0};
	char message[WORDS_MESSAGE_MAX];

	for (size_t i = 0; i < nr && words.nr < 32; i++) {
		if (keys[i].takes & kind)
			names[words.nr++] = keys[i].name;
	}
	if (known)
		return reader_fail(r, at, "%s does not take this key; it takes %s", noun,
				   words_list(&words, message));
	return reader_fail(r, at, "unknown key; not %s", words_hint(&words, at->key, message));
}

int reader_object(struct reader *r, const struct where *at, const json_t *value,
		  const struct key *keys, size_t nr, unsigned int kind, const char *noun, void *out)
{
	json_t *object = (json_t *)value; /* jansson iterates mutable objects only */
	json_t *member;
	const char *name;
	int ret;

	ret = want_type(r, at, value, json_is_object(value), "an object");
	if (ret)
		return ret;
	json_object_foreach (object, name, member) {
		const struct where here = {at, name, 0};
		const struct key *key = find_key(keys, nr, name);

		if (!key || !(key->takes & kind))
			return unknown_key(r, &here, keys, nr, kind, noun, key != NULL);
	}
	for (size_t i = 0; i < nr; i++) {
		const struct where here = {at, keys[i].name, 0};

		member = json_object_get(value, keys[i].name);
		if (!member && (keys[i].needs & kind))
			return reader_fail(r, at, "key \"%s\" is missing; %s needs it",
					   keys[i].name, noun);
		ret = member ? keys[i].read(r, &here, member, out) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

int reader_string(struct reader *r, const struct where *at, const json_t *value, size_t max,
		  const char **text)
{
	const char *string = json_string_value(value);
	int ret;

	ret = want_type(r, at, value, string != NULL, "a string");
	if (ret)
		return ret;
	if (!*string)
		return reader_fail(r, at, "the string is empty");
	if (json_string_length(value) > max)
		return reader_fail(r, at, "the string is longer than %zu bytes", max);
	for (const char *c = string; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return reader_fail(r, at, "the string has a control character");
	}
	*text = string;
	return 0;
}

int reader_copy(struct reader *r, const struct where *at, const json_t *value, size_t max,
		char **text)
{
	const char *string;
	int ret;

	ret = reader_string(r, at, value, max, &string);
	if (ret)
		return ret;
	*text = strdup(string);
	return *text ? 0 : reader_no_memory(r);
}

int reader_name(struct reader *r, const struct where *at, const json_t *value, char extra,
		char **text)
{
	const char *string;
	int ret;

	ret = reader_string(r, at, value, PROFILE_NAME_MAX, &string);
	if (ret)
		return ret;
	for (const char *c = string; *c; c++) {
		if ((*c < 'a' || *c > 'z') && (*c < '0' || *c > '9') && *c != extra)
			return reader_fail(
				r, at,
				"\"%s\": a name has lower case letters, digits and '%c' only",
				string, extra);
	}
	*text = strdup(string);
	return *text ? 0 : reader_no_memory(r);
}

int reader_bool(struct reader *r, const struct where *at, const json_t *value, bool *out)
{
	const int ret = want_type(r, at, value, json_is_boolean(value), "true or false");

	if (ret)
		return ret;
	*out = json_is_true(value);
	return 0;
}

int reader_integer(struct reader *r, const struct where *at, const json_t *value, uint32_t min,
		   uint32_t max, uint32_t *out)
{
	const json_int_t number = json_integer_value(value);
	int ret;

	ret = want_type(r, at, value, json_is_integer(value), "a whole number");
	if (ret)
		return ret;
	if (number < min || number > max)
		return reader_fail(
			r, at, "%" JSON_INTEGER_FORMAT " is not between %" PRIu32 " and %" PRIu32,
			number, min, max);
	*out = (uint32_t)number;
	return 0;
}

int reader_size(struct reader *r, const struct where *at, const json_t *value, uint64_t min,
		uint64_t max, uint64_t *out)
{
	char low[UNITS_TEXT_MAX], high[UNITS_TEXT_MAX];
	struct error cause = {0};
	uint64_t bytes;
	int ret;

	ret = want_type(r, at, value, json_is_string(value),
			"a size; write a string with a unit, such as \"128KiB\"");
	if (ret)
		return ret;
	if (size_parse(json_string_value(value), &bytes, &cause))
		return reader_fail(r, at, "%s", cause.text);
	if (bytes < min)
		return reader_fail(r, at, "\"%s\" is below the least size of %s",
				   json_string_value(value), size_format(min, low));
	if (bytes > max)
		return reader_fail(r, at, "\"%s\" is above the largest size of %s",
				   json_string_value(value), size_format(max, high));
	*out = bytes;
	return 0;
}

int reader_duration(struct reader *r, const struct where *at, const json_t *value, uint64_t min,
		    uint64_t *out)
{
	char limit[UNITS_TEXT_MAX];
	struct error cause = {0};
	uint64_t ns;
	int ret;

	ret = want_type(r, at, value, json_is_string(value),
			"a duration; write a string with a unit, such as \"300s\"");
	if (ret)
		return ret;
	if (duration_parse(json_string_value(value), &ns, &cause))
		return reader_fail(r, at, "%s", cause.text);
	if (ns < min)
		return reader_fail(r, at, "\"%s\" is below the least duration of %s",
				   json_string_value(value), duration_format(min, limit));
	if (ns > PROFILE_DURATION_MAX_NS)
		return reader_fail(r, at, "\"%s\" is above the longest duration of %s",
				   json_string_value(value),
				   duration_format(PROFILE_DURATION_MAX_NS, limit));
	*out = ns;
	return 0;
}

int reader_percent(struct reader *r, const struct where *at, const json_t *value, uint32_t *out)
{
	struct error cause = {0};
	uint32_t basis_points = 0;
	char shown[SHOW_MAX];

	if (json_is_string(value)) {
		if (percent_parse(json_string_value(value), &basis_points, &cause))
			return reader_fail(r, at, "%s", cause.text);
	} else if (json_is_number(value)) {
		const double percent = json_number_value(value);

		if (!(percent >= 0.0 && percent <= 100.0))
			return reader_fail(r, at, "%s: a percentage is between 0.01 and 100",
					   reader_show(value, shown));
		/* The double nearest to a number of two decimals is that number of hundredths /
		 * 100. */
		basis_points = (uint32_t)(percent * 100.0 + 0.5);
		if ((double)basis_points / 100.0 != percent)
			return reader_fail(r, at, "%s: a percentage has at most two decimals",
					   reader_show(value, shown));
	} else {
		return want_type(r, at, value, false, "a percentage");
	}
	if (basis_points == 0)
		return reader_fail(r, at, "a share of 0 is never drawn; leave it out");
	*out = basis_points;
	return 0;
}

int reader_word(struct reader *r, const struct where *at, const json_t *value,
		const struct words *words, unsigned int *out)
{
	char shown[SHOW_MAX], message[WORDS_MESSAGE_MAX];
	const char *text = json_string_value(value);
	const int index = text ? words_find(words, text) : -1;

	if (index < 0)
		return reader_fail(r, at, "%s is not %s", reader_show(value, shown),
				   words_hint(words, text ? text : "", message));
	*out = (unsigned int)index;
	return 0;
}

void *reader_allocate(struct reader *r, const struct where *at, const json_t *value, size_t max,
		      size_t size, size_t *nr)
{
	const size_t count = json_is_array(value) ? json_array_size(value) : 1;
	void *items;

	if (count == 0) {
		reader_fail(r, at, "the array is empty");
		return NULL;
	}
	if (count > max) {
		reader_fail(r, at, "the array has %zu elements; %zu are the most", count, max);
		return NULL;
	}
	items = calloc(count, size);
	if (items)
		*nr = count;
	else
		reader_no_memory(r);
	return items;
}

int reader_each(struct reader *r, const struct where *at, const json_t *value, read_fn *read,
		void *out, size_t size)
{
	if (!json_is_array(value))
		return read(r, at, value, out);
	for (size_t i = 0; i < json_array_size(value); i++) {
		const struct where here = {at, NULL, i};
		const int ret = read(r, &here, json_array_get(value, i), (char *)out + i * size);

		if (ret)
			return ret;
	}
	return 0;
}

int reader_want_array(struct reader *r, const struct where *at, const json_t *value)
{
	return want_type(r, at, value, json_is_array(value), "an array");
}
