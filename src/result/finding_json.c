// SPDX-License-Identifier: MIT
#include <jansson.h>

#include "ssdbench/preflight.h"
#include "ssdbench/value.h"

static json_t *finding_json(const struct finding *finding)
{
	const bool host = finding->drive == FINDING_HOST;
	const struct value_member members[] = {
		{"code", json_string(finding->code)},
		{"level", json_string(finding_level_name(finding->level))},
		{"drive", host ? json_null() : value_u64(finding->drive)},
		{"found", value_text_or_null(finding->found)},
		{"wanted", value_text_or_null(finding->wanted)},
		{"text", value_text_or_null(finding->text)},
		{"cure", value_text_or_null(finding->cure)},
	};

	return VALUE_OBJECT(members);
}

struct json_t *findings_json(const struct findings *findings, enum finding_level least)
{
	json_t *list = json_array();

	for (size_t i = 0; i < findings->nr; i++) {
		if (findings->finding[i].level >= least)
			list = value_append(list, finding_json(&findings->finding[i]));
	}
	return list;
}
