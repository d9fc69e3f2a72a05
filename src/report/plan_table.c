// SPDX-License-Identifier: MIT
/* A plan for people: what runs on what, each step with its cost, and what it all comes to. */
#include "ssdbench/report.h"

#include <errno.h>
#include <inttypes.h>

#include "page.h"
#include "figures.h"
#include "table.h"

/* Bytes that are none of this direction are not a figure. */
static void cell_capacity(struct table *table, uint64_t bytes)
{
	char text[UNITS_TEXT_MAX];

	table_cell(table, bytes ? capacity_human(bytes, text) : NULL);
}

static void cell_duration(struct table *table, uint64_t ns)
{
	char text[UNITS_TEXT_MAX];

	table_cell(table, ns ? duration_human(ns, text) : NULL);
}

/* All drives of a step together; drive writes are per drive, so the largest stands for them. */
static void cells_bytes(struct table *table, const struct step *step, const struct plan *plan,
			const struct drive_facts *const *drives)
{
	uint64_t reads = 0, writes = 0, most = 0, most_capacity = 1;
	char text[UNITS_TEXT_MAX];

	for (size_t i = 0; i < plan->nr_drives; i++) {
		const struct step_drive *drive = &step->drive[i];
		const uint64_t capacity = drives[i]->capacity_bytes;

		reads += drive->read_bytes;
		writes += drive->write_bytes;
		if ((double)drive->write_bytes / (double)capacity >
		    (double)most / (double)most_capacity) {
			most = drive->write_bytes;
			most_capacity = capacity;
		}
	}
	cell_capacity(table, reads);
	cell_capacity(table, writes);
	table_cell(table, most ? drive_writes_format(most, most_capacity, text) : NULL);
}

/* Why drives do not run the step, or that its reads mean little. One drive needs no name. */
static void cell_note(struct table *table, const struct step *step, const struct plan *plan,
		      const struct drive_facts *const *drives)
{
	char note[400] = "";
	size_t used = 0;

	for (size_t i = 0; i < plan->nr_drives && used < sizeof(note); i++) {
		const struct step_drive *drive = &step->drive[i];
		const char *name = plan->nr_drives > 1 ? drives[i]->name : "";
		const char *space = plan->nr_drives > 1 ? " " : "";
		const char *gap = used ? "; " : "";

		if (drive->skip)
			used += (size_t)snprintf(note + used, sizeof(note) - used,
						 "%s%s%sskipped: %s", gap, name, space,
						 drive->skip);
		else if (drive->unwritten)
			used += (size_t)snprintf(note + used, sizeof(note) - used,
						 "%s%s%sunwritten", gap, name, space);
	}
	table_cell(table, note);
}

static int print_steps(FILE *out, const struct plan *plan, const struct drive_facts *const *drives,
		       const struct report_style *style)
{
	struct table *table = table_open(style);
	int rc;

	table_column(table, "#", COLUMN_NUMBER);
	table_column(table, "PHASE", COLUMN_TEXT);
	table_column(table, "STEP", COLUMN_TEXT);
	table_column(table, "TIME", COLUMN_NUMBER);
	table_column(table, "READS", COLUMN_NUMBER);
	table_column(table, "WRITES", COLUMN_NUMBER);
	table_column(table, "DRIVE WRITES", COLUMN_NUMBER);
	table_column(table, "NOTE", COLUMN_PROSE);
	for (size_t i = 0; i < plan->nr_steps; i++) {
		const struct step *step = &plan->step[i];

		table_line(table);
		table_cell_format(table, "%u", step->index + 1);
		table_cell(table, step->phase_name);
		table_cell(table, step->label);
		cell_duration(table, step->estimate_ns);
		cells_bytes(table, step, plan, drives);
		cell_note(table, step, plan, drives);
	}
	rc = table_print(table, out);
	table_free(table);
	return rc;
}

static int print_drives(FILE *out, const struct plan *plan, const struct drive_facts *const *drives,
			const struct report_style *style)
{
	struct table *table = table_open(style);
	char text[UNITS_TEXT_MAX];
	int rc;

	table_column(table, "DRIVE", COLUMN_TEXT);
	table_column(table, "CAPACITY", COLUMN_NUMBER);
	table_column(table, "READS", COLUMN_NUMBER);
	table_column(table, "WRITES", COLUMN_NUMBER);
	table_column(table, "DRIVE WRITES", COLUMN_NUMBER);
	table_column(table, "DATA ON IT", COLUMN_PROSE);
	for (size_t i = 0; i < plan->nr_drives; i++) {
		table_line(table);
		table_cell(table, drives[i]->name);
		table_cell(table, capacity_human(drives[i]->capacity_bytes, text));
		cell_capacity(table, plan->read_bytes[i]);
		cell_capacity(table, plan->write_bytes[i]);
		table_cell(table, drive_writes_format(plan->write_bytes[i],
						      drives[i]->capacity_bytes, text));
		table_cell(table, plan_destroys(plan, i) ? "destroyed" : "kept");
	}
	rc = table_print(table, out);
	table_free(table);
	return rc;
}

static void print_totals(FILE *out, const struct plan *plan)
{
	char time[UNITS_TEXT_MAX], reads[UNITS_TEXT_MAX], writes[UNITS_TEXT_MAX];

	fprintf(out,
		"\n%zu steps, %s in all. Estimated with reads at %s/s and writes at %s/s a drive:\n",
		plan->nr_steps, duration_human(plan->estimate_ns, time),
		capacity_human(plan->read_rate, reads), capacity_human(plan->write_rate, writes));
	fprintf(out,
		"a fill's bytes are exact and its time is a guess; a timed step's time is exact and "
		"its bytes are at most these.\n");
}

int report_plan_table(FILE *stream, const struct plan *plan,
		      const struct drive_facts *const *drives, const struct report_style *style)
{
	struct page page;
	int rc = page_open(&page);

	if (rc)
		return rc;
	fprintf(page.out, "%s: %s\n\n", plan->profile->name, plan->profile->title);
	rc = print_steps(page.out, plan, drives, style);
	if (rc == 0) {
		fputc('\n', page.out);
		rc = print_drives(page.out, plan, drives, style);
	}
	if (rc == 0)
		print_totals(page.out, plan);
	return page_write(&page, stream, rc);
}
