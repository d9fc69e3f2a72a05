// SPDX-License-Identifier: MIT
/*
 * Bits are read through `flip`: when all are taken, all words of all levels are ones, and turning the
 * meaning of a bit round makes every granule free without touching a word but the last of each level,
 * whose spare bits must go on being taken.
 */
#include "free_map.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t get(const struct free_map *map, unsigned int level, uint64_t word)
{
	return map->level[level][word] ^ map->flip;
}

static void put(struct free_map *map, unsigned int level, uint64_t word, uint64_t bits)
{
	map->level[level][word] = bits ^ map->flip;
}

/* The bits of the last words that stand for nothing are taken for ever. */
static void take_spare_bits(struct free_map *map)
{
	uint64_t bits = map->n;

	for (unsigned int l = 0; l < map->levels; l++) {
		if (bits % 64)
			put(map, l, bits / 64, get(map, l, bits / 64) | ~0ULL << (bits % 64));
		bits = map->words[l];
	}
}

int free_map_init(struct free_map *map, uint64_t n)
{
	uint64_t words = n;

	assert(n >= 1);
	memset(map, 0, sizeof(*map));
	map->n = n;
	map->free = n;
	do {
		words = words / 64 + (words % 64 != 0);
		map->words[map->levels] = words;
		map->level[map->levels] = calloc(words, sizeof(uint64_t));
		if (!map->level[map->levels++]) {
			free_map_fini(map);
			return -ENOMEM;
		}
	} while (words > 1);
	take_spare_bits(map);
	return 0;
}

void free_map_fini(struct free_map *map)
{
	for (unsigned int l = 0; l < map->levels; l++)
		free(map->level[l]);
	map->levels = 0;
}

/* At or after @from without wrapping; map->n where there is none. */
static uint64_t next_upward(const struct free_map *map, uint64_t from)
{
	uint64_t index = from;

	for (unsigned int l = 0; l < map->levels; l++) {
		uint64_t bits;

		if (index / 64 >= map->words[l])
			return map->n;
		bits = ~get(map, l, index / 64) & (~0ULL << (index % 64));
		if (bits) {
			index = index / 64 * 64 + (uint64_t)__builtin_ctzll(bits);
			while (l-- > 0)
				index = index * 64 + (uint64_t)__builtin_ctzll(~get(map, l, index));
			return index;
		}
		/* Nothing in the rest of this word: one level up, from the next word on. */
		index = index / 64 + 1;
	}
	return map->n;
}

uint64_t free_map_next(const struct free_map *map, uint64_t from)
{
	uint64_t found;

	assert(map->free > 0 && from < map->n);
	found = next_upward(map, from);
	return found < map->n ? found : next_upward(map, 0);
}

uint64_t free_map_run(const struct free_map *map, uint64_t from, uint64_t most)
{
	uint64_t index = from;

	if (most > map->n - from)
		most = map->n - from;
	while (index - from < most) {
		const uint64_t taken = get(map, 0, index / 64) >> (index % 64);

		if (taken) {
			index += (uint64_t)__builtin_ctzll(taken);
			break;
		}
		index += 64 - index % 64;
	}
	return index - from < most ? index - from : most;
}

/* Word @word of level 0 is full now: note it in the levels above. */
static void note_full(struct free_map *map, uint64_t word)
{
	for (unsigned int l = 1; l < map->levels; l++) {
		const uint64_t bits = get(map, l, word / 64) | 1ULL << (word % 64);

		put(map, l, word / 64, bits);
		if (~bits)
			return;
		word /= 64;
	}
}

void free_map_take(struct free_map *map, uint64_t from, uint64_t count)
{
	assert(from + count <= map->n && count <= map->free);
	map->free -= count;
	while (count > 0) {
		const uint64_t room = 64 - from % 64;
		const uint64_t here = count < room ? count : room;
		const uint64_t mask = here == 64 ? ~0ULL : ((1ULL << here) - 1) << (from % 64);
		const uint64_t bits = get(map, 0, from / 64) | mask;

		put(map, 0, from / 64, bits);
		if (!~bits)
			note_full(map, from / 64);
		from += here;
		count -= here;
	}
}

void free_map_restart(struct free_map *map)
{
	assert(map->free == 0);
	map->flip = ~map->flip;
	map->free = map->n;
	take_spare_bits(map);
}
