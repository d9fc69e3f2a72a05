// SPDX-License-Identifier: MIT
/*
 * Samples are arrays under one list of column names: a run of days has millions of them, and keys in
 * each would be most of the document.
 */
#include "ssdbench/result.h"

#include <jansson.h>

#include "ssdbench/value.h"

static const char *const column[] = {
	"drive",
	"second",
	"read_ios",
	"read_bytes",
	"read_latency_mean_ns",
	"read_latency_min_ns",
	"read_latency_max_ns",
	"read_latency_p50_ns",
	"read_latency_p99_ns",
	"write_ios",
	"write_bytes",
	"write_latency_mean_ns",
	"write_latency_min_ns",
	"write_latency_max_ns",
	"write_latency_p50_ns",
	"write_latency_p99_ns",
};

struct json_t *result_sample_columns_json(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(column) / sizeof(column[0]); i++)
		list = value_append(list, json_string(column[i]));
	return list;
}

/* The seven members of one direction; latencies are null where there was no I/O to have one. */
static json_t *append_direction(json_t *row, const struct sample *sample, enum direction dir)
{
	const uint64_t ios = sample->dir[dir].ios;
	const double sum_ns = (double)sample->dir[dir].latency_sum_ns;
	const uint64_t latency[] = {
		sample->dir[dir].latency_min_ns,
		sample->dir[dir].latency_max_ns,
		sample->dir[dir].latency_p50_ns,
		sample->dir[dir].latency_p99_ns,
	};

	row = value_append(row, value_u64(ios));
	row = value_append(row, value_u64(sample->dir[dir].bytes));
	row = value_append(row, ios ? value_figure(sum_ns / (double)ios) : json_null());
	for (size_t i = 0; i < sizeof(latency) / sizeof(latency[0]); i++)
		row = value_append(row, ios ? value_u64(latency[i]) : json_null());
	return row;
}

struct json_t *result_sample_json(const struct sample *sample)
{
	json_t *row = json_array();

	row = value_append(row, value_u64(sample->drive));
	row = value_append(row, value_u64(sample->second));
	for (enum direction dir = 0; dir < DIRECTIONS; dir++)
		row = append_direction(row, sample, dir);
	return row;
}
