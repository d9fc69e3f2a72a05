// SPDX-License-Identifier: MIT
#include "kernel_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_below(const char *root, const char *path)
{
	char *whole = NULL;
	FILE *file;

	if (asprintf(&whole, "%s/%s", root, path) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	file = fopen(whole, "re");
	free(whole);
	return file;
}

int kernel_text_line(const char *root, const char *path, char text[KERNEL_TEXT_MAX])
{
	FILE *file = open_below(root, path);
	size_t length;

	if (!file)
		return -errno;
	errno = 0;
	if (!fgets(text, KERNEL_TEXT_MAX, file)) {
		const int code = errno;

		fclose(file);
		text[0] = '\0';
		return code ? -code : 0;
	}
	fclose(file);
	length = strlen(text);
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	return 0;
}

int kernel_text_key(const char *root, const char *path, const char *key, char text[KERNEL_TEXT_MAX])
{
	FILE *file = open_below(root, path);
	const size_t length = strlen(key);
	char *line = NULL;
	size_t size = 0;
	int ret = -ENODATA;

	if (!file)
		return -errno;
	while (ret && getline(&line, &size, file) >= 0) {
		const char *value = line + length;

		if (strncmp(line, key, length) != 0)
			continue;
		value += strspn(value, " \t");
		if (*value != ':')
			continue;
		value += 1 + strspn(value + 1, " \t");
		snprintf(text, KERNEL_TEXT_MAX, "%.*s", (int)strcspn(value, "\n"), value);
		ret = 0;
	}
	free(line);
	fclose(file);
	return ret;
}
