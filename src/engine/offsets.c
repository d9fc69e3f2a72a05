// SPDX-License-Identifier: MIT
/*
 * Each order is an init and a next. Sizes are drawn before offsets, so that a size mix keeps its shares at
 * the end of the span too; only the map of ORDER_MAP draws the offset first, as fio's does.
 */
#include "offsets.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "ssdbench/units.h"

void sizes_init(struct sizes *sizes, const struct size_mix *mix)
{
	uint32_t weight[ALIAS_MAX];

	assert(mix->nr >= 1 && mix->nr <= ALIAS_MAX);
	sizes->nr = (uint32_t)mix->nr;
	sizes->smallest = UINT64_MAX;
	sizes->largest = 0;
	for (size_t i = 0; i < mix->nr; i++) {
		const uint64_t bytes = mix->entry[i].bytes;

		sizes->bytes[i] = bytes;
		weight[i] = mix->entry[i].basis_points;
		if (weight[i] && bytes < sizes->smallest)
			sizes->smallest = bytes;
		if (weight[i] && bytes > sizes->largest)
			sizes->largest = bytes;
	}
	alias_init(&sizes->alias, weight, mix->nr);
}

/* True where that was the last pass. */
static bool pass_ends(struct offsets *o)
{
	o->pass++;
	o->done = o->passes && o->pass >= o->passes;
	return o->done;
}

/*
 * Parts are whole multiples of the largest block, the last takes the rest. Where the span is too small
 * for that, a step that ends with its bytes leaves the first parts empty (each byte once matters), and a
 * time-based one lets parts overlap (a job without work does not load the drive).
 */
static void sequential_init(struct offsets *o)
{
	const uint64_t largest = o->sizes.largest;
	const uint64_t part = o->span.bytes / o->jobs / largest * largest;
	struct sequential *s = &o->sequential;

	if (part == 0 && !o->passes) {
		const uint64_t length = largest < o->span.bytes ? largest : o->span.bytes;

		s->begin = (o->span.bytes - length) / o->jobs * o->job / o->align * o->align;
		s->end = s->begin + length;
	} else {
		s->begin = part * o->job;
		s->end = o->job + 1 == o->jobs ? o->span.bytes : s->begin + part;
	}
	s->next = s->begin;
	o->done = s->begin == s->end;
}

static bool sequential_next(struct offsets *o, struct random *random, struct place *place)
{
	struct sequential *s = &o->sequential;
	uint64_t want;

	place->size = sizes_draw(&o->sizes, random);
	want = o->sizes.bytes[place->size];
	while (want > s->end - s->next) {
		if (o->short_last && s->next < s->end) {
			want = s->end - s->next;
			break;
		}
		if (pass_ends(o))
			return false;
		s->next = s->begin;
	}
	place->offset = o->span.offset + s->next;
	place->length = (uint32_t)want;
	s->next += want;
	return true;
}

static void uniform_init(struct offsets *o)
{
	const uint64_t blocks = o->span.bytes / o->align;
	struct uniform *u = &o->uniform;

	for (uint32_t i = 0; i < o->sizes.nr; i++)
		u->positions[i] = (o->span.bytes - o->sizes.bytes[i]) / o->align + 1;
	u->left = o->passes
			  ? (blocks / o->jobs + (o->job < blocks % o->jobs)) * o->align * o->passes
			  : UINT64_MAX;
}

static void once_start_pass(struct offsets *o)
{
	struct once *c = &o->once;

	/* A new key makes a new order; all jobs of the span derive the same one. */
	permutation_init(&c->permutation, c->permutation.n, random_mix(c->key + o->pass));
	c->index = o->job;
	o->done |= o->job >= c->permutation.n;
}

static int once_init(struct offsets *o, uint64_t key, struct error *err)
{
	struct once *c = &o->once;
	uint64_t rest;

	if (o->sizes.nr != 1)
		return error_set(err, -EINVAL,
				 "each block once needs one block size, not a mix of %u",
				 o->sizes.nr);
	c->block = o->sizes.bytes[0];
	rest = o->span.bytes % c->block;
	c->last = o->short_last && rest ? rest : c->block;
	c->permutation.n = o->span.bytes / c->block + (o->short_last && rest);
	c->key = key;
	once_start_pass(o);
	return 0;
}

static bool once_next(struct offsets *o, struct place *place)
{
	struct once *c = &o->once;
	uint64_t block;

	if (c->index >= c->permutation.n) {
		if (pass_ends(o))
			return false;
		once_start_pass(o);
	}
	block = permutation_at(&c->permutation, c->index);
	c->index += o->jobs;
	place->size = 0;
	place->offset = o->span.offset + block * c->block;
	place->length = (uint32_t)(block + 1 == c->permutation.n ? c->last : c->block);
	return true;
}

static int map_init(struct offsets *o, uint64_t granule, struct error *err)
{
	if (granule == 0 || o->span.bytes < granule)
		return error_set(
			err, -EINVAL,
			"a random map of granules of %llu bytes does not fit a span of %llu",
			(unsigned long long)granule, (unsigned long long)o->span.bytes);
	o->align = granule;
	if (free_map_init(&o->map, o->span.bytes / granule))
		return error_set(err, -ENOMEM, "no memory for a random map of %llu granules",
				 (unsigned long long)(o->span.bytes / granule));
	return 0;
}

/* fio draws sizes until one fits before the end of the span. It hangs where none does; here the
 * smallest is cut instead. */
static uint64_t draw_fitting(struct offsets *o, struct random *random, uint64_t room,
			     uint32_t *size)
{
	*size = sizes_draw(&o->sizes, random);
	if (o->sizes.smallest > room)
		return room;
	while (o->sizes.bytes[*size] > room)
		*size = sizes_draw(&o->sizes, random);
	return o->sizes.bytes[*size];
}

static bool map_next(struct offsets *o, struct random *random, struct place *place)
{
	struct free_map *map = &o->map;
	uint64_t granule, want, run;

	if (map->free == 0) {
		if (pass_ends(o))
			return false;
		free_map_restart(map);
	}
	granule = free_map_next(map, random_below(random, map->n));
	want = draw_fitting(o, random, (map->n - granule) * o->align, &place->size);
	run = free_map_run(map, granule, (want + o->align - 1) / o->align);
	free_map_take(map, granule, run);
	place->offset = o->span.offset + granule * o->align;
	place->length = (uint32_t)(want < run * o->align ? want : run * o->align);
	return true;
}

int offsets_init(struct offsets *o, const struct offsets_config *config, struct error *err)
{
	char need[UNITS_TEXT_MAX], have[UNITS_TEXT_MAX];
	uint64_t largest;

	assert(config->job < config->jobs);
	memset(o, 0, sizeof(*o));
	o->order = config->order;
	o->short_last = config->short_last;
	o->job = config->job;
	o->jobs = config->jobs;
	o->passes = config->passes;
	o->span = config->span;
	sizes_init(&o->sizes, config->mix);
	o->align = config->align ? config->align : o->sizes.smallest;
	largest = o->sizes.largest;
	/* A fill cuts its last block, and a map every request: they fit any span. */
	if (o->span.bytes == 0 ||
	    (o->span.bytes < largest && !config->short_last && o->order != ORDER_MAP))
		return error_set(err, -EINVAL, "requests of %s do not fit a span of %s",
				 size_format(largest, need), size_format(o->span.bytes, have));
	switch (o->order) {
	case ORDER_SEQUENTIAL: sequential_init(o); return 0;
	case ORDER_RANDOM: uniform_init(o); return 0;
	case ORDER_ONCE: return once_init(o, config->key, err);
	case ORDER_MAP: return map_init(o, config->map_granule, err);
	}
	return error_set(err, -EINVAL, "unknown order %d", (int)o->order);
}

void offsets_fini(struct offsets *o)
{
	if (o->order == ORDER_MAP)
		free_map_fini(&o->map);
}

bool offsets_next_ordered(struct offsets *o, struct random *random, struct place *place)
{
	switch (o->order) {
	case ORDER_SEQUENTIAL: return sequential_next(o, random, place);
	case ORDER_ONCE: return once_next(o, place);
	case ORDER_MAP: return map_next(o, random, place);
	case ORDER_RANDOM: return offsets_next_uniform(o, random, place);
	}
	return false;
}
