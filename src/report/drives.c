// SPDX-License-Identifier: MIT
/* The drives of this machine and whether they could be targets. */
#include "ssdbench/report.h"

#include <inttypes.h>
#include <jansson.h>

#include "page.h"
#include "json.h"
#include "ssdbench/units.h"
#include "ssdbench/value.h"
#include "table.h"

/* "512", or "4096+8" with metadata. */
static void cell_format(struct table *table, const struct drive_facts *facts)
{
	if (facts->logical_block_bytes == 0)
		table_cell(table, NULL);
	else if (facts->metadata_bytes)
		table_cell_format(table, "%" PRIu32 "+%" PRIu32, facts->logical_block_bytes,
				  facts->metadata_bytes);
	else
		table_cell_format(table, "%" PRIu32, facts->logical_block_bytes);
}

static void print_drive(struct table *table, const struct drive_entry *entry)
{
	const struct drive_facts *facts = entry->facts;
	char text[UNITS_TEXT_MAX];

	table_line(table);
	table_cell(table, facts->path ? facts->path : facts->name);
	table_cell(table, facts->model);
	table_cell(table, facts->serial);
	table_cell(table, facts->firmware);
	table_cell(table,
		   facts->capacity_bytes ? capacity_human(facts->capacity_bytes, text) : NULL);
	cell_format(table, facts);
	if (facts->numa_node < 0)
		table_cell(table, NULL);
	else
		table_cell_format(table, "%" PRId32, facts->numa_node);
	if (entry->why_not)
		table_cell_format(table, "no: %s", entry->why_not);
	else
		table_cell(table, "yes");
}

int report_drives_table(FILE *stream, const struct drive_entry *entries, size_t nr,
			const struct report_style *style)
{
	struct table *table = table_open(style);
	struct page page;
	int rc = page_open(&page);

	table_column(table, "DRIVE", COLUMN_TEXT);
	table_column(table, "MODEL", COLUMN_TEXT);
	table_column(table, "SERIAL", COLUMN_TEXT);
	table_column(table, "FIRMWARE", COLUMN_TEXT);
	table_column(table, "SIZE", COLUMN_NUMBER);
	table_column(table, "LBA", COLUMN_NUMBER);
	table_column(table, "NUMA", COLUMN_NUMBER);
	table_column(table, "TARGET", COLUMN_PROSE);
	for (size_t i = 0; i < nr; i++)
		print_drive(table, &entries[i]);
	if (rc == 0)
		rc = page_write(&page, stream, table_print(table, page.out));
	table_free(table);
	return rc;
}

/* What a result says of a drive, and whether it could be a target. */
static json_t *entry_json(const struct drive_entry *entry)
{
	json_t *drive = result_drive_json(entry->facts);

	if (json_object_set_new(drive, "target", json_boolean(!entry->why_not)) == 0 &&
	    json_object_set_new(drive, "why_not", value_text(entry->why_not)) == 0)
		return drive;
	json_decref(drive);
	return NULL;
}

int report_drives_json(FILE *stream, const struct drive_entry *entries, size_t nr)
{
	json_t *list = json_array();

	for (size_t i = 0; i < nr; i++)
		list = value_append(list, entry_json(&entries[i]));
	const struct value_member root[] = {{"drives", list}};

	return json_write(VALUE_OBJECT(root), stream);
}
