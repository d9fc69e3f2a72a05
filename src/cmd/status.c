// SPDX-License-Identifier: MIT
#include "status.h"

int status_of_error(const struct error *err)
{
	switch (err->kind) {
	case ERROR_USAGE: return STATUS_USAGE;
	case ERROR_REFUSED: return STATUS_REFUSED;
	default: return STATUS_HARNESS;
	}
}

int status_of_outcome(const struct run_outcome *outcome, int signal)
{
	if (!outcome->saved || outcome->step_failed)
		return STATUS_HARNESS;
	if (outcome->interrupted)
		return STATUS_SIGNAL + signal;
	if (outcome->misbehaved || outcome->gates_broken || outcome->step_skipped)
		return STATUS_VERDICT;
	return STATUS_DONE;
}
