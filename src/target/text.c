// SPDX-License-Identifier: MIT
/* NVMe says ASCII (base specification 2.0, section 1.4.2); drives do not always comply. */
#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* First and last allowed second byte by the first one; RFC 3629, section 4. */
struct utf8_lead {
	uint8_t first, last, length, second_min, second_max;
};
static const struct utf8_lead leads[] = {
	{0x20, 0x7E, 1, 0, 0},       {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
	{0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
	{0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

/* Length of the printable character at @bytes, 0 where there is none. */
static size_t character_length(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		const struct utf8_lead *lead = &leads[i];

		if (bytes[0] < lead->first || bytes[0] > lead->last)
			continue;
		if (len < lead->length)
			return 0;
		if (lead->length == 1)
			return 1;
		if (bytes[1] < lead->second_min || bytes[1] > lead->second_max)
			return 0;
		/* U+0080 to U+009F are control characters too. */
		if (bytes[0] == 0xC2 && bytes[1] < 0xA0)
			return 0;
		for (size_t k = 2; k < lead->length; k++)
			if ((bytes[k] & 0xC0) != 0x80)
				return 0;
		return lead->length;
	}
	return 0;
}

char *text_clean(const char *bytes, size_t len, bool *changed)
{
	const uint8_t *from = (const uint8_t *)bytes;
	bool replaced = false;
	char *clean, *to;

	while (len && (from[len - 1] == ' ' || from[len - 1] == '\0' || from[len - 1] == '\n'))
		len--;
	clean = malloc(len * (sizeof(REPLACEMENT) - 1) + 1);
	if (!clean)
		return NULL;
	to = clean;
	while (len) {
		size_t step = character_length(from, len);

		if (step) {
			to = (char *)mempcpy(to, from, step);
		} else {
			to = (char *)mempcpy(to, REPLACEMENT, sizeof(REPLACEMENT) - 1);
			replaced = true;
			step = 1;
		}
		from += step;
		len -= step;
	}
	*to = '\0';
	*changed = replaced;
	return clean;
}

char *text_hex(const char *bytes, size_t len)
{
	char *hex = malloc(2 * len + 1);

	if (!hex)
		return NULL;
	hex[0] = '\0';
	for (size_t i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned int)(uint8_t)bytes[i]);
	return hex;
}
