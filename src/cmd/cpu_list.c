// SPDX-License-Identifier: MIT
#include "cpu_list.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* A decimal number at *@text, which is moved behind it. -EINVAL: there is none, or it is too high. */
static int read_number(const char **text, unsigned int *number)
{
	char *end;
	unsigned long value;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	value = strtoul(*text, &end, 10);
	if (errno || value > CPU_LIST_HIGHEST)
		return -EINVAL;
	*text = end;
	*number = (unsigned int)value;
	return 0;
}

/* "8" or "8-15" at *@text. */
static int read_range(const char **text, unsigned int *first, unsigned int *last)
{
	if (read_number(text, first))
		return -EINVAL;
	*last = *first;
	if (**text != '-')
		return 0;
	++*text;
	if (read_number(text, last) || *last < *first)
		return -EINVAL;
	return 0;
}

static int append_range(unsigned int **cpus, size_t *nr, unsigned int first, unsigned int last)
{
	unsigned int *list = reallocarray(*cpus, *nr + (last - first) + 1, sizeof(*list));

	if (!list)
		return -ENOMEM;
	*cpus = list;
	for (unsigned int cpu = first; cpu <= last; cpu++)
		list[(*nr)++] = cpu;
	return 0;
}

int cpu_list_parse(const char *text, unsigned int **cpus, size_t *nr, struct error *err)
{
	unsigned int *list = NULL;
	const char *at = text;
	size_t count = 0;

	for (;;) {
		unsigned int first, last;

		if (read_range(&at, &first, &last) || (*at != ',' && *at != '\0')) {
			free(list);
			return error_usage(err,
					   "'%s' is not a list of CPUs: write numbers up to %u and "
					   "ranges, such as 0,5,8-15",
					   text, CPU_LIST_HIGHEST);
		}
		if (append_range(&list, &count, first, last)) {
			free(list);
			return error_set(err, -ENOMEM, "not enough memory for a list of CPUs");
		}
		if (*at == '\0')
			break;
		at++;
	}
	*cpus = list;
	*nr = count;
	return 0;
}
