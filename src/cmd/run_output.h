/* SPDX-License-Identifier: MIT */
/* What stdout gets after a run. */
#ifndef SSDBENCH_CMD_RUN_OUTPUT_H
#define SSDBENCH_CMD_RUN_OUTPUT_H

#include "output_args.h"
#include "ssdbench/run.h"

/*
 * The table or the JSON document. Where the result could be saved nowhere, stdout gets the document whatever was
 * asked for, and the table goes to stderr; where the result was written to stdout itself, nothing is added.
 */
int run_output_print(const struct output_arguments *output, const struct plan *plan,
		     const struct drive_facts *const *drives, const struct run_outcome *outcome,
		     struct error *err);

#endif
