// SPDX-License-Identifier: MIT
/*
 * The rows of a run for people. A figure that was not measured is "-", never 0; what casts doubt on a
 * figure is a letter beside it, and its evidence stands below the table.
 */
#include "ssdbench/report.h"

#include <inttypes.h>

#include "page.h"
#include "figures.h"
#include "footnotes.h"
#include "table.h"

static void cell_latency(struct table *table, double ns)
{
	char text[UNITS_TEXT_MAX];

	table_cell(table, latency_human(ns, text));
}

static void cells_figures(struct table *table, const struct row_figures *figures)
{
	char text[UNITS_TEXT_MAX];

	if (!figures || figures->ios == 0) {
		for (int i = 0; i < 5; i++)
			table_cell(table, NULL);
		return;
	}
	table_cell(table, bandwidth_format(figures->bandwidth, text));
	table_cell(table, figure_format(figures->iops, text));
	cell_latency(table, figures->latency_mean_ns);
	cell_latency(table, (double)figures->latency_p99_ns);
	cell_latency(table, (double)figures->latency_max_ns);
}

/* How a drive was purged; the reasons of those that were not stand there as for other rows. */
static void cell_purge(struct table *table, const struct row *row)
{
	char text[UNITS_TEXT_MAX];

	if (row->status == STEP_OK)
		table_cell_format(table, "by %s in %s", purge_method_name(row->purge),
				  duration_human(row->purge_ns, text));
	else
		table_cell_format(table, "%s: %s", step_status_name(row->status), row->reason);
}

static void cell_note(struct table *table, const struct row *row)
{
	char note[2 * FLAGS + 1] = "";
	size_t used = 0;

	if (row->step->kind == PHASE_PURGE) {
		cell_purge(table, row);
		return;
	}
	if (row->status == STEP_SKIPPED || row->status == STEP_FAILED) {
		table_cell_format(table, "%s: %s", step_status_name(row->status), row->reason);
		return;
	}
	for (uint32_t i = 0; i < row->nr_flags; i++) {
		note[used++] = footnote_mark(row->flag[i].kind);
		note[used++] = ' ';
	}
	note[used ? used - 1 : 0] = '\0';
	table_cell(table, note);
}

static void cell_number(struct table *table, uint32_t number)
{
	if (number)
		table_cell_format(table, "%" PRIu32, number);
	else
		table_cell(table, NULL);
}

/* One line. @direction: what to add to a request that does both; @figures: NULL where there are none. */
static void print_line(struct table *table, const struct row *row, const char *drive,
		       const char *direction, const struct row_figures *figures)
{
	const struct step *step = row->step;
	char request[128];

	table_line(table);
	table_cell(table, step->phase_name);
	table_cell_format(table, "%s%s", request_format(step, request, sizeof(request)), direction);
	cell_number(table, step->iodepth);
	cell_number(table, step->numjobs);
	if (drive)
		table_cell(table, drive);
	cells_figures(table, figures);
	cell_note(table, row);
}

static void print_row(struct table *table, const struct row *row, const char *drive)
{
	const bool reads = rw_reads(row->step->rw), writes = rw_writes(row->step->rw);

	if (row->status == STEP_SKIPPED || row->status == STEP_FAILED ||
	    row->step->kind == PHASE_PURGE) {
		print_line(table, row, drive, "", NULL);
		return;
	}
	if (reads)
		print_line(table, row, drive, writes ? ", reads" : "", &row->dir[DIR_READ]);
	if (writes)
		print_line(table, row, drive, reads ? ", writes" : "", &row->dir[DIR_WRITE]);
}

static const char *row_drive_name(const struct row *row, const struct drive_facts *const *drives)
{
	return row->drive == ROW_TOTAL ? "all" : drives[row->drive]->name;
}

/* Rows that prepare the drive are no statement about it: they stand in a table of their own. */
static bool is_in_table(const struct row *row, bool measured)
{
	if (row->step->kind == PHASE_IDLE ||
	    (row->step->kind == PHASE_PURGE && row->drive == ROW_TOTAL))
		return false; /* purges have nothing to sum up */
	return (row->step->kind == PHASE_MEASURE) == measured;
}

static int print_rows(FILE *out, const char *title, bool measured, const struct plan *plan,
		      const struct drive_facts *const *drives, const struct run_outcome *outcome,
		      const struct report_style *style)
{
	struct table *table = table_open(style);
	size_t nr = 0;
	int rc = 0;

	table_column(table, "PHASE", COLUMN_TEXT);
	table_column(table, "REQUEST", COLUMN_TEXT);
	table_column(table, "IODEPTH", COLUMN_NUMBER);
	table_column(table, "JOBS", COLUMN_NUMBER);
	if (plan->nr_drives > 1)
		table_column(table, "DRIVE", COLUMN_TEXT);
	table_column(table, "MB/s", COLUMN_NUMBER);
	table_column(table, "IOPS", COLUMN_NUMBER);
	table_column(table, "MEAN", COLUMN_NUMBER);
	table_column(table, "P99", COLUMN_NUMBER);
	table_column(table, "MAX", COLUMN_NUMBER);
	table_column(table, "NOTE", COLUMN_PROSE);
	for (size_t i = 0; i < outcome->nr_rows; i++) {
		const struct row *row = &outcome->row[i];

		if (!is_in_table(row, measured))
			continue;
		print_row(table, row, plan->nr_drives > 1 ? row_drive_name(row, drives) : NULL);
		nr++;
	}
	if (nr) {
		fprintf(out, "\n%s\n", title);
		rc = table_print(table, out);
	}
	table_free(table);
	return rc;
}

/* "nvme0n1: ACME 7.68TB, serial TESTSN0001, firmware FW01, 7.68 TB, LBA 4096" as far as known. */
static void print_drive(FILE *out, const struct drive_facts *facts)
{
	char capacity[UNITS_TEXT_MAX];

	fprintf(out, "%s:", facts->name);
	if (facts->model)
		fprintf(out, " %s,", facts->model);
	if (facts->serial)
		fprintf(out, " serial %s,", facts->serial);
	if (facts->firmware)
		fprintf(out, " firmware %s,", facts->firmware);
	fprintf(out, " %s", capacity_human(facts->capacity_bytes, capacity));
	if (facts->logical_block_bytes)
		fprintf(out, ", LBA %" PRIu32, facts->logical_block_bytes);
	fputc('\n', out);
}

int report_result_table(FILE *stream, const struct plan *plan,
			const struct drive_facts *const *drives, const struct run_outcome *outcome,
			const struct report_style *style)
{
	struct page page;
	int rc = page_open(&page);

	if (rc)
		return rc;
	fprintf(page.out, "%s: %s\n", plan->profile->name, plan->profile->title);
	for (size_t i = 0; i < plan->nr_drives; i++)
		print_drive(page.out, drives[i]);
	rc = print_rows(page.out, "Preparation", false, plan, drives, outcome, style);
	if (rc == 0)
		rc = print_rows(page.out, "Measured", true, plan, drives, outcome, style);
	if (rc == 0)
		footnotes_print(page.out, plan, outcome);
	return page_write(&page, stream, rc);
}
