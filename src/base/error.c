// SPDX-License-Identifier: MIT
/*
 * One slot for the first cause. Every error_*() call ends in record(), which alone decides whether
 * the slot is still free.
 */
#include "ssdbench/error.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_clear(struct error *err)
{
	if (!err)
		return;
	err->kind = ERROR_NONE;
	err->code = 0;
	err->text[0] = '\0';
}

/* Drops what a cut left of a UTF-8 character at the end of @text, since the text goes into JSON. */
static void drop_cut_character(char *text)
{
	size_t end = strlen(text);
	size_t start = end;
	size_t want = 1;
	unsigned char lead;

	while (start > 0 && end - start < 3 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
		start--;
	if (start == 0)
		return;
	lead = (unsigned char)text[--start];
	if (lead >= 0xf0)
		want = 4;
	else if (lead >= 0xe0)
		want = 3;
	else if (lead >= 0xc0)
		want = 2;
	if (end - start < want)
		text[start] = '\0';
}

static void drop_newlines(char *text)
{
	size_t end = strlen(text);

	while (end > 0 && text[end - 1] == '\n')
		text[--end] = '\0';
}

/* A file's name may hold anything: no message of ours has two lines or moves a terminal's cursor. */
static void replace_control_characters(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
	}
}

static int __attribute__((format(printf, 4, 0)))
record(struct error *err, enum error_kind kind, int code, const char *format, va_list args)
{
	int length;

	assert(code < 0);
	if (!err || err->kind != ERROR_NONE)
		return code;
	err->kind = kind;
	err->code = code;
	length = vsnprintf(err->text, sizeof(err->text), format, args);
	if (length < 0)
		err->text[0] = '\0';
	else if ((size_t)length >= sizeof(err->text))
		drop_cut_character(err->text);
	drop_newlines(err->text);
	replace_control_characters(err->text);
	return code;
}

int error_set(struct error *err, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	code = record(err, ERROR_HARNESS, code, format, args);
	va_end(args);
	return code;
}

int error_usage(struct error *err, const char *format, ...)
{
	va_list args;
	int code;

	va_start(args, format);
	code = record(err, ERROR_USAGE, -EINVAL, format, args);
	va_end(args);
	return code;
}

int error_refuse(struct error *err, const char *format, ...)
{
	va_list args;
	int code;

	va_start(args, format);
	code = record(err, ERROR_REFUSED, -EPERM, format, args);
	va_end(args);
	return code;
}

void error_prefix(struct error *err, const char *format, ...)
{
	char where[sizeof(err->text)];
	char cause[sizeof(err->text)];
	va_list args;
	int length;

	if (!err || err->kind == ERROR_NONE)
		return;
	va_start(args, format);
	length = vsnprintf(where, sizeof(where), format, args);
	va_end(args);
	if (length < 0)
		return;
	if ((size_t)length >= sizeof(where))
		drop_cut_character(where);
	memcpy(cause, err->text, sizeof(cause));
	length = snprintf(err->text, sizeof(err->text), "%s: %s", where, cause);
	if ((size_t)length >= sizeof(err->text))
		drop_cut_character(err->text);
}
