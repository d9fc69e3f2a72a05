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
	/* What follows a NUL byte is a --set. */
	const char *text = (const char *)data, *end = memchr(data, '\0', size);
	const size_t length = end ? (size_t)(end - text) : size;
	char *set = end ? strndup(end + 1, size - length - 1) : NULL;
	const struct profile_options options = {
		.set = (const char *const *)&set,
		.nr_set = set ? 1 : 0,
	};
	struct profile *profile = NULL;
	struct error err = {0};
	const int ret = profile_parse(&profile, text, length, "input", &options, &err);

	check(ret == 0 || (ret == err.code && err.kind == ERROR_USAGE && err.text[0]));
	check((ret == 0) == (profile != NULL));
	if (profile)
		check_round_trip(profile);
	profile_free(profile);
	free(set);
	return 0;
}
