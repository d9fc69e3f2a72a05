// SPDX-License-Identifier: MIT
/* Shares stay integers (basis points), so that their sum is exact and 98.51 % is what is drawn. */
#include "mix.h"

#include <inttypes.h>
#include <jansson.h>

#include "limits.h"
#include "ssdbench/alias.h"

int mix_read_size(struct reader *r, const struct where *at, const json_t *value, uint64_t max,
		  uint64_t *bytes)
{
	uint64_t size;
	int ret;

	ret = reader_size(r, at, value, PROFILE_SECTOR, max, &size);
	if (ret)
		return ret;
	if (size % PROFILE_SECTOR != 0)
		return reader_fail(r, at, "%" PRIu64 " bytes are no multiple of 512", size);
	*bytes = size;
	return 0;
}

/* One element of `bssplit`: the types of struct size_mix's entries have no name. */
struct share {
	uint64_t bytes;
	uint32_t basis_points;
};

static int read_share_bs(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return mix_read_size(r, at, value, PROFILE_REQUEST_MAX, &((struct share *)out)->bytes);
}

static int read_share_percent(struct reader *r, const struct where *at, const json_t *value,
			      void *out)
{
	return reader_percent(r, at, value, &((struct share *)out)->basis_points);
}

static const struct key share_keys[] = {
	{"bs", KEY_ALWAYS, KEY_ALWAYS, read_share_bs},
	{"percent", KEY_ALWAYS, KEY_ALWAYS, read_share_percent},
};

int mix_read(struct reader *r, const struct where *at, const json_t *value, struct size_mix *mix)
{
	char sum_text[UNITS_TEXT_MAX];
	uint32_t sum = 0;

	for (size_t i = 0; i < mix->nr; i++) {
		const struct where here = {at, NULL, i};
		struct share share = {0};
		const int ret = reader_object(r, &here, json_array_get(value, i), share_keys, 2, 1,
					      "a share", &share);

		if (ret)
			return ret;
		for (size_t j = 0; j < i; j++) {
			if (mix->entry[j].bytes == share.bytes)
				return reader_fail(r, &here, "the size stands twice in the mix");
		}
		mix->entry[i].bytes = share.bytes;
		mix->entry[i].basis_points = share.basis_points;
		sum += share.basis_points;
	}
	if (sum != ALIAS_TOTAL)
		return reader_fail(r, at, "the shares sum to %s, not 100",
				   percent_format(sum, sum_text));
	return 0;
}

uint64_t size_mix_min(const struct size_mix *mix)
{
	uint64_t min = UINT64_MAX;

	for (size_t i = 0; i < mix->nr; i++)
		min = mix->entry[i].bytes < min ? mix->entry[i].bytes : min;
	return min;
}

uint64_t size_mix_max(const struct size_mix *mix)
{
	uint64_t max = 0;

	for (size_t i = 0; i < mix->nr; i++)
		max = mix->entry[i].bytes > max ? mix->entry[i].bytes : max;
	return max;
}

double size_mix_mean(const struct size_mix *mix)
{
	double sum = 0.0;

	for (size_t i = 0; i < mix->nr; i++)
		sum += (double)mix->entry[i].bytes * mix->entry[i].basis_points;
	return sum / ALIAS_TOTAL;
}
