/* SPDX-License-Identifier: MIT */
/* The commands: one file each, one entry each in the table of main.c. */
#ifndef SSDBENCH_CMD_CMD_H
#define SSDBENCH_CMD_CMD_H

#include <stdatomic.h>

#include "ssdbench/error.h"

/* What a command gets from main. */
struct command_context {
	/* From this call on a signal only sets stop; before it, a signal ends the process as usual. */
	void (*catch_stop)(void);
	const atomic_int
		*stop; /* the number of the signal that asks to end, 0 while there is none */
	/* The whole command line, for the record. */
	const char *const *argv;
	int argc;
};

/*
 * @argv[0] is the command's name. An exit status (status.h), 0 or more; or a negative errno and @err,
 * which main prints and turns into a status. -EINTR without words: a signal came, there is nothing to say.
 */
typedef int command_function(int argc, char **argv, const struct command_context *context,
			     struct error *err);

struct command {
	const char *name, *summary;
	command_function *function;
};

command_function command_run, command_plan, command_list, command_show, command_drives,
	command_check, command_schema;

#endif
