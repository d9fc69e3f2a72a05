/* SPDX-License-Identifier: MIT */
/* The words and options that decide what a plan is: a profile, targets, and what is changed in them. */
#ifndef SSDBENCH_CMD_PLAN_ARGS_H
#define SSDBENCH_CMD_PLAN_ARGS_H

#include "args.h"
#include "ssdbench/plan.h"

struct plan_arguments {
	const char *profile; /* NULL: not given */
	struct words targets;
	struct profile_options profile_options; /* borrows set */
	struct plan_options plan_options;       /* borrows only */
	struct target_options target_options;
	struct words set, only;
	struct error *err;
};

/* A child parser, words included; its input is a struct plan_arguments from plan_arguments_init(). */
extern const struct argp plan_argp;

void plan_arguments_init(struct plan_arguments *arguments, struct error *err);
void plan_arguments_fini(struct plan_arguments *arguments);

#endif
