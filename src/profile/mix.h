/* SPDX-License-Identifier: MIT */
/* Request sizes and their mixes out of JSON. */
#ifndef SSDBENCH_PROFILE_MIX_H
#define SSDBENCH_PROFILE_MIX_H

#include "reader.h"
#include "ssdbench/profile.h"

/* A size of a request or of a unit of the drive: a multiple of 512 up to @max. */
int mix_read_size(struct reader *r, const struct where *at, const struct json_t *value,
		  uint64_t max, uint64_t *bytes);

/* The array @value of {bs, percent} into the entries of @mix, @mix->nr of them. Their shares must sum
 * to 100. */
int mix_read(struct reader *r, const struct where *at, const struct json_t *value,
	     struct size_mix *mix);

#endif
