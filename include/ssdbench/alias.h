/* SPDX-License-Identifier: MIT */
/*
 * Alias table (Walker; Vose): one draw from weighted choices in constant time, weights exact in
 * integers.
 */
#ifndef SSDBENCH_ALIAS_H
#define SSDBENCH_ALIAS_H

#include <stddef.h>
#include <stdint.h>

#include "ssdbench/random.h"

#define ALIAS_MAX 256 /* choices; fio ends at 64 */

/* weights sum to this: basis points */
#define ALIAS_TOTAL 10000U

struct alias {
	uint32_t count;
	struct {
		uint16_t cut;       /* below it choice[0], else choice[1]; of ALIAS_TOTAL */
		uint16_t choice[2]; /* the column itself, the alias */
	} column[ALIAS_MAX];
};

/* @weight: basis points, @count of them (1 to ALIAS_MAX), sum ALIAS_TOTAL (asserted; profiles are
 * checked when they are parsed). Zero weights are never drawn. Exact: P(i) = weight[i] / 10000. */
void alias_init(struct alias *alias, const uint32_t *weight, size_t count);

/* An index in [0, count). One random number, two multiplies, no branch on the data. */
static inline uint32_t alias_draw(const struct alias *alias, struct random *random)
{
	const unsigned __int128 product = (unsigned __int128)random_next(random) * alias->count;
	const uint32_t column = (uint32_t)(product >> 64);
	const uint32_t part =
		(uint32_t)(((unsigned __int128)(uint64_t)product * ALIAS_TOTAL) >> 64);

	return alias->column[column].choice[part >= alias->column[column].cut];
}

#endif
