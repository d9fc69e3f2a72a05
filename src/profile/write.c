// SPDX-License-Identifier: MIT
/*
 * From the struct back to JSON, in one notation: a key that says what its absence would say is left
 * out, and a size or duration has one text. Hence the hash is of what the profile does, however it
 * was written.
 */
#include "write.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "phase.h"
#include "ssdbench/alias.h"
#include "ssdbench/units.h"

/*
 * json_object_set_new() and json_array_append_new() take NULL for a value that could not be made
 * and fail, so @failed collects every lack of memory.
 */
struct writer {
	json_t *object;
	bool failed;
};

static void put(struct writer *w, const char *key, json_t *value)
{
	w->failed |= json_object_set_new(w->object, key, value) != 0;
}

static json_t *size_json(uint64_t bytes)
{
	char text[UNITS_TEXT_MAX];

	return json_string(size_format(bytes, text));
}

static json_t *percent_json(uint32_t basis_points)
{
	if (basis_points % 100 == 0)
		return json_integer(basis_points / 100);
	return json_real((double)basis_points / 100.0);
}

static void put_size(struct writer *w, const char *key, uint64_t bytes)
{
	if (bytes)
		put(w, key, size_json(bytes));
}

static void put_duration(struct writer *w, const char *key, uint64_t ns)
{
	char text[UNITS_TEXT_MAX];

	if (ns)
		put(w, key, json_string(duration_format(ns, text)));
}

static void put_extent(struct writer *w, const char *key, const struct extent *extent)
{
	char text[UNITS_TEXT_MAX];

	if (!extent->basis_points)
		put(w, key, size_json(extent->bytes));
	else
		put(w, key, json_sprintf("%s%%", percent_format(extent->basis_points, text)));
}

/* @make(context, i) for each i; one value stands alone, without an array around it. */
static void put_list(struct writer *w, const char *key, size_t nr,
		     json_t *(*make)(const void *context, size_t i), const void *context)
{
	json_t *array;

	if (nr == 1) {
		put(w, key, make(context, 0));
		return;
	}
	array = json_array();
	for (size_t i = 0; i < nr; i++)
		w->failed |= json_array_append_new(array, make(context, i)) != 0;
	put(w, key, array);
}

static json_t *make_rw(const void *context, size_t i)
{
	return json_string(rw_name(((const enum rw *)context)[i]));
}

static json_t *make_bs(const void *context, size_t i)
{
	return size_json(((const struct size_mix *)context)[i].entry->bytes);
}

static void put_sizes(struct writer *w, const struct phase *phase)
{
	const struct size_mix *mix = phase->bs;
	json_t *array;

	if (mix->nr == 1) {
		put_list(w, "bs", phase->nr_bs, make_bs, phase->bs);
		return;
	}
	array = json_array();
	for (size_t i = 0; i < mix->nr; i++)
		w->failed |=
			json_array_append_new(
				array, json_pack("{s:o, s:o}", "bs", size_json(mix->entry[i].bytes),
						 "percent",
						 percent_json(mix->entry[i].basis_points))) != 0;
	put(w, "bssplit", array);
}

/* A list of every @stride-th point's iodepth or numjobs. */
struct column {
	const struct point *point;
	size_t stride;
	bool iodepth;
};

static uint32_t column_value(const struct column *column, size_t i)
{
	const struct point *point = &column->point[i * column->stride];

	return column->iodepth ? point->iodepth : point->numjobs;
}

static json_t *make_number(const void *context, size_t i)
{
	return json_integer(column_value(context, i));
}

/* How many points at the start share the value of the outer list. */
static size_t inner_length(const struct phase *phase, bool iodepth_outside)
{
	const struct column outer = {phase->point, 1, iodepth_outside};
	size_t nr = 1;

	while (nr < phase->nr_points && column_value(&outer, nr) == column_value(&outer, 0))
		nr++;
	return nr;
}

static bool is_product(const struct phase *phase, const struct column *outer,
		       const struct column *inner, size_t nr_inner)
{
	if (phase->nr_points % nr_inner != 0)
		return false;
	for (size_t i = 0; i < phase->nr_points; i++) {
		const struct column every_outer = {phase->point, 1, outer->iodepth};
		const struct column every_inner = {phase->point, 1, inner->iodepth};

		if (column_value(&every_outer, i) != column_value(outer, i / nr_inner) ||
		    column_value(&every_inner, i) != column_value(inner, i % nr_inner))
			return false;
		/* An outer value that comes back makes a list with a value twice: not accepted. */
		for (size_t j = 0; i % nr_inner == 0 && j < i / nr_inner; j++) {
			if (column_value(outer, j) == column_value(outer, i / nr_inner))
				return false;
		}
	}
	return true;
}

static json_t *make_point(const void *context, size_t i)
{
	const struct point *point = (const struct point *)context + i;

	return json_pack("{s:I, s:I}", "iodepth", (json_int_t)point->iodepth, "numjobs",
			 (json_int_t)point->numjobs);
}

/* As two lists where the points are their product, which is how most are written and read best. */
static void put_points(struct writer *w, const struct phase *phase)
{
	const bool outside = phase_iodepth_is_outside(phase);
	const size_t nr_inner = inner_length(phase, outside);
	const struct column outer = {phase->point, nr_inner, outside};
	const struct column inner = {phase->point, 1, !outside};
	const struct column *iodepth = outside ? &outer : &inner;
	const struct column *numjobs = outside ? &inner : &outer;
	const size_t nr_outer = phase->nr_points / nr_inner;

	if (!is_product(phase, &outer, &inner, nr_inner)) {
		put_list(w, "points", phase->nr_points, make_point, phase->point);
		return;
	}
	put_list(w, "iodepth", outside ? nr_outer : nr_inner, make_number, iodepth);
	put_list(w, "numjobs", outside ? nr_inner : nr_outer, make_number, numjobs);
}

static json_t *make_axis(const void *context, size_t i)
{
	return json_string(axis_words.name[((const enum axis *)context)[i]]);
}

static void put_order(struct writer *w, const struct phase *phase)
{
	if (memcmp(phase->order, phase_default_order, sizeof(phase_default_order)) != 0)
		put_list(w, "order", AXES, make_axis, phase->order);
}

static void put_random_map(struct writer *w, const struct phase *phase)
{
	struct writer map = {.object = NULL};

	if (!phase->map_granule)
		return;
	map.object = json_object();
	put_size(&map, "granule", phase->map_granule);
	put_size(&map, "region", phase->map_region);
	put(w, "random_map", map.object);
	w->failed |= map.failed;
}

static void put_gates(struct writer *w, const struct phase *phase)
{
	json_t *array;

	if (phase->nr_gates == 0)
		return;
	array = json_array();
	for (size_t i = 0; i < phase->nr_gates; i++)
		w->failed |= json_array_append_new(array, json_string(phase->gate[i].text)) != 0;
	put(w, "gates", array);
}

static void put_when(struct writer *w, const struct phase *phase)
{
	char *text;

	if (phase->nr_when == 0)
		return;
	text = expression_when_text(phase);
	put(w, "when", text ? json_string(text) : NULL);
	free(text);
}

static bool fills(const struct phase *phase)
{
	return phase->kind == PHASE_FILL || phase->kind == PHASE_RANDOM_FILL;
}

/* What and how: the keys of every kind that does I/O. */
static void put_io(struct writer *w, const struct phase *phase)
{
	if (!fills(phase))
		put_list(w, "rw", phase->nr_rw, make_rw, phase->rw);
	if (phase_mixes(phase))
		put(w, "rwmixread", json_integer(phase->rwmixread));
	put_sizes(w, phase);
	put_points(w, phase);
	put_order(w, phase);
	if (phase->offset.bytes || phase->offset.basis_points)
		put_extent(w, "offset", &phase->offset);
	if (phase->size.basis_points != ALIAS_TOTAL)
		put_extent(w, "size", &phase->size);
	put_size(w, "blockalign", phase->blockalign);
	put_random_map(w, phase);
	if (phase->passes != 1)
		put(w, "passes", json_integer(phase->passes));
}

static void put_purge(struct writer *w, const struct phase *phase)
{
	if (phase->purge != PHASE_DEFAULT_PURGE)
		put(w, "method", json_string(purge_method_name(phase->purge)));
	if (phase->on_failure != PURGE_STOP)
		put(w, "on_failure", json_string(purge_failure_name(phase->on_failure)));
}

static json_t *phase_json(const struct phase *phase)
{
	struct writer w = {.object = json_object()};

	put(&w, "kind", json_string(phase_kind_name(phase->kind)));
	put(&w, "name", json_string(phase->name));
	put_when(&w, phase);
	if (phase_kind_does_io(phase->kind))
		put_io(&w, phase);
	if (phase->kind == PHASE_PURGE)
		put_purge(&w, phase);
	put_duration(&w, "runtime", phase->runtime_ns);
	put_duration(&w, "ramp", phase->ramp_ns);
	put_duration(&w, "idle", phase->idle_ns);
	put_gates(&w, phase);
	if (!w.failed)
		return w.object;
	json_decref(w.object);
	return NULL;
}

static json_t *phases_json(const struct profile *profile)
{
	json_t *array = json_array();

	for (size_t i = 0; i < profile->nr_phases; i++) {
		if (json_array_append_new(array, phase_json(&profile->phase[i])) == 0)
			continue;
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *sources_json(const struct profile *profile)
{
	json_t *array = json_array();

	for (size_t i = 0; i < profile->nr_sources; i++) {
		const struct source_note *note = &profile->source[i];

		if (json_array_append_new(array, json_pack("{s:s, s:s}", "mark",
							   source_mark_words.name[note->mark],
							   "text", note->text)) == 0)
			continue;
		json_decref(array);
		return NULL;
	}
	return array;
}

char *profile_to_text(const struct profile *profile)
{
	struct writer w = {.object = json_object()};
	char *text = NULL;

	put(&w, "name", json_string(profile->name));
	put(&w, "title", json_string(profile->title));
	if (profile->nr_sources)
		put(&w, "source", sources_json(profile));
	put(&w, "phases", phases_json(profile));
	/* Two decimals of a percentage up to 100 are five digits. */
	if (!w.failed)
		text = json_dumps(w.object, JSON_INDENT(2) | JSON_REAL_PRECISION(5));
	json_decref(w.object);
	return text;
}

/* 64-bit FNV-1a (Fowler, Noll, Vo; IETF draft-eastlake-fnv). */
static uint64_t fnv1a(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

int write_hash(struct profile *profile)
{
	json_t *phases = phases_json(profile);
	char *text = NULL;

	if (phases)
		text = json_dumps(phases, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(5));
	json_decref(phases);
	if (!text)
		return -ENOMEM;
	snprintf(profile->hash, sizeof(profile->hash), "%016" PRIx64, fnv1a(text));
	free(text);
	return 0;
}
