/* SPDX-License-Identifier: MIT */
/* The state of a run while it walks its plan. */
#ifndef SSDBENCH_RUN_WALK_H
#define SSDBENCH_RUN_WALK_H

#include "estimate.h"
#include "fills.h"
#include "header.h"
#include "health.h"
#include "journal.h"
#include "purges.h"
#include "samples.h"
#include "ssdbench/run.h"

struct walk {
	const struct run_config *config;
	struct run_outcome *outcome;
	const struct drive_facts **facts; /* one per target; the array is owned */
	size_t nr_drives;
	struct places places;
	struct journal journal;
	struct json_t *header; /* what run.json holds; owned */
	char id[RUN_ID_SIZE];
	struct samples samples;
	struct health_watch health;
	struct fills fills;
	struct purges purges;
	struct estimate estimate;
	unsigned int checked_phase; /* whose drives were rechecked last; UINT_MAX: none */
	bool told_lost;             /* that lines of the journal are lost was said */
	char over[256];             /* why no later step can run; "": they can */
};

/* Writes @line (released here) to the journal, with a warning where the journal had to move. */
void walk_journal(struct walk *walk, struct json_t *line);

/* A sentence for the listener, which also stands in the result. */
void walk_warn(struct walk *walk, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* True once the user wants the run to end. */
bool walk_stopped(const struct walk *walk);

/* Runs or skips one step, journals it and tells the listener (step.c). */
void walk_step(struct walk *walk, const struct step *step);

/* A step that is not begun, since the run was interrupted or cannot go on (step.c). */
void walk_past_step(struct walk *walk, const struct step *step);

/* Reads the drives' health into the journal where @ns have gone by since the last time (step.c). @step: NULL outside
 * of steps. */
void walk_health(struct walk *walk, const struct step *step, uint64_t ns);

/* Purges the drives of a step; sets the status and reason of @outcome (purges.c). */
void walk_purge(struct walk *walk, struct step_outcome *outcome);

/* Remember why no later step can run: nothing after the first reason. (step.c) */
void walk_end_early(struct walk *walk, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Does the error say that a drive is not there any more? All else may be true of one step only. @code: positive
 * errno (step.c). */
bool error_says_gone(int code);

/* The pause after @step (wait.c). */
void walk_pause(struct walk *walk, const struct step *step);

/* Wait for the runtime of an idle @step. False: it was stopped before (wait.c). */
bool walk_idle(struct walk *walk, const struct step *step);

#endif
