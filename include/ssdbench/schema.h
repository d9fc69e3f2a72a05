/* SPDX-License-Identifier: MIT */
/* The JSON Schemas that the binary holds. */
#ifndef SSDBENCH_SCHEMA_H
#define SSDBENCH_SCHEMA_H

/* The text of the schema @name ("profile", "result" or "check"), for all time; NULL: there is none of
 * that name. */
const char *schema_text(const char *name);

#endif
