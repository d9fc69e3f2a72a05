/* SPDX-License-Identifier: MIT */
/* What a mistyped word was probably meant to be. */
#ifndef SSDBENCH_NEAREST_H
#define SSDBENCH_NEAREST_H

/*
 * Keeps the best of the candidates that it is offered one after the other: start with all zero. A word
 * is near when at most a third of its letters, or two, must be inserted, dropped or changed. Words of
 * less than three letters are near to nothing.
 */
struct nearest {
	const char *word; /* borrowed; NULL: none is near */
	unsigned int distance;
};

void nearest_offer(struct nearest *nearest, const char *text, const char *candidate);

#endif
