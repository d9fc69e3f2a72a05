/* SPDX-License-Identifier: MIT */
#ifndef SSDBENCH_RUN_HEALTH_DOCUMENT_H
#define SSDBENCH_RUN_HEALTH_DOCUMENT_H

#include <stdio.h>

/* Writes the member "health" of the result to @out: of each of @nr_drives its first and last reading in
 * the journal @fd, what changed between them, and the series of all. 0 or a negative errno. */
int health_document_write(FILE *out, int fd, size_t nr_drives);

#endif
