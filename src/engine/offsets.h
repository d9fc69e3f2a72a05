/* SPDX-License-Identifier: MIT */
/*
 * Where the requests of one job go: a family of four orders behind one call. Pure: no I/O, no clock.
 * The same configuration and random stream give the same sequence.
 */
#ifndef SSDBENCH_ENGINE_OFFSETS_H
#define SSDBENCH_ENGINE_OFFSETS_H

#include <stdbool.h>

#include "free_map.h"
#include "ssdbench/alias.h"
#include "ssdbench/error.h"
#include "ssdbench/permutation.h"
#include "ssdbench/plan.h"
#include "ssdbench/random.h"

/* A size mix made ready to draw from. */
struct sizes {
	uint32_t nr;
	uint64_t smallest, largest; /* of those with a share */
	struct alias alias;
	uint64_t bytes[ALIAS_MAX];
};

void sizes_init(struct sizes *sizes, const struct size_mix *mix);

/* An index into sizes->bytes. */
static inline uint32_t sizes_draw(const struct sizes *sizes, struct random *random)
{
	return sizes->nr == 1 ? 0 : alias_draw(&sizes->alias, random);
}

struct offsets_config {
	enum offset_order order;
	struct span span;
	const struct size_mix *mix; /* borrowed during offsets_init() */
	uint64_t align;             /* 0: the smallest size of the mix */
	uint64_t map_granule;       /* ORDER_MAP */
	uint32_t job, jobs;         /* job < jobs share the span */
	uint32_t passes;            /* 0: without end */
	bool short_last;            /* what no whole block fits into is done too */
	uint64_t key;               /* ORDER_ONCE: the same for all jobs of the span */
};

struct place {
	uint64_t offset; /* on the drive */
	uint32_t length; /* at most the size drawn */
	uint32_t size;   /* index of the size drawn */
};

/* Each job its own contiguous part, from its begin to its end and again. */
struct sequential {
	uint64_t begin, end, next;
};

/* Uniform with replacement; passes count bytes. */
struct uniform {
	uint64_t left;                 /* bytes until the end */
	uint64_t positions[ALIAS_MAX]; /* how many places there are for each size */
};

/* A permutation of the blocks, shared out among the jobs. */
struct once {
	struct permutation permutation;
	uint64_t key, index;
	uint64_t block, last; /* bytes of a block and of the last one */
};

struct offsets {
	enum offset_order order;
	bool done, short_last;
	uint32_t job, jobs;
	uint32_t pass, passes;
	struct span span;
	uint64_t align;
	struct sizes sizes;
	union {
		struct sequential sequential;
		struct uniform uniform;
		struct once once;
		struct free_map map;
	};
};

/* 0 (release with offsets_fini()), -ENOMEM, or -EINVAL where the span cannot hold the requests or the
 * order does not go with the mix; @err says why. */
int offsets_init(struct offsets *offsets, const struct offsets_config *config, struct error *err);
void offsets_fini(struct offsets *offsets);

/* The next place in an order other than ORDER_RANDOM. */
bool offsets_next_ordered(struct offsets *offsets, struct random *random, struct place *place);

static inline bool offsets_next_uniform(struct offsets *offsets, struct random *random,
					struct place *place)
{
	const uint32_t size = sizes_draw(&offsets->sizes, random);
	const uint64_t length = offsets->sizes.bytes[size];
	const uint64_t at = random_below(random, offsets->uniform.positions[size]);

	place->size = size;
	place->length = (uint32_t)length;
	place->offset = offsets->span.offset + at * offsets->align;
	if (offsets->passes) {
		if (offsets->uniform.left < length) {
			offsets->done = true;
			return false;
		}
		offsets->uniform.left -= length;
	}
	return true;
}

/* The next place, or false: all passes are done. Random is inline, since it has the most requests per
 * second to give. */
static inline bool offsets_next(struct offsets *offsets, struct random *random, struct place *place)
{
	if (offsets->done)
		return false;
	if (offsets->order == ORDER_RANDOM)
		return offsets_next_uniform(offsets, random, place);
	return offsets_next_ordered(offsets, random, place);
}

#endif
