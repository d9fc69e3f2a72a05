/* SPDX-License-Identifier: MIT */
/* What stands below a table of results: the evidence of its marks, and the verdict of its gates. */
#ifndef SSDBENCH_REPORT_FOOTNOTES_H
#define SSDBENCH_REPORT_FOOTNOTES_H

#include <stdio.h>

#include "ssdbench/report.h"

/* The letter that marks a figure: 'U' for unwritten and so on. */
char footnote_mark(enum flag_kind kind);

void footnotes_print(FILE *out, const struct plan *plan, const struct run_outcome *outcome);

#endif
