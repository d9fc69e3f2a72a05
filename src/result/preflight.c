// SPDX-License-Identifier: MIT
#include "ssdbench/preflight.h"

#include <errno.h>
#include <stdlib.h>

#include "judge.h"

struct finding *finding_add(struct findings *findings, size_t drive, const char *code,
			    enum finding_level level)
{
	struct finding *grown =
		reallocarray(findings->finding, findings->nr + 1, sizeof(*findings->finding));
	struct finding *added = &findings->lost;

	if (grown) {
		findings->finding = grown;
		added = &grown[findings->nr++];
	} else {
		findings->failed = true;
	}
	*added = (struct finding){.level = level, .code = code, .drive = drive};
	return added;
}

static void judge_one(struct findings *findings, const struct preflight *preflight, size_t index)
{
	const struct drive_facts *facts = preflight->drive[index].facts;

	judge_drive(findings, preflight, index);
	if (!facts || !facts->nr_controllers)
		return;
	judge_nvme(findings, preflight, index);
	judge_health(findings, preflight, index);
}

int preflight_judge(struct findings *findings, const struct preflight *preflight)
{
	*findings = (struct findings){0};
	judge_host(findings, preflight);
	for (size_t i = 0; i < preflight->nr_drives; i++)
		judge_one(findings, preflight, i);
	if (!findings->failed)
		return 0;
	findings_fini(findings);
	return -ENOMEM;
}

void findings_fini(struct findings *findings)
{
	free(findings->finding);
	*findings = (struct findings){0};
}

size_t findings_count(const struct findings *findings, enum finding_level level)
{
	size_t nr = 0;

	for (size_t i = 0; i < findings->nr; i++)
		nr += findings->finding[i].level == level;
	return nr;
}

const char *finding_level_name(enum finding_level level)
{
	static const char *const names[] = {
		[FINDING_OK] = "ok",
		[FINDING_NOTE] = "note",
		[FINDING_WARNING] = "warning",
	};

	return names[level];
}
