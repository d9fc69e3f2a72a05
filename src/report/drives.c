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

/* "5" of 32000 megatransfers; PCI Express 1.0 has 2500. */
static unsigned int pcie_generation(uint32_t mt_per_s)
{
	static const uint32_t speed[] = {2500, 5000, 8000, 16000, 32000, 64000, 128000};

	for (unsigned int i = 0; i < sizeof(speed) / sizeof(speed[0]); i++)
		if (speed[i] == mt_per_s)
			return i + 1;
	return 0;
}

/* "Gen4 x4", "Gen3 x4 of Gen4 x4" where the drive could do more, "tcp". */
static void cell_link(struct table *table, const struct drive_facts *facts)
{
	const struct drive_controller *controller = facts->controller;
	unsigned int now, most;

	if (facts->nr_controllers == 0) {
		table_cell(table, NULL);
		return;
	}
	now = pcie_generation(controller->link.speed_mt_per_s);
	most = pcie_generation(controller->link.max_speed_mt_per_s);
	if (!now || !controller->link.width)
		table_cell(table, controller->transport);
	else if (controller->link.slow || controller->link.narrow)
		table_cell_format(table, "Gen%u x%" PRIu32 " of Gen%u x%" PRIu32, now,
				  controller->link.width, most, controller->link.max_width);
	else
		table_cell_format(table, "Gen%u x%" PRIu32, now, controller->link.width);
}

/* "41 C, ok", "88 C temperature, read-only". */
static void cell_health(struct table *table, const struct drive_entry *entry)
{
	static const char *const warning[] = {"spare",     "temperature", "reliability",
					      "read-only", "backup",      "memory"};
	const uint8_t bits = entry->health.critical_warning;
	char text[128] = "", degrees[16] = "";
	size_t used = 0;

	if (!entry->has_health) {
		table_cell(table, NULL);
		return;
	}
	if (entry->health.temperature_c != TEMPERATURE_UNKNOWN)
		snprintf(degrees, sizeof(degrees), "%" PRId32 " C, ", entry->health.temperature_c);
	for (unsigned int i = 0; i < sizeof(warning) / sizeof(warning[0]); i++)
		if (bits & 1U << i)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
						 used ? ", " : "", warning[i]);
	table_cell_format(table, "%s%s", degrees, used ? text : "ok");
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
	cell_link(table, facts);
	if (facts->numa_node < 0)
		table_cell(table, NULL);
	else
		table_cell_format(table, "%" PRId32, facts->numa_node);
	cell_health(table, entry);
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
	table_column(table, "LINK", COLUMN_TEXT);
	table_column(table, "NUMA", COLUMN_NUMBER);
	table_column(table, "HEALTH", COLUMN_TEXT);
	table_column(table, "TARGET", COLUMN_PROSE);
	for (size_t i = 0; i < nr; i++)
		print_drive(table, &entries[i]);
	if (rc == 0)
		rc = page_write(&page, stream, table_print(table, page.out));
	table_free(table);
	return rc;
}

/* What a result says of a drive, its health now, and whether it could be a target. */
static json_t *entry_json(const struct drive_entry *entry)
{
	json_t *drive = result_drive_json(entry->facts);
	json_t *health = entry->has_health ? result_health_json(&entry->health) : json_null();

	if (json_object_set_new(drive, "health", health) == 0 &&
	    json_object_set_new(drive, "target", json_boolean(!entry->why_not)) == 0 &&
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
