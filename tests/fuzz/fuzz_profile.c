// SPDX-License-Identifier: MIT
/* Any text is either refused with words, or a profile that survives the round trip through its text. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_round_trip(const struct profile *profile)
{
	struct profile *again = NULL;
	char *text = profile_to_text(profile);

	check(text != NULL);
	check(profile_parse(&again, text, strlen(text), "again", NULL, NULL) == 0);
	check(strcmp(profile->hash, again->hash) == 0);
	profile_free(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *profile = NULL;
	struct error err = {0};
	const int ret = profile_parse(&profile, (const char *)data, size, "input", NULL, &err);

	check(ret == 0 || (ret == err.code && err.kind == ERROR_USAGE && err.text[0]));
	check((ret == 0) == (profile != NULL));
	if (profile)
		check_round_trip(profile);
	profile_free(profile);
	return 0;
}
