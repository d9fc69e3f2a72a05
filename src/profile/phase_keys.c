// SPDX-License-Identifier: MIT
/* The table of a phase's keys: which kinds take which key, and the function that reads it into the
 * draft. */
#include "phase.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "draft.h"
#include "expression.h"
#include "limits.h"
#include "mix.h"
#include "ssdbench/alias.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

#define FILLS    (KIND_BIT(PHASE_FILL) | KIND_BIT(PHASE_RANDOM_FILL))
#define SATURATE KIND_BIT(PHASE_SATURATE)
#define MEASURE  KIND_BIT(PHASE_MEASURE)
#define IDLE     KIND_BIT(PHASE_IDLE)
#define PURGE    KIND_BIT(PHASE_PURGE)
#define LOADS    (SATURATE | MEASURE)
#define IO       (FILLS | LOADS)
#define ALL      (IO | IDLE | PURGE)

/* Sweeps are for phases that measure; the others take one value. */
static int check_sweep(struct reader *r, const struct where *at, const json_t *value,
		       const struct draft *draft)
{
	if (!json_is_array(value) || draft->phase.kind == PHASE_MEASURE)
		return 0;
	return reader_fail(r, at, "only a measure phase takes an array here; write one value");
}

/* No element of @items (compared as bytes) may stand twice: its rows would have the same label. */
static int check_distinct(struct reader *r, const struct where *at, const void *items, size_t size,
			  size_t nr)
{
	const char *base = items;

	for (size_t i = 1; i < nr; i++) {
		const struct where here = {at, NULL, i};

		for (size_t j = 0; j < i; j++) {
			if (memcmp(base + i * size, base + j * size, size) == 0)
				return reader_fail(r, &here, "stands twice in the array");
		}
	}
	return 0;
}

static int read_kind(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	static const char *const later[] = {"sprandom", "steady", "checkpoint"};
	const char *text = json_string_value(value);
	struct draft *draft = out;
	unsigned int kind;
	int ret;

	for (size_t i = 0; text && i < NR(later); i++) {
		if (strcmp(text, later[i]) == 0)
			return reader_fail(r, at, "\"%s\" is not in this version yet", text);
	}
	ret = reader_word(r, at, value, &phase_kind_words, &kind);
	if (!ret)
		draft->phase.kind = (enum phase_kind)kind;
	return ret;
}

static int read_phase_name(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_name(r, at, value, '-', &((struct draft *)out)->phase.name);
}

static int read_when(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return expression_read_when(r, at, value, &((struct draft *)out)->phase);
}

static int read_enabled(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_bool(r, at, value, &((struct draft *)out)->enabled);
}

static int read_one_rw(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	unsigned int rw;
	const int ret = reader_word(r, at, value, &rw_words, &rw);

	if (!ret)
		*(enum rw *)out = (enum rw)rw;
	return ret;
}

static int read_rw(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct draft *draft = out;
	struct phase *phase = &draft->phase;
	int ret;

	ret = check_sweep(r, at, value, draft);
	if (ret)
		return ret;
	phase->rw = reader_allocate(r, at, value, RW_KINDS, sizeof(*phase->rw), &phase->nr_rw);
	if (!phase->rw)
		return r->err->code;
	ret = reader_each(r, at, value, read_one_rw, phase->rw, sizeof(*phase->rw));
	return ret ? ret : check_distinct(r, at, phase->rw, sizeof(*phase->rw), phase->nr_rw);
}

static int read_one_bs(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct size_mix *mix = out;

	mix->entry = calloc(1, sizeof(*mix->entry));
	if (!mix->entry)
		return reader_no_memory(r);
	mix->nr = 1;
	mix->entry->basis_points = ALIAS_TOTAL;
	return mix_read_size(r, at, value, PROFILE_REQUEST_MAX, &mix->entry->bytes);
}

static int check_sizes_distinct(struct reader *r, const struct where *at, const struct phase *phase)
{
	for (size_t i = 1; i < phase->nr_bs; i++) {
		const struct where here = {at, NULL, i};

		for (size_t j = 0; j < i; j++) {
			if (phase->bs[i].entry->bytes == phase->bs[j].entry->bytes)
				return reader_fail(r, &here, "stands twice in the array");
		}
	}
	return 0;
}

static int read_bs(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct draft *draft = out;
	struct phase *phase = &draft->phase;
	int ret;

	draft->has_bs = true;
	ret = check_sweep(r, at, value, draft);
	if (ret)
		return ret;
	phase->bs =
		reader_allocate(r, at, value, PROFILE_ROWS_MAX, sizeof(*phase->bs), &phase->nr_bs);
	if (!phase->bs)
		return r->err->code;
	ret = reader_each(r, at, value, read_one_bs, phase->bs, sizeof(*phase->bs));
	return ret ? ret : check_sizes_distinct(r, at, phase);
}

static int read_bssplit(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct draft *draft = out;
	struct phase *phase = &draft->phase;
	int ret;

	ret = reader_want_array(r, at, value);
	if (!ret && draft->has_bs)
		ret = reader_fail(r, at, "\"bs\" and \"bssplit\" exclude each other");
	if (ret)
		return ret;
	phase->bs = calloc(1, sizeof(*phase->bs));
	if (!phase->bs)
		return reader_no_memory(r);
	phase->nr_bs = 1;
	phase->bs->entry =
		reader_allocate(r, at, value, ALIAS_MAX, sizeof(*phase->bs->entry), &phase->bs->nr);
	if (!phase->bs->entry)
		return r->err->code;
	return mix_read(r, at, value, phase->bs);
}

static int read_one_iodepth(struct reader *r, const struct where *at, const json_t *value,
			    void *out)
{
	return reader_integer(r, at, value, 1, PROFILE_IODEPTH_MAX, out);
}

static int read_one_numjobs(struct reader *r, const struct where *at, const json_t *value,
			    void *out)
{
	return reader_integer(r, at, value, 1, PROFILE_NUMJOBS_MAX, out);
}

static int read_numbers(struct reader *r, const struct where *at, const json_t *value,
			read_fn *read, uint32_t **list, size_t *nr)
{
	int ret;

	*list = reader_allocate(r, at, value, PROFILE_ROWS_MAX, sizeof(**list), nr);
	if (!*list)
		return r->err->code;
	ret = reader_each(r, at, value, read, *list, sizeof(**list));
	return ret ? ret : check_distinct(r, at, *list, sizeof(**list), *nr);
}

static int read_iodepth(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct draft *draft = out;
	const int ret = check_sweep(r, at, value, draft);

	return ret ? ret
		   : read_numbers(r, at, value, read_one_iodepth, &draft->iodepth,
				  &draft->nr_iodepth);
}

static int read_numjobs(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct draft *draft = out;
	const int ret = check_sweep(r, at, value, draft);

	return ret ? ret
		   : read_numbers(r, at, value, read_one_numjobs, &draft->numjobs,
				  &draft->nr_numjobs);
}

static int read_point_iodepth(struct reader *r, const struct where *at, const json_t *value,
			      void *out)
{
	return read_one_iodepth(r, at, value, &((struct point *)out)->iodepth);
}

static int read_point_numjobs(struct reader *r, const struct where *at, const json_t *value,
			      void *out)
{
	return read_one_numjobs(r, at, value, &((struct point *)out)->numjobs);
}

static const struct key point_keys[] = {
	{"iodepth", KEY_ALWAYS, KEY_ALWAYS, read_point_iodepth},
	{"numjobs", KEY_ALWAYS, KEY_ALWAYS, read_point_numjobs},
};

static int read_one_point(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_object(r, at, value, point_keys, NR(point_keys), 1, "a point", out);
}

static int read_points(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct draft *draft = out;
	struct phase *phase = &draft->phase;
	int ret;

	draft->has_points = true;
	ret = reader_want_array(r, at, value);
	if (!ret && (draft->iodepth || draft->numjobs))
		ret = reader_fail(r, at, "\"points\" excludes \"iodepth\" and \"numjobs\"");
	if (ret)
		return ret;
	phase->point = reader_allocate(r, at, value, PROFILE_ROWS_MAX, sizeof(*phase->point),
				       &phase->nr_points);
	if (!phase->point)
		return r->err->code;
	ret = reader_each(r, at, value, read_one_point, phase->point, sizeof(*phase->point));
	if (ret)
		return ret;
	return check_distinct(r, at, phase->point, sizeof(*phase->point), phase->nr_points);
}

static int read_axis(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	unsigned int axis;
	const int ret = reader_word(r, at, value, &axis_words, &axis);

	if (!ret)
		*(enum axis *)out = (enum axis)axis;
	return ret;
}

static int read_order(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	enum axis *order = ((struct draft *)out)->phase.order;
	size_t position[AXES];
	int ret;

	ret = reader_want_array(r, at, value);
	if (!ret && json_array_size(value) != AXES)
		ret = reader_fail(r, at, "an order names each of rw, bs, numjobs, iodepth once");
	if (!ret)
		ret = reader_each(r, at, value, read_axis, order, sizeof(*order));
	if (!ret)
		ret = check_distinct(r, at, order, sizeof(*order), AXES);
	if (ret)
		return ret;
	for (size_t i = 0; i < AXES; i++)
		position[order[i]] = i;
	if (position[AXIS_NUMJOBS] + 1 != position[AXIS_IODEPTH] &&
	    position[AXIS_IODEPTH] + 1 != position[AXIS_NUMJOBS])
		return reader_fail(r, at, "numjobs and iodepth must stand side by side");
	return 0;
}

static int read_rwmixread(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct draft *draft = out;

	draft->has_rwmixread = true;
	return reader_integer(r, at, value, 0, 100, &draft->phase.rwmixread);
}

/* "16GiB" or "50%"; @min: 0, or 1 where an extent of nothing makes no sense. */
static int read_extent(struct reader *r, const struct where *at, const json_t *value, uint64_t min,
		       struct extent *extent)
{
	const char *text = json_string_value(value);
	struct extent result = {0};
	struct error cause = {0};
	int ret;

	if (text && *text && text[strlen(text) - 1] == '%') {
		if (percent_parse(text, &result.basis_points, &cause))
			return reader_fail(r, at, "%s", cause.text);
		if (result.basis_points < min)
			return reader_fail(r, at, "\"%s\" of the drive is nothing", text);
	} else {
		ret = reader_size(r, at, value, min, UINT64_MAX, &result.bytes);
		if (ret)
			return ret;
	}
	*extent = result;
	return 0;
}

static int read_offset(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return read_extent(r, at, value, 0, &((struct draft *)out)->phase.offset);
}

static int read_size(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return read_extent(r, at, value, 1, &((struct draft *)out)->phase.size);
}

static int read_blockalign(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return mix_read_size(r, at, value, 1ULL << 40, &((struct draft *)out)->phase.blockalign);
}

static int read_granule(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return mix_read_size(r, at, value, PROFILE_REQUEST_MAX,
			     &((struct phase *)out)->map_granule);
}

static int read_region(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct phase *phase = out;

	return reader_size(r, at, value, phase->map_granule, UINT64_MAX, &phase->map_region);
}

static const struct key random_map_keys[] = {
	{"granule", KEY_ALWAYS, KEY_ALWAYS, read_granule},
	{"region", KEY_ALWAYS, 0, read_region},
};

static int read_random_map(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_object(r, at, value, random_map_keys, NR(random_map_keys), 1, "a random map",
			     &((struct draft *)out)->phase);
}

static int read_passes(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_integer(r, at, value, 1, PROFILE_PASSES_MAX,
			      &((struct draft *)out)->phase.passes);
}

static int read_runtime(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_duration(r, at, value, 1, &((struct draft *)out)->phase.runtime_ns);
}

static int read_ramp(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_duration(r, at, value, 0, &((struct draft *)out)->phase.ramp_ns);
}

static int read_idle(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_duration(r, at, value, 0, &((struct draft *)out)->phase.idle_ns);
}

static int read_method(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	unsigned int method;
	const int ret = reader_word(r, at, value, &purge_method_words, &method);

	if (!ret)
		((struct draft *)out)->phase.purge = (enum purge_method)method;
	return ret;
}

static int read_on_failure(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	unsigned int failure;
	const int ret = reader_word(r, at, value, &purge_failure_words, &failure);

	if (!ret)
		((struct draft *)out)->phase.on_failure = (enum purge_failure)failure;
	return ret;
}

static int read_gates(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct phase *phase = &((struct draft *)out)->phase;
	const int ret = reader_want_array(r, at, value);

	if (ret)
		return ret;
	phase->gate = reader_allocate(r, at, value, PROFILE_GATES_MAX, sizeof(*phase->gate),
				      &phase->nr_gates);
	if (!phase->gate)
		return r->err->code;
	return reader_each(r, at, value, expression_read_gate, phase->gate, sizeof(*phase->gate));
}

/* In the order of reading: kind first, `bs` before `bssplit`, the lists before `points`. */
const struct key phase_keys[] = {
	{"kind", ALL, ALL, read_kind},
	{"name", ALL, 0, read_phase_name},
	{"when", ALL, 0, read_when},
	{"enabled", ALL, 0, read_enabled},
	{"rw", LOADS, LOADS, read_rw},
	{"rwmixread", LOADS, 0, read_rwmixread},
	{"bs", IO, FILLS, read_bs},
	{"bssplit", LOADS, 0, read_bssplit},
	{"iodepth", IO, 0, read_iodepth},
	{"numjobs", IO, 0, read_numjobs},
	{"points", MEASURE, 0, read_points},
	{"order", MEASURE, 0, read_order},
	{"offset", IO, 0, read_offset},
	{"size", IO, 0, read_size},
	{"blockalign", LOADS, 0, read_blockalign},
	{"random_map", MEASURE, 0, read_random_map},
	{"passes", FILLS, 0, read_passes},
	{"runtime", LOADS | IDLE, LOADS | IDLE, read_runtime},
	{"ramp", LOADS, 0, read_ramp},
	{"idle", FILLS | MEASURE | PURGE, 0, read_idle},
	{"method", PURGE, 0, read_method},
	{"on_failure", PURGE, 0, read_on_failure},
	{"gates", MEASURE, 0, read_gates},
};
const size_t phase_keys_nr = NR(phase_keys);
