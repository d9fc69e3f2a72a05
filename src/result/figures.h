/* SPDX-License-Identifier: MIT */
#ifndef SSDBENCH_RESULT_FIGURES_H
#define SSDBENCH_RESULT_FIGURES_H

#include "ssdbench/result.h"

/* The figures of one direction with its whole histogram; null where there was no I/O. @ns: the window. */
struct json_t *figures_json(const struct io_totals *totals, uint64_t ns);

#endif
