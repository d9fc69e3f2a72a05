/* SPDX-License-Identifier: MIT */
/* The targets of a command line, found, agreed to and opened together. */
#ifndef SSDBENCH_CMD_TARGETS_H
#define SSDBENCH_CMD_TARGETS_H

#include "args.h"
#include "ssdbench/target.h"

/* All zero is empty. `facts` borrows from `target`, in the same order. */
struct targets {
	struct target **target;
	const struct drive_facts **facts;
	size_t nr;
};

/* target_find() for each word; ERROR_USAGE also where two words name one drive. Release with
 * targets_close() whatever it returns. */
int targets_find(struct targets *targets, const struct words *words,
		 const struct target_options *options, struct error *err);

/* target_open() for each, and target_open_passthrough() where @passthrough says so. */
int targets_open(struct targets *targets, enum target_access access, const struct words *destroy,
		 bool passthrough, struct error *err);

/* target_check_passthrough() for each. */
int targets_check_passthrough(const struct targets *targets, struct error *err);

void targets_close(struct targets *targets);

#endif
