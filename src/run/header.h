/* SPDX-License-Identifier: MIT */
/* run.json: what was asked, of what, where. The head of the result has the same members. */
#ifndef SSDBENCH_RUN_HEADER_H
#define SSDBENCH_RUN_HEADER_H

#include "ssdbench/run.h"

#define RUN_ID_SIZE 37 /* a UUID as text, NUL included */

/* A new UUID from the kernel. 0 or a negative errno. */
int run_id_read(char id[RUN_ID_SIZE], const struct target_roots *roots);

/* A new reference, which the caller releases; NULL: no memory. */
struct json_t *header_json(const struct run_config *config, const struct host_facts *host,
			   const char *id);

#endif
