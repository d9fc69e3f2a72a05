/* SPDX-License-Identifier: MIT */
/*
 * A bitmap of granules that are free or taken, with a word of summary to every 64 words below it, so
 * that the next free one is found in a few steps however full the map is. Starting anew is O(1).
 */
#ifndef SSDBENCH_ENGINE_FREE_MAP_H
#define SSDBENCH_ENGINE_FREE_MAP_H

#include <stdint.h>

#define FREE_MAP_LEVELS 11 /* 64^11 > 2^64 */

struct free_map {
	uint64_t n;    /* granules */
	uint64_t free; /* of them */
	uint64_t flip; /* a stored bit means taken when it differs from this: 0 or all ones */
	unsigned int levels;
	uint64_t words[FREE_MAP_LEVELS];
	uint64_t *level
		[FREE_MAP_LEVELS]; /* [0]: a bit per granule; above: a bit per full word below */
};

/* All @n >= 1 free. 0 or -ENOMEM; release with free_map_fini(). */
int free_map_init(struct free_map *map, uint64_t n);
void free_map_fini(struct free_map *map);

/* The first free granule at or after @from, going on at 0 from the end. There must be one. */
uint64_t free_map_next(const struct free_map *map, uint64_t from);

/* How many granules from @from on are free in a row, counted up to @most. */
uint64_t free_map_run(const struct free_map *map, uint64_t from, uint64_t most);

/* Take @count free granules from @from on. */
void free_map_take(struct free_map *map, uint64_t from, uint64_t count);

/* All free again; only when all are taken. */
void free_map_restart(struct free_map *map);

#endif
