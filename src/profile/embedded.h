/* SPDX-License-Identifier: MIT */
/* The files that the build puts into the binary (Embed.cmake writes their definitions). */
#ifndef SSDBENCH_PROFILE_EMBEDDED_H
#define SSDBENCH_PROFILE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
	const char *name;          /* without folder and ".json" */
	const unsigned char *text; /* ends in a NUL that @length does not count */
	size_t length;
};

/* Each ends with an entry whose name is NULL. Profiles in the order of the list. */
extern const struct embedded_file embedded_profiles[];
extern const struct embedded_file embedded_schemas[];

/* The file named @name of @files, or NULL. */
const struct embedded_file *embedded_find(const struct embedded_file *files, const char *name);

#endif
