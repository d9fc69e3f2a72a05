// SPDX-License-Identifier: MIT
/*
 * A drive is written in two walks over the journal's lines of health: one for the first and the last reading, one
 * for the series, so that memory does not grow with the length of the run.
 */
#include "health_document.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "health.h"
#include "journal.h"
#include "ssdbench/result.h"
#include "ssdbench/value.h"

/* Called with each line that tells of the drive. 0 or a negative errno. */
typedef int line_visitor(void *context, const json_t *step, const json_t *entry);

static const json_t *entry_of_drive(const json_t *line, size_t drive)
{
	const json_t *entry;
	size_t index;

	json_array_foreach (json_object_get(line, "drives"), index, entry) {
		if (json_integer_value(json_object_get(entry, "drive")) == (json_int_t)drive)
			return entry;
	}
	return NULL;
}

static int visit_line(const char *text, size_t length, size_t drive, line_visitor *visit,
		      void *context)
{
	json_t *line = json_loadb(text, length, 0, NULL);
	const json_t *entry = entry_of_drive(line, drive);
	int ret = line ? 0 : -EBADMSG;

	if (entry)
		ret = visit(context, json_object_get(line, "step"), entry);
	json_decref(line);
	return ret;
}

static int visit_lines(int fd, size_t drive, line_visitor *visit, void *context)
{
	struct journal_cursor cursor;
	const char *text;
	size_t length;
	int ret;

	journal_cursor_init(&cursor, fd, 0);
	while ((ret = journal_cursor_next(&cursor, &text, &length)) > 0) {
		if (strncmp(text, HEALTH_PREFIX, sizeof(HEALTH_PREFIX) - 1) != 0)
			continue;
		ret = visit_line(text, length, drive, visit, context);
		if (ret < 0)
			break;
	}
	journal_cursor_fini(&cursor);
	return ret < 0 ? ret : 0;
}

struct ends {
	json_t *first, *last; /* owned; NULL: no reading */
	json_t *reason;       /* owned; why there was none, or none any more; NULL: no line says */
};

static int find_ends(void *context, const json_t *step, const json_t *entry)
{
	struct ends *ends = context;
	json_t *reading = json_object_get(entry, "reading");
	json_t *reason = json_object_get(entry, "reason");

	(void)step;
	if (json_is_string(reason) && !ends->reason)
		ends->reason = json_incref(reason);
	if (!json_is_object(reading))
		return 0;
	if (!ends->first)
		ends->first = json_incref(reading);
	json_decref(ends->last);
	ends->last = json_incref(reading);
	return 0;
}

struct rows {
	FILE *out;
	const char *separator;
};

static int put_row(void *context, const json_t *step, const json_t *entry)
{
	struct rows *rows = context;
	const json_t *reading = json_object_get(entry, "reading");
	json_t *row;
	int ret = 0;

	if (!json_is_object(reading))
		return 0;
	row = result_health_row_json(step, reading);
	fputs(rows->separator, rows->out);
	rows->separator = ",\n";
	if (!row)
		ret = -ENOMEM;
	else if (json_dumpf(row, rows->out, VALUE_DUMP) < 0)
		ret = -EIO;
	json_decref(row);
	return ret;
}

static json_t *or_null(json_t *value)
{
	return value ? json_incref(value) : json_null();
}

static json_t *ends_json(const struct ends *ends, size_t drive)
{
	const struct value_member members[] = {
		{"drive", value_u64(drive)},
		{"reason", or_null(ends->reason)},
		{"before", or_null(ends->first)},
		{"after", or_null(ends->last)},
		{"change", result_health_change_json(ends->first, ends->last)},
		{"columns", result_health_columns_json()},
	};

	return VALUE_OBJECT(members);
}

/* The members of @object without its last brace, so that more can follow. */
static int put_open_object(FILE *out, json_t *object)
{
	char *text = object ? json_dumps(object, VALUE_DUMP) : NULL;

	json_decref(object);
	if (!text)
		return -ENOMEM;
	fprintf(out, "%.*s", (int)strlen(text) - 1, text);
	free(text);
	return 0;
}

static int put_drive(FILE *out, int fd, size_t drive)
{
	struct rows rows = {out, "\n"};
	struct ends ends = {0};
	int ret = visit_lines(fd, drive, find_ends, &ends);

	if (ret == 0)
		ret = put_open_object(out, ends_json(&ends, drive));
	json_decref(ends.first);
	json_decref(ends.last);
	json_decref(ends.reason);
	fputs(",\"rows\":[", out);
	if (ret == 0)
		ret = visit_lines(fd, drive, put_row, &rows);
	fputs("]}", out);
	if (ret < 0)
		return ret;
	return ferror(out) ? -EIO : 0;
}

int health_document_write(FILE *out, int fd, size_t nr_drives)
{
	int ret = 0;

	fputs("\"health\":[", out);
	for (size_t i = 0; i < nr_drives && ret == 0; i++) {
		if (i > 0)
			fputs(",\n", out);
		ret = put_drive(out, fd, i);
	}
	fputs("],\n", out);
	return ret;
}
