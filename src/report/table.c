// SPDX-License-Identifier: MIT
#include "table.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

struct table {
	struct libscols_table *scols;
	struct libscols_line *line; /* borrowed from scols */
	size_t next;                /* cell of the line */
	bool failed;
};

struct table *table_open(const struct report_style *style)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->scols = scols_new_table();
	if (!table->scols) {
		free(table);
		return NULL;
	}
	scols_table_enable_colors(table->scols, style->colour);
	scols_table_enable_minout(table->scols, 1); /* no blanks at the ends of lines */
	/* Without a width nothing is cut, whatever the stream is. */
	scols_table_set_termforce(table->scols,
				  style->width ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
	if (style->width)
		scols_table_set_termwidth(table->scols, style->width);
	return table;
}

void table_column(struct table *table, const char *head, enum column_kind kind)
{
	static const int flags[] = {
		[COLUMN_TEXT] = 0,
		[COLUMN_NUMBER] = SCOLS_FL_RIGHT,
		[COLUMN_PROSE] = SCOLS_FL_WRAP,
	};
	struct libscols_column *column;

	if (!table)
		return;
	column = scols_table_new_column(table->scols, head, 0, flags[kind]);
	if (!column || scols_cell_set_color(scols_column_get_header(column), "bold"))
		table->failed = true;
}

void table_line(struct table *table)
{
	if (!table)
		return;
	table->line = scols_table_new_line(table->scols, NULL);
	table->next = 0;
	if (!table->line)
		table->failed = true;
}

void table_cell(struct table *table, const char *text)
{
	if (!table || !table->line)
		return;
	if (scols_line_set_data(table->line, table->next++, text ? text : "-"))
		table->failed = true;
}

void table_cell_format(struct table *table, const char *format, ...)
{
	va_list args;
	char *text;
	int rc;

	va_start(args, format);
	rc = vasprintf(&text, format, args);
	va_end(args);
	if (rc < 0) {
		if (table)
			table->failed = true;
		return;
	}
	table_cell(table, text);
	free(text);
}

int table_print(struct table *table, FILE *out)
{
	if (!table || table->failed)
		return -ENOMEM;
	scols_table_set_stream(table->scols, out);
	return scols_print_table(table->scols) ? -ENOMEM : 0;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table);
}
