// SPDX-License-Identifier: MIT
/* Lists of profiles and of what can be set in one. */
#include "ssdbench/report.h"

#include <jansson.h>

#include "page.h"
#include "json.h"
#include "ssdbench/value.h"
#include "table.h"

int report_profiles_table(FILE *stream, const struct profile_entry *entries, size_t nr,
			  const struct report_style *style)
{
	struct table *table = table_open(style);
	struct page page;
	int rc = page_open(&page);

	table_column(table, "NAME", COLUMN_TEXT);
	table_column(table, "ORIGIN", COLUMN_TEXT);
	table_column(table, "TITLE", COLUMN_PROSE);
	for (size_t i = 0; i < nr; i++) {
		table_line(table);
		table_cell(table, entries[i].name);
		table_cell(table, entries[i].origin);
		if (entries[i].broken)
			table_cell_format(table, "broken: %s", entries[i].broken);
		else
			table_cell(table, entries[i].title);
	}
	if (rc == 0)
		rc = page_write(&page, stream, table_print(table, page.out));
	table_free(table);
	return rc;
}

int report_profiles_json(FILE *stream, const struct profile_entry *entries, size_t nr)
{
	json_t *list = json_array();

	for (size_t i = 0; i < nr; i++) {
		const struct value_member members[] = {
			{"name", value_text(entries[i].name)},
			{"title", value_text(entries[i].title)},
			{"origin", value_text(entries[i].origin)},
			{"broken", value_text(entries[i].broken)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	const struct value_member root[] = {{"profiles", list}};

	return json_write(VALUE_OBJECT(root), stream);
}

int report_parameters_json(FILE *stream, const struct profile *profile)
{
	json_t *list = json_array();

	for (size_t i = 0; i < profile->nr_parameters; i++) {
		const struct value_member members[] = {
			{"name", value_text(profile->parameter[i].name)},
			{"about", value_text(profile->parameter[i].about)},
			{"value", value_text(profile->parameter[i].value)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	const struct value_member root[] = {{"parameters", list}};

	return json_write(VALUE_OBJECT(root), stream);
}

int report_parameters_table(FILE *stream, const struct profile *profile,
			    const struct report_style *style)
{
	struct table *table = table_open(style);
	struct page page;
	int rc = page_open(&page);

	table_column(table, "NAME", COLUMN_TEXT);
	table_column(table, "ABOUT", COLUMN_TEXT);
	table_column(table, "VALUE", COLUMN_PROSE);
	for (size_t i = 0; i < profile->nr_parameters; i++) {
		table_line(table);
		table_cell(table, profile->parameter[i].name);
		table_cell(table, profile->parameter[i].about);
		table_cell(table, profile->parameter[i].value);
	}
	if (rc == 0)
		rc = page_write(&page, stream, table_print(table, page.out));
	table_free(table);
	return rc;
}
