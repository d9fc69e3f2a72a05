// SPDX-License-Identifier: MIT
#include "figures.h"

#include <stdio.h>
#include <string.h>

const char *figure_format(double value, char text[UNITS_TEXT_MAX])
{
	/* the limits are where rounding would add a digit */
	const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(text, UNITS_TEXT_MAX, "%.*f", decimals, value);
	return text;
}

const char *bandwidth_format(double bytes_per_s, char text[UNITS_TEXT_MAX])
{
	return figure_format(bytes_per_s / 1e6, text);
}

const char *request_format(const struct step *step, char *text, size_t size)
{
	const char *end = strstr(step->label, " iodepth=");
	const size_t length = end ? (size_t)(end - step->label) : strlen(step->label);

	snprintf(text, size, "%.*s", (int)length, step->label);
	return text;
}

const char *drive_writes_format(uint64_t bytes, uint64_t capacity, char text[UNITS_TEXT_MAX])
{
	const double writes = capacity ? (double)bytes / (double)capacity : 0;

	if (bytes == 0)
		snprintf(text, UNITS_TEXT_MAX, "0");
	else if (writes < 0.0005)
		snprintf(text, UNITS_TEXT_MAX, "<0.001");
	else
		snprintf(text, UNITS_TEXT_MAX, "%.*f", writes < 0.0995 ? 3 : 2, writes);
	return text;
}
