// SPDX-License-Identifier: MIT
#include "cpu_ranges.h"

#include <ctype.h>
#include <stdlib.h>

struct range {
	uint64_t first, last;
};

/* The range that @list begins with. Returns what follows it; NULL: no range. */
static const char *next_range(const char *list, struct range *range)
{
	char *end;

	if (!isdigit((unsigned char)*list))
		return NULL;
	range->first = range->last = strtoull(list, &end, 10);
	if (*end == '-')
		range->last = strtoull(end + 1, &end, 10);
	if (range->last < range->first || range->last > UINT32_MAX)
		return NULL;
	return *end == ',' ? end + 1 : end;
}

uint32_t cpu_ranges_count(const char *list)
{
	struct range range;
	uint64_t nr = 0;

	while (*list) {
		list = next_range(list, &range);
		if (!list)
			return 0;
		nr += range.last - range.first + 1;
	}
	return (uint32_t)nr;
}

bool cpu_ranges_have(const char *list, uint64_t cpu)
{
	struct range range;

	while (*list && (list = next_range(list, &range))) {
		if (range.first <= cpu && cpu <= range.last)
			return true;
	}
	return false;
}

/* How many CPUs of @range the list names. */
static uint64_t count_within(const char *list, const struct range *range)
{
	struct range other;
	uint64_t nr = 0;

	while (*list && (list = next_range(list, &other))) {
		const uint64_t first = other.first > range->first ? other.first : range->first;
		const uint64_t last = other.last < range->last ? other.last : range->last;

		nr += first <= last ? last - first + 1 : 0;
	}
	return nr;
}

uint32_t cpu_ranges_common(const char *a, const char *b)
{
	struct range range;
	uint64_t nr = 0;

	while (*a && (a = next_range(a, &range)))
		nr += count_within(b, &range);
	return (uint32_t)nr;
}
