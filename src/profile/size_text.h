/* SPDX-License-Identifier: MIT */
/* Sizes as the reader of a profile expects them: "1TB" for a drive, "128KiB" for a request. */
#ifndef SSDBENCH_PROFILE_SIZE_TEXT_H
#define SSDBENCH_PROFILE_SIZE_TEXT_H

#include <inttypes.h>
#include <stdio.h>

#include "ssdbench/units.h"

/* size_format(), but decimal where that is a whole number of GB and the binary one no whole MiB. */
static inline const char *size_text(uint64_t bytes, char text[UNITS_TEXT_MAX])
{
	const uint64_t gb = 1000000000ULL, tb = 1000 * gb;

	if (bytes % (1ULL << 20) == 0 || bytes % gb != 0)
		return size_format(bytes, text);
	if (bytes % tb == 0)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 "TB", bytes / tb);
	else
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 "GB", bytes / gb);
	return text;
}

#endif
