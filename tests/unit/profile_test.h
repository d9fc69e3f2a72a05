/* SPDX-License-Identifier: MIT */
/* Profiles of one phase, for tests: the words of the phase are all that a test writes. */
#ifndef SSDBENCH_TESTS_PROFILE_TEST_H
#define SSDBENCH_TESTS_PROFILE_TEST_H

#include <stdio.h>
#include <string.h>

#include "ssdbench/profile.h"
#include "test.h"

/* The profile whose phases are @phases (JSON without the brackets around it); it must be valid. */
static inline struct profile *parse_phases(const char *phases)
{
	struct profile *profile = NULL;
	struct error err = {0};
	char text[8192];
	const int length =
		snprintf(text, sizeof(text),
			 "{\"name\": \"x\", \"title\": \"X\", \"phases\": [%s]}", phases);

	assert_in_range(length, 1, sizeof(text) - 1);
	if (profile_parse(&profile, text, (size_t)length, "test.json", NULL, &err))
		fail_msg("%s", err.text);
	return profile;
}

#endif
