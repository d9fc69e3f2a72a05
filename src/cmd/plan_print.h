/* SPDX-License-Identifier: MIT */
/* A plan on stdout, its warnings on stderr: what `plan` and `run --dry-run` do. */
#ifndef SSDBENCH_CMD_PLAN_PRINT_H
#define SSDBENCH_CMD_PLAN_PRINT_H

#include "output_args.h"
#include "ssdbench/plan.h"

int plan_print(const struct plan *plan, const struct drive_facts *const *drives,
	       const struct output_arguments *output, struct error *err);

#endif
