// SPDX-License-Identifier: MIT
/*
 * A row's index is a number whose digits are the positions on the axes, the innermost axis least
 * significant. numjobs and iodepth are one axis here, since a profile may pair them freely.
 */
#include "matrix.h"

#include <assert.h>

enum dimension { DIM_RW, DIM_BS, DIM_POINT, DIMENSIONS };

static size_t dimension_length(const struct phase *phase, enum dimension dimension)
{
	switch (dimension) {
	case DIM_RW: return phase->nr_rw;
	case DIM_BS: return phase->nr_bs;
	default: return phase->nr_points;
	}
}

/* Outermost first; points stand where the earlier of numjobs and iodepth does. */
static void dimension_order(const struct phase *phase, enum dimension order[DIMENSIONS])
{
	static const enum dimension of_axis[AXES] = {
		[AXIS_RW] = DIM_RW,
		[AXIS_BS] = DIM_BS,
		[AXIS_NUMJOBS] = DIM_POINT,
		[AXIS_IODEPTH] = DIM_POINT,
	};
	bool seen[DIMENSIONS] = {false};
	size_t nr = 0;

	for (size_t i = 0; i < AXES; i++) {
		const enum dimension dimension = of_axis[phase->order[i]];

		if (seen[dimension])
			continue;
		seen[dimension] = true;
		order[nr++] = dimension;
	}
	assert(nr == DIMENSIONS);
}

size_t matrix_rows(const struct phase *phase)
{
	return phase->nr_rw * phase->nr_bs * phase->nr_points;
}

struct matrix_row matrix_row_at(const struct phase *phase, size_t index)
{
	enum dimension order[DIMENSIONS];
	size_t position[DIMENSIONS];

	assert(index < matrix_rows(phase));
	dimension_order(phase, order);
	for (size_t i = DIMENSIONS; i-- > 0;) {
		const size_t length = dimension_length(phase, order[i]);

		position[order[i]] = index % length;
		index /= length;
	}
	return (struct matrix_row){
		.rw = phase->rw[position[DIM_RW]],
		.bs = &phase->bs[position[DIM_BS]],
		.point = phase->point[position[DIM_POINT]],
	};
}
