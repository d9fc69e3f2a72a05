/* SPDX-License-Identifier: MIT */
/*
 * xoshiro256** 1.0 (Blackman and Vigna, public domain): 64 bits a draw, period 2^256 - 1. Each
 * worker owns one; the streams differ because the seed is hashed with the stream's coordinates.
 */
#ifndef SSDBENCH_RANDOM_H
#define SSDBENCH_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state[4];
};

/* One step of splitmix64: a good 64-bit mixer, for seeds and keys. */
static inline uint64_t random_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/*
 * Start the stream that belongs to (@seed, @step, @drive, @worker): the same four numbers give the
 * same sequence on every machine, any other number another one.
 */
void random_seed(struct random *random, uint64_t seed, uint64_t step, uint64_t drive,
		 uint64_t worker);

static inline uint64_t random_next(struct random *random)
{
	uint64_t *s = random->state;
	const uint64_t product = s[1] * 5;
	const uint64_t result = ((product << 7) | (product >> 57)) * 9;
	const uint64_t shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = (s[3] << 45) | (s[3] >> 19);
	return result;
}

/* Uniform in [0, bound), bound > 0, by multiply and shift: the bias is below bound / 2^64. */
static inline uint64_t random_below(struct random *random, uint64_t bound)
{
	return (uint64_t)(((unsigned __int128)random_next(random) * bound) >> 64);
}

#endif
