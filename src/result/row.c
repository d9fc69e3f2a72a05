// SPDX-License-Identifier: MIT
/* A step's outcome reduced to one line of the table: one drive, or all of them merged. */
#include "row.h"

#include <stdio.h>
#include <string.h>

bool outcome_has_figures(const struct step_outcome *outcome, uint32_t drive)
{
	if (!outcome->engine)
		return false;
	for (uint32_t i = 0; i < outcome->engine->nr_drives; i++) {
		if ((drive == ROW_TOTAL || drive == i) && outcome->engine->drive[i].ran)
			return true;
	}
	return false;
}

void outcome_totals(struct io_totals *totals, const struct step_outcome *outcome, uint32_t drive,
		    enum direction dir)
{
	totals->ios = 0;
	totals->bytes = 0;
	histogram_reset(&totals->latency);
	for (uint32_t i = 0; outcome->engine && i < outcome->engine->nr_drives; i++) {
		const struct engine_drive_result *result = &outcome->engine->drive[i];

		if (!result->ran || (drive != ROW_TOTAL && drive != i))
			continue;
		totals->ios += result->dir[dir].ios;
		totals->bytes += result->dir[dir].bytes;
		histogram_merge(&totals->latency, &result->dir[dir].latency);
	}
}

uint64_t outcome_errors(const struct step_outcome *outcome, uint32_t drive)
{
	uint64_t errors = 0;

	for (uint32_t i = 0; outcome->engine && i < outcome->engine->nr_drives; i++) {
		if (drive == ROW_TOTAL || drive == i)
			errors += outcome->engine->drive[i].errors;
	}
	return errors;
}

void row_figures_build(struct row_figures *figures, const struct io_totals *totals, uint64_t ns)
{
	const struct histogram *latency = &totals->latency;

	*figures = (struct row_figures){0};
	if (totals->ios == 0)
		return;
	figures->ios = totals->ios;
	figures->bytes = totals->bytes;
	if (ns > 0) {
		figures->iops = (double)totals->ios * (double)NSEC_PER_SEC / (double)ns;
		figures->bandwidth = (double)totals->bytes * (double)NSEC_PER_SEC / (double)ns;
	}
	figures->latency_mean_ns = histogram_mean(latency);
	figures->latency_stddev_ns = histogram_stddev(latency);
	figures->latency_min_ns = latency->min;
	figures->latency_max_ns = latency->max;
	figures->latency_p50_ns = histogram_percentile(latency, 50.0);
	figures->latency_p99_ns = histogram_percentile(latency, 99.0);
	figures->latency_p99_9_ns = histogram_percentile(latency, 99.9);
	figures->latency_p99_99_ns = histogram_percentile(latency, 99.99);
}

uint64_t outcome_counted_ns(const struct step_outcome *outcome, uint32_t drive)
{
	return drive == ROW_TOTAL ? outcome->engine->counted_ns
				  : outcome->engine->drive[drive].counted_ns;
}

static void build_figures(struct row *row, const struct step_outcome *outcome, uint32_t drive)
{
	struct io_totals totals;
	struct histogram both;

	histogram_reset(&both);
	for (enum direction dir = 0; dir < DIRECTIONS; dir++) {
		outcome_totals(&totals, outcome, drive, dir);
		row_figures_build(&row->dir[dir], &totals, row->counted_ns);
		histogram_merge(&both, &totals.latency);
	}
	row->latency_p99_ns = histogram_percentile(&both, 99.0);
}

/* A drive may skip what others run, and only the drive that had errors is marked with them. */
static void build_status(struct row *row, const struct step_outcome *outcome, uint32_t drive)
{
	const char *reason = outcome->reason;

	row->status = outcome->status;
	if (drive != ROW_TOTAL && outcome->step->drive[drive].skip) {
		row->status = STEP_SKIPPED;
		reason = outcome->step->drive[drive].skip;
	} else if (drive != ROW_TOTAL && outcome->purge) {
		row->status = outcome->purge[drive].status;
		reason = outcome->purge[drive].reason;
		row->purge = outcome->purge[drive].outcome.used;
		row->purge_ns = outcome->purge[drive].outcome.duration_ns;
	} else if (outcome->status == STEP_ERRORS && outcome_errors(outcome, ROW_TOTAL) > 0 &&
		   outcome_errors(outcome, drive) == 0) {
		row->status = STEP_OK;
		reason = "";
	}
	snprintf(row->reason, sizeof(row->reason), "%s", reason);
}

void row_build(struct row *row, const struct step_outcome *outcome, uint32_t drive)
{
	*row = (struct row){.step = outcome->step, .drive = drive};
	build_status(row, outcome, drive);
	if (!outcome_has_figures(outcome, drive))
		return;
	row->counted_ns = outcome_counted_ns(outcome, drive);
	row->errors = outcome_errors(outcome, drive);
	build_figures(row, outcome, drive);
	row_flags_build(row, outcome, drive);
}
