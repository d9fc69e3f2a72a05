/* SPDX-License-Identifier: MIT */
/* Lines of the kernel's small text files below a root such as "/proc". */
#ifndef SSDBENCH_RESULT_KERNEL_TEXT_H
#define SSDBENCH_RESULT_KERNEL_TEXT_H

#include <stdint.h>

#define KERNEL_TEXT_MAX 4096 /* of one fact; longer ones are cut */

/* The first line of a file, right-trimmed; "" for an empty one. 0 or a negative errno. */
int kernel_text_line(const char *root, const char *path, char text[KERNEL_TEXT_MAX]);

/* The value of the first "key : value" or "key: value" line. 0, -ENODATA without one, or a negative errno. */
int kernel_text_key(const char *root, const char *path, const char *key,
		    char text[KERNEL_TEXT_MAX]);

#endif
