// SPDX-License-Identifier: MIT
#include "embedded.h"

#include <string.h>

#include "ssdbench/schema.h"

const struct embedded_file *embedded_find(const struct embedded_file *files, const char *name)
{
	while (files->name && strcmp(files->name, name) != 0)
		files++;
	return files->name ? files : NULL;
}

const char *schema_text(const char *name)
{
	const struct embedded_file *file;

	for (file = embedded_schemas; file->name; file++) {
		const size_t length = strlen(name);

		if (strncmp(file->name, name, length) == 0 &&
		    strcmp(file->name + length, ".schema") == 0)
			return (const char *)file->text;
	}
	return NULL;
}
