/* SPDX-License-Identifier: MIT */
/* Where the result goes: the place asked for, else the next best that takes it, else memory. */
#ifndef SSDBENCH_RUN_SAVE_H
#define SSDBENCH_RUN_SAVE_H

#include "directory.h"
#include "document.h"
#include "ssdbench/run.h"

struct save_request {
	struct result_document document;
	const char *path;      /* where it was asked for: a file, a device, a pipe */
	const char *directory; /* of the run; tried first when @path is elsewhere and fails */
	const char *id;
	const struct places *places;
};

/* Sets result_path or document, saved and save_error of @outcome. */
void save_result(struct run_outcome *outcome, const struct save_request *request);

#endif
