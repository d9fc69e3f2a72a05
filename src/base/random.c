// SPDX-License-Identifier: MIT
/* Seeding alone: the draws are inline in the header. */
#include "ssdbench/random.h"

void random_seed(struct random *random, uint64_t seed, uint64_t step, uint64_t drive,
		 uint64_t worker)
{
	/*
	 * Each link is a bijection of its coordinate, so streams that differ in one never collide.
	 */
	uint64_t hash =
		random_mix(random_mix(random_mix(random_mix(seed) ^ step) ^ drive) ^ worker);

	/*
	 * The authors' advice: fill the state from splitmix64. Four outputs of a bijection differ,
	 * so at most one is 0 and the state is never the forbidden all-zero one.
	 */
	for (unsigned int i = 0; i < 4; i++)
		random->state[i] = random_mix(hash + i);
}
