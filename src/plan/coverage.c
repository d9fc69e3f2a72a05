// SPDX-License-Identifier: MIT
/* A sorted array of ranges. Plans have few phases, so linear is fast enough. */
#include "coverage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t span_end(struct span span)
{
	return span.offset + span.bytes;
}

int coverage_add(struct coverage *coverage, struct span span)
{
	size_t first = 0, last;
	struct span *range;

	if (span.bytes == 0)
		return 0;
	range = realloc(coverage->range, (coverage->nr + 1) * sizeof(*range));
	if (!range)
		return -ENOMEM;
	coverage->range = range;

	/* [first, last) are the ranges that touch the new one: it takes them in. */
	while (first < coverage->nr && span_end(range[first]) < span.offset)
		first++;
	last = first;
	while (last < coverage->nr && range[last].offset <= span_end(span)) {
		const uint64_t end = span_end(range[last]) > span_end(span) ? span_end(range[last])
									    : span_end(span);

		if (range[last].offset < span.offset)
			span.offset = range[last].offset;
		span.bytes = end - span.offset;
		last++;
	}
	memmove(&range[first + 1], &range[last], (coverage->nr - last) * sizeof(*range));
	range[first] = span;
	coverage->nr = coverage->nr - (last - first) + 1;
	return 0;
}

bool coverage_holds(const struct coverage *coverage, struct span span)
{
	if (span.bytes == 0)
		return true;
	for (size_t i = 0; i < coverage->nr; i++) {
		if (coverage->range[i].offset <= span.offset &&
		    span_end(coverage->range[i]) >= span_end(span))
			return true;
	}
	return false;
}

void coverage_fini(struct coverage *coverage)
{
	free(coverage->range);
	*coverage = (struct coverage){0};
}
