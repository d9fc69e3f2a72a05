/* SPDX-License-Identifier: MIT */
/* jansson finds a duplicate key while it parses and tells line and column; this tells the pointer. */
#ifndef SSDBENCH_PROFILE_DUPLICATE_H
#define SSDBENCH_PROFILE_DUPLICATE_H

#include "reader.h"

/* Record that the key which ends at byte @end of the JSON @text stands twice in its object. */
int duplicate_fail(const struct reader *r, const char *text, size_t end);

#endif
