/* SPDX-License-Identifier: MIT */
/*
 * Tables for people. The only place that knows libsmartcols. A failure (no memory) is kept until
 * table_print(), so that callers fill cells without a check at each.
 */
#ifndef SSDBENCH_REPORT_TABLE_H
#define SSDBENCH_REPORT_TABLE_H

#include <stdio.h>

#include "ssdbench/report.h"

struct table;

enum column_kind {
	COLUMN_TEXT,
	COLUMN_NUMBER, /* right-aligned */
	COLUMN_PROSE,  /* takes the rest of the width and folds; the last column */
};

/* NULL: out of memory; the other functions take it. Release with table_free(). */
struct table *table_open(const struct report_style *style);
void table_column(struct table *table, const char *head, enum column_kind kind);
/* Starts the next line; cells that are not set stay empty. */
void table_line(struct table *table);
/* The next cell of the line, copied; NULL: "-", there is no such value. */
void table_cell(struct table *table, const char *text);
void table_cell_format(struct table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* 0 or -ENOMEM, also for what failed before. */
int table_print(struct table *table, FILE *out);
void table_free(struct table *table);

#endif
