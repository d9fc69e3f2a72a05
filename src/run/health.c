// SPDX-License-Identifier: MIT
#include "health.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "ssdbench/value.h"

int health_watch_init(struct health_watch *watch, size_t nr_drives)
{
	*watch = (struct health_watch){
		.drive = calloc(nr_drives + 1, sizeof(*watch->drive)),
		.throttled = calloc(nr_drives + 1, sizeof(*watch->throttled)),
		.nr_drives = nr_drives,
	};
	return watch->drive && watch->throttled ? 0 : -ENOMEM;
}

void health_watch_fini(struct health_watch *watch)
{
	free(watch->drive);
	free(watch->throttled);
	*watch = (struct health_watch){0};
}

bool health_watch_is_due(const struct health_watch *watch, uint64_t ns)
{
	return clock_monotonic_ns() - watch->read_ns >= ns;
}

static void judge(struct drive_watch *drive, const struct drive_health *now,
		  const struct drive_facts *facts)
{
	const int32_t warning_c = facts->nvme && facts->nvme->has_controller
					  ? facts->nvme->controller.warning_temperature_c
					  : TEMPERATURE_UNKNOWN;

	if (drive->throttled[0])
		return;
	(void)health_throttled(drive->has_reading ? &drive->reading : now, now, warning_c,
			       drive->throttled, sizeof(drive->throttled));
}

/* {"drive": 0, "reading": {...}, "reason": null}, or null where the drive has nothing to say. */
static json_t *read_drive(struct drive_watch *drive, const struct target *target, size_t index)
{
	struct drive_health now;
	struct error err = {0};
	int ret;

	if (drive->silent)
		return NULL;
	ret = target_health(target, &now, &err);
	if (ret == 0) {
		judge(drive, &now, target_facts(target));
		drive->reading = now;
		drive->has_reading = true;
	} else {
		/* One that answered before may do so again, unless it was pulled. */
		drive->silent = !drive->has_reading || ret == -ENODEV;
	}
	const struct value_member members[] = {
		{"drive", value_u64(index)},
		{"reading", ret == 0 ? result_health_json(&now) : json_null()},
		{"reason", ret == 0 ? json_null() : value_text(err.text)},
	};
	return VALUE_OBJECT(members);
}

struct json_t *health_watch_read(struct health_watch *watch, struct target *const *targets,
				 const struct step *step)
{
	json_t *drives = json_array();

	watch->read_ns = clock_monotonic_ns();
	for (size_t i = 0; drives && i < watch->nr_drives; i++) {
		json_t *entry = read_drive(&watch->drive[i], targets[i], i);

		if (entry)
			drives = value_append(drives, entry);
	}
	if (json_array_size(drives) == 0) {
		json_decref(drives);
		return NULL;
	}
	const struct value_member members[] = {
		{"event", json_string("health")},
		{"step", step ? json_integer(step->index) : json_null()},
		{"drives", drives},
	};
	return VALUE_OBJECT(members);
}

void health_watch_begin_step(struct health_watch *watch)
{
	for (size_t i = 0; i < watch->nr_drives; i++)
		watch->drive[i].throttled[0] = '\0';
}

const char *const *health_watch_evidence(struct health_watch *watch)
{
	for (size_t i = 0; i < watch->nr_drives; i++) {
		const char *evidence = watch->drive[i].throttled;

		watch->throttled[i] = evidence[0] ? evidence : NULL;
	}
	return watch->throttled;
}
