/* SPDX-License-Identifier: MIT */
/* The two little languages inside strings: `when` conditions and gates. */
#ifndef SSDBENCH_PROFILE_EXPRESSION_H
#define SSDBENCH_PROFILE_EXPRESSION_H

#include "reader.h"
#include "ssdbench/profile.h"

/* "capacity > 1TB and indirection_unit <= 4KiB" into phase->when and nr_when. */
int expression_read_when(struct reader *r, const struct where *at, const struct json_t *value,
			 struct phase *phase);

/* "latency_p99 < 5ms"; a read_fn; @out is a struct gate. */
int expression_read_gate(struct reader *r, const struct where *at, const struct json_t *value,
			 void *out);

/* Text that expression_read_when() reads back; the caller frees. NULL: out of memory. */
char *expression_when_text(const struct phase *phase);

#endif
