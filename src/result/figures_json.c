// SPDX-License-Identifier: MIT
/* The figures of one direction, and its histogram as sparse bins so that others can merge and recompute. */
#include "figures.h"

#include <jansson.h>

#include "ssdbench/value.h"

static const struct {
	const char *key;
	double percent;
} percentile[] = {
	{"1", 1.0},     {"5", 5.0},       {"10", 10.0},     {"25", 25.0},       {"50", 50.0},
	{"75", 75.0},   {"90", 90.0},     {"95", 95.0},     {"99", 99.0},       {"99.5", 99.5},
	{"99.9", 99.9}, {"99.95", 99.95}, {"99.99", 99.99}, {"99.999", 99.999},
};

static json_t *percentiles_json(const struct histogram *latency)
{
	struct value_member members[sizeof(percentile) / sizeof(percentile[0])];

	for (size_t i = 0; i < sizeof(percentile) / sizeof(percentile[0]); i++) {
		members[i].key = percentile[i].key;
		members[i].value = value_u64(histogram_percentile(latency, percentile[i].percent));
	}
	return VALUE_OBJECT(members);
}

static json_t *bins_json(const struct histogram *latency)
{
	json_t *bins = json_array();

	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		json_t *bin;

		if (latency->bucket[i] == 0)
			continue;
		bin = value_append(json_array(), value_u64(histogram_value(i)));
		bin = value_append(bin, value_u64(latency->bucket[i]));
		bins = value_append(bins, bin);
	}
	return bins;
}

/* A deviation needs two values; with one there is none to tell. */
static json_t *deviation_json(const struct row_figures *figures)
{
	return figures->ios < 2 ? json_null() : value_figure(figures->latency_stddev_ns);
}

static json_t *latency_json(const struct row_figures *figures, const struct histogram *latency)
{
	const struct value_member members[] = {
		{"min", value_u64(figures->latency_min_ns)},
		{"max", value_u64(figures->latency_max_ns)},
		{"mean", value_figure(figures->latency_mean_ns)},
		{"stddev", deviation_json(figures)},
		{"percentiles", percentiles_json(latency)},
		{"bins", bins_json(latency)},
	};

	return VALUE_OBJECT(members);
}

struct json_t *figures_json(const struct io_totals *totals, uint64_t ns)
{
	struct row_figures figures;

	if (totals->ios == 0)
		return json_null();
	row_figures_build(&figures, totals, ns);
	const struct value_member members[] = {
		{"ios", value_u64(figures.ios)},
		{"bytes", value_u64(figures.bytes)},
		{"iops", ns ? value_figure(figures.iops) : json_null()},
		{"bandwidth_bytes_per_s", ns ? value_figure(figures.bandwidth) : json_null()},
		{"latency_ns", latency_json(&figures, &totals->latency)},
	};
	return VALUE_OBJECT(members);
}
