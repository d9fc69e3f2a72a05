/* SPDX-License-Identifier: MIT */
/*
 * Walk a plan: open what it writes to, run step after step, journal each, and write the result.
 *
 * A run owns a directory: run.json (what was asked), journal.jsonl (an fsynced line for each event, batch of
 * samples and finished step) and result.json, which is made from the other two and renamed into
 * place. Where the directory cannot take it (full, gone), the journal goes on in an unlinked
 * temporary file or in memory, and the result is saved elsewhere; the outcome says where.
 * Memory does not grow with the length of the run: samples live in the journal.
 */
#ifndef SSDBENCH_RUN_H
#define SSDBENCH_RUN_H

#include "ssdbench/preflight.h"
#include "ssdbench/result.h"

/* What a run tells while it goes on; report/progress.c draws it. Each may be NULL. */
struct run_listener {
	void *context;
	/* Not called, nor step_end, for steps that an interruption or a lost drive left unbegun. */
	void (*step_begin)(void *context, const struct step *step, const struct plan *plan);
	/* @bytes of the step so far; @left_ns: estimated time left of the whole run. */
	void (*progress)(void *context, const struct step *step, uint64_t bytes,
			 uint64_t elapsed_ns, uint64_t left_ns);
	/* How far a purge of @drive is, where the drive tells; about five times a second. */
	void (*purge)(void *context, const struct step *step, const char *drive, double fraction);
	/* The pause after @step, about ten times a second; @left_ns: of the pause, @run_left_ns: of the run. */
	void (*pause)(void *context, const struct step *step, uint64_t left_ns,
		      uint64_t run_left_ns);
	/* One row per drive (and the total), after the step has been journaled. */
	void (*step_end)(void *context, const struct row *rows, size_t nr);
	/* A sentence for stderr: a warning that also stands in the result. */
	void (*warning)(void *context, const char *text);
};

struct run_config {
	const struct profile *profile;
	const struct plan *plan;
	struct target *const *targets; /* open, in the plan's order */
	size_t nr_targets;
	/* Of the preflight of these targets: recorded, warnings told; NULL: there was none. */
	const struct findings *findings;
	struct engine_config engine;
	const struct target_roots *roots;
	const char *directory; /* made if absent; must be empty of a former run */
	const char *
		result_path; /* NULL: result.json in the directory; a device or pipe is written in place */
	const char *label;       /* --label; NULL: none */
	const char *const *argv; /* the command line, for run.json */
	size_t argc;
	const struct run_listener *listener;
};

struct run_outcome {
	struct row *row; /* all rows in order: per step one per drive, then the total; owned */
	size_t nr_rows;
	bool interrupted;  /* by config.engine.stop */
	bool misbehaved;   /* I/O errors on a drive */
	bool step_failed;  /* a step that the harness could not run */
	bool step_skipped; /* a step that fits no drive: its block size is none of theirs */
	uint32_t gates_broken;
	bool saved; /* the result stands where it was asked for, the whole journal in its directory */
	char *result_path;    /* where the result really is; NULL: nowhere, see document */
	char *document;       /* the JSON text where it could be saved nowhere; else NULL */
	char save_error[512]; /* why not as asked; "" when saved */
};

/*
 * Every step of the plan has its rows, also those that were never begun (STEP_INTERRUPTED, or STEP_FAILED where a
 * drive is gone or was refused: that ends the run). The caller ignores SIGPIPE if result_path may be a pipe.
 * 0 and @outcome filled (release with run_outcome_fini()) whatever happened to single steps; a negative
 * errno and @err when nothing could be run: the directory cannot be made or holds a run already
 * (ERROR_USAGE), engine_check() refuses.
 */
int run_execute(struct run_outcome *outcome, const struct run_config *config, struct error *err);

void run_outcome_fini(struct run_outcome *outcome);

/* The default directory of a run: "ssdbench-<profile>-<drive>-<UTC time>". Caller frees; NULL: no memory. */
char *run_directory_name(const struct profile *profile, const struct drive_facts *drive);

#endif
