/* SPDX-License-Identifier: MIT */
/* The rows of a phase: the product of its sweeps, in the order of its axes. */
#ifndef SSDBENCH_PLAN_MATRIX_H
#define SSDBENCH_PLAN_MATRIX_H

#include "ssdbench/profile.h"

struct matrix_row {
	enum rw rw;
	const struct size_mix *bs; /* borrowed from the phase */
	struct point point;
};

/* How many rows @phase has; @phase does I/O. */
size_t matrix_rows(const struct phase *phase);

/* The row at @index < matrix_rows(), the outermost axis changing slowest. */
struct matrix_row matrix_row_at(const struct phase *phase, size_t index);

#endif
