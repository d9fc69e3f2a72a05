/* SPDX-License-Identifier: MIT */
/*
 * Results, plans, profiles and drives turned into text for people: the only folder that prints, and
 * only to the stream that it is given. libsmartcols draws the tables.
 */
#ifndef SSDBENCH_REPORT_H
#define SSDBENCH_REPORT_H

#include <stdio.h>

#include "ssdbench/plan.h"
#include "ssdbench/preflight.h"
#include "ssdbench/run.h"

/* How text is drawn on a stream. */
struct report_style {
	bool colour;        /* NO_COLOR, --color and isatty have been weighed by the caller */
	unsigned int width; /* columns; 0: do not fold */
};

/* Each returns 0 or the negative errno of the stream (-ENOSPC on /dev/full) after flushing it. */

/* The rows of a run: phase, rw, bs, iodepth, numjobs, bandwidth, IOPS, mean and tail latency, flags.
 * Below it the flags' evidence, reasons of skipped rows and broken gates. */
int report_result_table(FILE *stream, const struct plan *plan,
			const struct drive_facts *const *drives, const struct run_outcome *outcome,
			const struct report_style *style);

/* Every step with its duration, bytes and drive writes, and the totals. */
int report_plan_table(FILE *stream, const struct plan *plan,
		      const struct drive_facts *const *drives, const struct report_style *style);
int report_plan_json(FILE *stream, const struct plan *plan,
		     const struct drive_facts *const *drives);

int report_profiles_table(FILE *stream, const struct profile_entry *entries, size_t nr,
			  const struct report_style *style);
int report_profiles_json(FILE *stream, const struct profile_entry *entries, size_t nr);

/* What --set can change in @profile. */
int report_parameters_table(FILE *stream, const struct profile *profile,
			    const struct report_style *style);
int report_parameters_json(FILE *stream, const struct profile *profile);

int report_drives_table(FILE *stream, const struct drive_entry *entries, size_t nr,
			const struct report_style *style);
int report_drives_json(FILE *stream, const struct drive_entry *entries, size_t nr);

/* Every finding with what was found and wanted, then the notes and warnings in words, each with its cure. */
int report_check_table(FILE *stream, const struct preflight *preflight,
		       const struct findings *findings, const struct report_style *style);
/* docs/schema/check.schema.json */
int report_check_json(FILE *stream, const struct preflight *preflight,
		      const struct findings *findings);

/* Progress on stderr: one line redrawn where it is a terminal, else a line per step. */
struct progress;
/* @quiet: warnings only. Release with progress_close(). NULL: out of memory. */
struct progress *progress_open(FILE *stream, bool terminal, bool quiet);
/* Borrowed; lives as long as the progress. */
const struct run_listener *progress_listener(const struct progress *progress);
void progress_close(struct progress *progress);

#endif
