// SPDX-License-Identifier: MIT
/* Prints a profile, resolved: profile_text WORD [NAME=VALUE ...]. For profile_schema.py. */
#include <stdio.h>
#include <stdlib.h>

#include "ssdbench/profile.h"

int main(int argc, char **argv)
{
	struct profile_options options = {0};
	struct profile *profile = NULL;
	struct error err = {0};
	char *text;

	if (argc < 2)
		return 2;
	options.set = (const char *const *)argv + 2;
	options.nr_set = (size_t)argc - 2;
	if (profile_load(&profile, argv[1], &options, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	text = profile_to_text(profile);
	if (text)
		puts(text);
	free(text);
	profile_free(profile);
	return text ? 0 : 4;
}
