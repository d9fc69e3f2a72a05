// SPDX-License-Identifier: MIT
/* What a preflight found: a table of everything that was looked at, and below it what to do. */
#include <jansson.h>

#include "json.h"
#include "page.h"
#include "ssdbench/report.h"
#include "ssdbench/value.h"
#include "table.h"

#define CHECK_SCHEMA_VERSION 1

static const char *subject(const struct preflight *preflight, const struct finding *finding)
{
	return finding->drive == FINDING_HOST ? "host" : preflight->drive[finding->drive].name;
}

static void print_finding(struct table *table, const struct preflight *preflight,
			  const struct finding *finding)
{
	table_line(table);
	table_cell(table, subject(preflight, finding));
	table_cell(table, finding->code);
	table_cell(table, finding_level_name(finding->level));
	table_cell(table, finding->wanted[0] ? finding->wanted : NULL);
	table_cell(table, finding->found[0] ? finding->found : NULL);
}

/* Not in the table: a command that is folded cannot be copied. */
static void print_words(FILE *out, const struct preflight *preflight,
			const struct findings *findings, enum finding_level level)
{
	for (size_t i = 0; i < findings->nr; i++) {
		const struct finding *finding = &findings->finding[i];

		if (finding->level != level)
			continue;
		fprintf(out, "\n%s: %s: %s\n", finding_level_name(level),
			subject(preflight, finding), finding->text);
		if (finding->cure[0])
			fprintf(out, "    %s\n", finding->cure);
	}
}

int report_check_table(FILE *stream, const struct preflight *preflight,
		       const struct findings *findings, const struct report_style *style)
{
	struct table *table = table_open(style);
	struct page page;
	int rc = page_open(&page);

	table_column(table, "WHERE", COLUMN_TEXT);
	table_column(table, "CHECK", COLUMN_TEXT);
	table_column(table, "LEVEL", COLUMN_TEXT);
	table_column(table, "WANTED", COLUMN_TEXT);
	table_column(table, "FOUND", COLUMN_PROSE);
	for (size_t i = 0; i < findings->nr; i++)
		print_finding(table, preflight, &findings->finding[i]);
	if (rc == 0) {
		rc = table_print(table, page.out);
		print_words(page.out, preflight, findings, FINDING_WARNING);
		print_words(page.out, preflight, findings, FINDING_NOTE);
		fprintf(page.out, "\n%zu warnings, %zu notes\n",
			findings_count(findings, FINDING_WARNING),
			findings_count(findings, FINDING_NOTE));
		rc = page_write(&page, stream, rc);
	}
	table_free(table);
	return rc;
}

static json_t *drive_json(const struct preflight_drive *drive)
{
	const struct drive_facts *facts = drive->facts;
	const struct value_member members[] = {
		{"name", value_text(drive->name)},
		{"path", value_text(facts ? facts->path : NULL)},
		{"model", value_text(facts ? facts->model : NULL)},
		{"serial", value_text(facts ? facts->serial : NULL)},
		{"firmware", value_text(facts ? facts->firmware : NULL)},
	};

	return VALUE_OBJECT(members);
}

int report_check_json(FILE *stream, const struct preflight *preflight,
		      const struct findings *findings)
{
	json_t *drives = json_array();

	for (size_t i = 0; i < preflight->nr_drives; i++)
		drives = value_append(drives, drive_json(&preflight->drive[i]));
	const struct value_member root[] = {
		{"schema", json_string("ssdbench-check")},
		{"schema_version", json_integer(CHECK_SCHEMA_VERSION)},
		{"ssdbench_version", json_string(SSDBENCH_VERSION)},
		{"hostname", value_text(preflight->host.hostname)},
		{"kernel", value_text(preflight->host.kernel)},
		{"drives", drives},
		{"findings", findings_json(findings, FINDING_OK)},
		{"warnings", value_u64(findings_count(findings, FINDING_WARNING))},
		{"notes", value_u64(findings_count(findings, FINDING_NOTE))},
	};

	return json_write(VALUE_OBJECT(root), stream);
}
