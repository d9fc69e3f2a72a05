// SPDX-License-Identifier: MIT
/*
 * Each round is invertible modulo the power of two: an odd multiply carries every bit upward, the
 * xor-shift by half the width brings the upper half down again. Results at or above n are fed back
 * until one lies below (cycle walking), which keeps the whole a bijection of [0, n).
 */
#include "ssdbench/permutation.h"

#include <assert.h>

#include "ssdbench/random.h"

/* Newton's iteration modulo 2^64: @odd is its own inverse modulo 8, each step doubles the bits. */
static uint64_t inverse_of(uint64_t odd)
{
	uint64_t inverse = odd;

	for (unsigned int bits = 3; bits < 64; bits *= 2)
		inverse *= 2 - odd * inverse;
	return inverse;
}

void permutation_init(struct permutation *p, uint64_t n, uint64_t key)
{
	const unsigned int bits = n > 1 ? 64U - (unsigned int)__builtin_clzll(n - 1) : 0;
	struct random random;

	assert(n >= 1 && n <= 1ULL << 63);
	p->n = n;
	p->mask = (1ULL << bits) - 1;
	/* At least half the width: then the xor-shift undoes itself. */
	p->shift = (bits + 1) / 2;
	random_seed(&random, key, 0, 0, 0);
	for (unsigned int i = 0; i < PERMUTATION_ROUNDS; i++) {
		p->multiplier[i] = random_next(&random) | 1;
		p->inverse[i] = inverse_of(p->multiplier[i]);
		p->addend[i] = random_next(&random);
	}
}

static uint64_t forward(const struct permutation *p, uint64_t x)
{
	for (unsigned int i = 0; i < PERMUTATION_ROUNDS; i++) {
		x = (x * p->multiplier[i] + p->addend[i]) & p->mask;
		x ^= x >> p->shift;
	}
	return x;
}

static uint64_t backward(const struct permutation *p, uint64_t x)
{
	for (unsigned int i = PERMUTATION_ROUNDS; i-- > 0;) {
		x ^= x >> p->shift;
		x = ((x - p->addend[i]) * p->inverse[i]) & p->mask;
	}
	return x;
}

uint64_t permutation_at(const struct permutation *p, uint64_t index)
{
	assert(index < p->n);
	do {
		index = forward(p, index);
	} while (index >= p->n);
	return index;
}

uint64_t permutation_index(const struct permutation *p, uint64_t block)
{
	assert(block < p->n);
	do {
		block = backward(p, block);
	} while (block >= p->n);
	return block;
}
