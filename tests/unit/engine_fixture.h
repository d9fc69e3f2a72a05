/* SPDX-License-Identifier: MIT */
/* Steps, mixes and drives made by hand, as a plan would make them. */
#ifndef SSDBENCH_TESTS_ENGINE_FIXTURE_H
#define SSDBENCH_TESTS_ENGINE_FIXTURE_H

#include <string.h>

#include "ssdbench/engine.h"

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)
#define TIB(n) ((uint64_t)(n) << 40)

/* Caller's storage of a mix. */
struct mix {
	struct size_mix mix;
	struct size_share entry[ALIAS_MAX];
};

static inline void mix_add(struct mix *mix, uint64_t bytes, uint32_t basis_points)
{
	mix->mix.entry = mix->entry;
	mix->entry[mix->mix.nr].bytes = bytes;
	mix->entry[mix->mix.nr++].basis_points = basis_points;
}

static inline void mix_single(struct mix *mix, uint64_t bytes)
{
	memset(mix, 0, sizeof(*mix));
	mix_add(mix, bytes, 10000);
}

static inline void mix_cdn_write(struct mix *mix)
{
	memset(mix, 0, sizeof(*mix));
	mix_add(mix, KIB(128), 9851);
	mix_add(mix, KIB(64), 80);
	mix_add(mix, KIB(32), 40);
	mix_add(mix, KIB(16), 19);
	mix_add(mix, KIB(8), 10);
}

/* 31 sizes below 128 KiB: 0.55 % each up to 20 KiB, then 0.54 %. */
static inline void mix_cdn_read(struct mix *mix)
{
	memset(mix, 0, sizeof(*mix));
	for (uint64_t kib = 4; kib <= 124; kib += 4)
		mix_add(mix, KIB(kib), kib <= 20 ? 55 : 54);
	mix_add(mix, KIB(128), 8321);
}

static inline void mix_object(struct mix *mix)
{
	memset(mix, 0, sizeof(*mix));
	mix_add(mix, KIB(64), 6500);
	mix_add(mix, MIB(8), 1500);
	mix_add(mix, MIB(64), 1500);
	mix_add(mix, GIB(1), 500);
}

/* A step that ends with its bytes; tests change what they need. */
static inline struct step step_of(const struct mix *mix, enum offset_order order)
{
	uint64_t align = UINT64_MAX;

	for (size_t i = 0; i < mix->mix.nr; i++)
		align = mix->entry[i].bytes < align ? mix->entry[i].bytes : align;
	return (struct step){
		.index = 3,
		.label = (char *)"test step",
		.read_percent = 100,
		.order = order,
		.mix = &mix->mix,
		.align = align,
		.map_granule = align,
		.iodepth = 4,
		.numjobs = 1,
		.passes = 1,
	};
}

#endif
