// SPDX-License-Identifier: MIT
/* What an NVMe drive's health log says against measuring it. */
#include <inttypes.h>
#include <stdio.h>

#include "judge.h"

#define NEAR_WARNING_C 5  /* below the drive's own threshold; under load a drive warms by more */
#define MUCH_USED      80 /* percent of the rated life */

static void judge_missing(struct findings *findings, const struct drive_state *state, size_t index)
{
	struct finding *finding = finding_add(findings, index, "health", FINDING_NOTE);

	FINDING_TEXT(finding->text, "its health and temperature cannot be read: %s",
		     state->health_gap ? state->health_gap : "unknown");
	FINDING_TEXT(finding->cure, "run as root with CAP_SYS_ADMIN, in a container with "
				    "the controller's node in it");
}

static void judge_temperature(struct findings *findings, const struct drive_facts *facts,
			      const struct drive_health *health, size_t index)
{
	const int32_t limit = facts->nvme && facts->nvme->has_controller
				      ? facts->nvme->controller.warning_temperature_c
				      : TEMPERATURE_UNKNOWN;
	const bool known =
		health->temperature_c != TEMPERATURE_UNKNOWN && limit != TEMPERATURE_UNKNOWN;
	const bool bad = known && health->temperature_c >= limit - NEAR_WARNING_C;
	struct finding *finding =
		finding_add(findings, index, "temperature", bad ? FINDING_WARNING : FINDING_OK);

	if (health->temperature_c != TEMPERATURE_UNKNOWN)
		FINDING_TEXT(finding->found, "%" PRId32 " C", health->temperature_c);
	if (limit != TEMPERATURE_UNKNOWN)
		FINDING_TEXT(finding->wanted, "below %" PRId32 " C", limit - NEAR_WARNING_C);
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "it is at %" PRId32 " C, and warns of itself at %" PRId32
		     " C: it may slow down to cool",
		     health->temperature_c, limit);
	FINDING_TEXT(finding->cure, "more air over the drive, then wait until it has cooled");
}

static void judge_throttling(struct findings *findings, const struct drive_health *health,
			     size_t index)
{
	const bool bad = health->has_ocp && health->throttling_status;
	struct finding *finding;

	if (!health->has_ocp)
		return;
	finding = finding_add(findings, index, "throttling", bad ? FINDING_WARNING : FINDING_OK);
	FINDING_TEXT(finding->found, "level %u", health->throttling_status);
	FINDING_TEXT(finding->wanted, "level 0");
	if (!bad)
		return;
	FINDING_TEXT(finding->text, "it is slowed down by its temperature now, at level %u",
		     health->throttling_status);
	FINDING_TEXT(finding->cure, "more air over the drive, then wait until it has cooled");
}

static void list_warnings(struct finding *finding, uint8_t bits)
{
	static const char *const names[] = {
		"spare capacity low", "temperature",   "reliability degraded",
		"read-only",          "backup failed", "persistent memory unreliable",
	};
	size_t used = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (bits & 1U << i)
			used += (size_t)snprintf(finding->found + used,
						 sizeof(finding->found) - used, "%s%s",
						 used ? ", " : "", names[i]);
	}
	if (!bits)
		FINDING_TEXT(finding->found, "none");
	else if (!used) /* reserved bits alone */
		FINDING_TEXT(finding->found, "0x%x", bits);
}

static void judge_critical(struct findings *findings, const struct drive_facts *facts,
			   const struct drive_health *health, size_t index)
{
	const bool bad = health->critical_warning;
	struct finding *finding = finding_add(findings, index, "critical_warning",
					      bad ? FINDING_WARNING : FINDING_OK);

	list_warnings(finding, health->critical_warning);
	FINDING_TEXT(finding->wanted, "none");
	if (!bad)
		return;
	FINDING_TEXT(finding->text, "the drive itself warns: %s", finding->found);
	FINDING_TEXT(finding->cure, "measure another drive; nvme smart-log /dev/%s tells more",
		     facts->controller[0].name);
}

static void judge_spare(struct findings *findings, const struct drive_health *health, size_t index)
{
	const bool bad = health->spare_percent < health->spare_threshold_percent;
	struct finding *finding =
		finding_add(findings, index, "spare", bad ? FINDING_WARNING : FINDING_OK);

	FINDING_TEXT(finding->found, "%u%%", health->spare_percent);
	FINDING_TEXT(finding->wanted, "%u%% or more", health->spare_threshold_percent);
	if (bad)
		FINDING_TEXT(
			finding->text,
			"%u%% of its spare blocks are left, its threshold is %u%%: it does not "
			"behave like a good one",
			health->spare_percent, health->spare_threshold_percent);
}

static void judge_wear(struct findings *findings, const struct drive_health *health, size_t index)
{
	const unsigned int used = health->used_percent;
	const enum finding_level level = used >= 100         ? FINDING_WARNING
					 : used >= MUCH_USED ? FINDING_NOTE
							     : FINDING_OK;
	struct finding *finding = finding_add(findings, index, "life_used", level);

	FINDING_TEXT(finding->found, "%u%%", used);
	FINDING_TEXT(finding->wanted, "below %d%%", MUCH_USED);
	if (level != FINDING_OK)
		FINDING_TEXT(finding->text,
			     "%u%% of its rated life are used: a worn drive reads and erases more "
			     "slowly",
			     used);
}

static void judge_media(struct findings *findings, const struct drive_health *health, size_t index)
{
	/* 128 bits in the drive; as text, the last 64 say enough. */
	const uint64_t errors =
		health->media_errors > UINT64_MAX ? UINT64_MAX : (uint64_t)health->media_errors;
	struct finding *finding =
		finding_add(findings, index, "media_errors", errors ? FINDING_NOTE : FINDING_OK);

	FINDING_TEXT(finding->found, "%" PRIu64, errors);
	FINDING_TEXT(finding->wanted, "0");
	if (errors)
		FINDING_TEXT(finding->text,
			     "it has counted %" PRIu64
			     " media errors in its life: retries show in the tail of latencies",
			     errors);
}

void judge_health(struct findings *findings, const struct preflight *preflight, size_t index)
{
	const struct drive_facts *facts = preflight->drive[index].facts;
	const struct drive_state *state = &preflight->drive[index].state;
	const struct drive_health *health = &state->health;

	if (!state->has_health) {
		judge_missing(findings, state, index);
		return;
	}
	judge_temperature(findings, facts, health, index);
	judge_throttling(findings, health, index);
	judge_critical(findings, facts, health, index);
	judge_spare(findings, health, index);
	judge_wear(findings, health, index);
	judge_media(findings, health, index);
}
