// SPDX-License-Identifier: MIT
#include "ssdbench/result.h"

/* Reads and writes together, each weighted by its I/Os. */
static double mean_latency(const struct row *row)
{
	double sum = 0.0, ios = 0.0;

	for (enum direction dir = 0; dir < DIRECTIONS; dir++) {
		sum += row->dir[dir].latency_mean_ns * (double)row->dir[dir].ios;
		ios += (double)row->dir[dir].ios;
	}
	return sum / ios;
}

static double metric_value(enum metric metric, const struct row *row)
{
	switch (metric) {
	case METRIC_IOPS: return row->dir[DIR_READ].iops + row->dir[DIR_WRITE].iops;
	case METRIC_BANDWIDTH: return row->dir[DIR_READ].bandwidth + row->dir[DIR_WRITE].bandwidth;
	case METRIC_LATENCY_MEAN: return mean_latency(row);
	case METRIC_LATENCY_P99: return (double)row->latency_p99_ns;
	case METRIC_ERRORS: return (double)row->errors;
	case METRICS: break;
	}
	return 0.0;
}

/* Errors can be counted where nothing succeeded; every other metric needs an I/O that did. */
static bool has_value(enum metric metric, const struct row *row)
{
	if (row->status == STEP_SKIPPED || row->status == STEP_FAILED)
		return false;
	if (metric == METRIC_ERRORS)
		return row->counted_ns > 0;
	return row->dir[DIR_READ].ios + row->dir[DIR_WRITE].ios > 0;
}

static bool holds(enum comparison comparison, double value, double bound)
{
	switch (comparison) {
	case CMP_LT: return value < bound;
	case CMP_LE: return value <= bound;
	case CMP_EQ: return !(value < bound) && !(value > bound);
	case CMP_NE: return value < bound || value > bound;
	case CMP_GE: return value >= bound;
	case CMP_GT: return value > bound;
	case COMPARISONS: break;
	}
	return false;
}

int gate_check(const struct gate *gate, const struct row *row, double *value)
{
	double found;

	if (!has_value(gate->metric, row))
		return -1;
	found = metric_value(gate->metric, row);
	*value = found;
	return holds(gate->comparison, found, gate->value);
}
