/* SPDX-License-Identifier: MIT */
/* The command line of `run`. */
#ifndef SSDBENCH_CMD_RUN_ARGS_H
#define SSDBENCH_CMD_RUN_ARGS_H

#include "output_args.h"
#include "plan_args.h"
#include "ssdbench/engine.h"

#define SEED_DEFAULT 1 /* fixed, as fio's: the same command gives the same offsets */

struct run_arguments {
	struct plan_arguments plan;
	struct output_arguments output;
	struct words destroy;
	const char *label, *directory, *result_path; /* NULL: not given */
	bool dry_run, quiet;
	struct engine_config engine; /* clock and stop are the caller's to set */
	unsigned int *cpus;          /* what engine.cpus borrows */
	struct error *err;
};

/* As args_parse(). Release with run_arguments_fini() whatever it returns. */
int run_arguments_parse(struct run_arguments *arguments, int argc, char **argv, struct error *err);
void run_arguments_fini(struct run_arguments *arguments);

#endif
