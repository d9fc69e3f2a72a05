// SPDX-License-Identifier: MIT
#include "ssdbench/nearest.h"

#include <string.h>

#define WORD_MAX 64 /* longer words are none of ours */

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	const unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Levenshtein's distance, row by row. Both words are shorter than WORD_MAX. */
static unsigned int distance_of(const char *a, const char *b)
{
	unsigned int row[WORD_MAX + 1];
	const size_t width = strlen(b);

	for (size_t k = 0; k <= width; k++)
		row[k] = (unsigned int)k;
	for (size_t i = 1; a[i - 1]; i++) {
		unsigned int diagonal = row[0];

		row[0] = (unsigned int)i;
		for (size_t k = 1; k <= width; k++) {
			const unsigned int above = row[k];
			const unsigned int change = diagonal + (a[i - 1] != b[k - 1]);

			row[k] = least(above + 1, row[k - 1] + 1, change);
			diagonal = above;
		}
	}
	return row[width];
}

void nearest_offer(struct nearest *nearest, const char *text, const char *candidate)
{
	const size_t length = strlen(text);
	const size_t limit = length / 3 > 2 ? length / 3 : 2;
	unsigned int distance;

	if (length < 3 || length >= WORD_MAX || strlen(candidate) >= WORD_MAX)
		return;
	distance = distance_of(text, candidate);
	if (distance > limit || distance >= strlen(candidate))
		return;
	if (nearest->word && nearest->distance <= distance)
		return;
	nearest->word = candidate;
	nearest->distance = distance;
}
