// SPDX-License-Identifier: MIT
/*
 * Vose's construction in integers: each of the count columns holds ALIAS_TOTAL parts, each choice
 * brings weight * count parts. A choice with less than a column is topped up from one with more,
 * so that a column never has more than two owners. Nothing is rounded, so the columns come out
 * exactly full.
 */
#include "ssdbench/alias.h"

#include <assert.h>

static void check_weights(const uint32_t *weight, size_t count)
{
	uint64_t sum = 0;

	assert(count >= 1 && count <= ALIAS_MAX);
	for (size_t i = 0; i < count; i++)
		sum += weight[i];
	assert(sum == ALIAS_TOTAL);
	(void)sum; /* unused where assert() is compiled out */
}

void alias_init(struct alias *alias, const uint32_t *weight, size_t count)
{
	uint32_t parts[ALIAS_MAX];
	uint16_t small[ALIAS_MAX], large[ALIAS_MAX];
	size_t smalls = 0, larges = 0;

	check_weights(weight, count);
	alias->count = (uint32_t)count;
	for (uint16_t i = 0; i < count; i++) {
		parts[i] = weight[i] * (uint32_t)count;
		alias->column[i].choice[0] = i;
		if (parts[i] < ALIAS_TOTAL)
			small[smalls++] = i;
		else
			large[larges++] = i;
	}
	/* While a column lacks parts another has too many: the parts sum to exactly what fits. */
	while (smalls > 0) {
		const uint16_t poor = small[--smalls];
		const uint16_t rich = large[larges - 1];

		alias->column[poor].cut = (uint16_t)parts[poor];
		alias->column[poor].choice[1] = rich;
		parts[rich] -= ALIAS_TOTAL - parts[poor];
		if (parts[rich] < ALIAS_TOTAL) {
			larges--;
			small[smalls++] = rich;
		}
	}
	while (larges > 0) {
		const uint16_t full = large[--larges];

		alias->column[full].cut = ALIAS_TOTAL;
		alias->column[full].choice[1] = full;
	}
}
