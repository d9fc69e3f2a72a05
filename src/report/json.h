/* SPDX-License-Identifier: MIT */
/* JSON documents on a stream. */
#ifndef SSDBENCH_REPORT_JSON_H
#define SSDBENCH_REPORT_JSON_H

#include <stdio.h>

struct json_t;

/* Write @root, indented and with a newline, to @stream and drop the reference. NULL: out of memory.
 * 0 or a negative errno after flushing. */
int json_write(struct json_t *root, FILE *stream);

#endif
