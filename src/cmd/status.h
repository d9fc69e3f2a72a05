/* SPDX-License-Identifier: MIT */
/* Exit statuses, as man ssdbench (EXIT STATUS) promises them. */
#ifndef SSDBENCH_CMD_STATUS_H
#define SSDBENCH_CMD_STATUS_H

#include "ssdbench/error.h"
#include "ssdbench/run.h"

enum exit_status {
	STATUS_DONE = 0,
	STATUS_VERDICT =
		1, /* done, but a gate is broken, a drive misbehaved or rows were skipped */
	STATUS_USAGE = 2,
	STATUS_REFUSED = 3,
	STATUS_HARNESS = 4, /* could not measure or could not save */
	STATUS_SIGNAL = 128,
};

/* Of a command that failed: by the kind of @err; a failure without words is the harness's. */
int status_of_error(const struct error *err);

/*
 * Of a run that took place. Where several are true, the one that says most about how far the result can be
 * trusted wins: could not measure or save (4), then interrupted (128 + @signal), then the verdict (1).
 */
int status_of_outcome(const struct run_outcome *outcome, int signal);

#endif
