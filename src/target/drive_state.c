// SPDX-License-Identifier: MIT
#include "ssdbench/drive_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sysfs.h"

#define STAT_SECTOR 512 /* of /sys/block/X/stat, whatever the drive's format */

/* The whole disk's directory in sysfs. False for what is no block device. */
static bool disk_directory(const struct target *target, char dir[PATH_MAX])
{
	const char *disk = target->facts->disk;

	return disk && !sysfs_block_by_name(&target->roots, disk, dir);
}

static int32_t read_setting(const char *dir, const char *file)
{
	int64_t value;

	if (sysfs_integer(dir, file, &value) || value < 0 || value > INT32_MAX)
		return -1;
	return (int32_t)value;
}

static void read_queue(struct drive_state *state, const struct target *target)
{
	char dir[PATH_MAX];

	state->nomerges = state->iostats = state->wbt_latency_us = -1;
	if (!disk_directory(target, dir))
		return;
	state->nomerges = read_setting(dir, "queue/nomerges");
	state->iostats = read_setting(dir, "queue/iostats");
	state->wbt_latency_us = read_setting(dir, "queue/wbt_lat_usec");
}

/* Behind @prefix and ": ", where @text begins so. */
static const char *skip_prefix(const char *text, const char *prefix)
{
	const size_t length = strlen(prefix);

	return !strncmp(text, prefix, length) && !strncmp(text + length, ": ", 2)
		       ? text + length + 2
		       : text;
}

static int read_users(struct drive_state *state, const struct target *target)
{
	const enum target_kind kind = target->facts->kind;
	struct error err = {0};

	if (kind != TARGET_BLOCK && (kind != TARGET_FILE || target->create_bytes))
		return 0;
	if (target->fd >= 0 && target->access == TARGET_WRITE)
		return 0;
	if (target_refuse_in_use(target, &err)) {
		/* The field's name says as much. */
		state->in_use =
			strdup(skip_prefix(skip_prefix(err.text, target->facts->word), "in use"));
		return state->in_use ? 0 : -ENOMEM;
	}
	if (kind == TARGET_BLOCK && target->fd < 0)
		(void)target_signature(target, &state->holds, NULL); /* unreadable: a run says so */
	return 0;
}

static int read_health(struct drive_state *state, const struct target *target)
{
	struct error err = {0};

	if (!target->facts->nr_controllers)
		return 0;
	state->has_health = !target_health(target, &state->health, &err);
	if (state->has_health)
		return 0;
	state->health_gap = strdup(err.text);
	return state->health_gap ? 0 : -ENOMEM;
}

int drive_state_read(struct drive_state *state, const struct target *target)
{
	int ret;

	*state = (struct drive_state){0};
	read_queue(state, target);
	ret = read_users(state, target);
	if (!ret)
		ret = read_health(state, target);
	if (ret)
		drive_state_fini(state);
	return ret;
}

void drive_state_fini(struct drive_state *state)
{
	free(state->in_use);
	free(state->holds);
	free(state->health_gap);
	*state = (struct drive_state){0};
}

/* Fields 1, 3, 5 and 7 of Documentation/block/stat.rst, added to @traffic. */
static bool add_counters(struct drive_traffic *traffic, const char *dir)
{
	uint64_t reads, read_sectors, writes, written_sectors;
	char text[SYSFS_TEXT_MAX];

	if (sysfs_text(dir, "stat", text) < 0 ||
	    sscanf(text, "%" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64, &reads,
		   &read_sectors, &writes, &written_sectors) != 4)
		return false;
	traffic->reads += reads;
	traffic->writes += writes;
	traffic->bytes += (read_sectors + written_sectors) * STAT_SECTOR;
	return true;
}

/* Older kernels count nothing on a multipath head, only on the paths below it. */
static bool add_path_counters(struct drive_traffic *traffic, const struct target *target)
{
	const struct drive_facts *facts = target->facts;
	char dir[PATH_MAX];
	bool counted = false;

	for (size_t i = 0; i < facts->nr_controllers; i++) {
		const char *path = facts->controller[i].hidden_path;

		if (path && !sysfs_block_by_name(&target->roots, path, dir))
			counted |= add_counters(traffic, dir);
	}
	return counted;
}

bool drive_traffic_read(struct drive_traffic *traffic, const struct target *target)
{
	char dir[PATH_MAX];

	*traffic = (struct drive_traffic){0};
	if (!disk_directory(target, dir) || read_setting(dir, "queue/iostats") == 0)
		return false;
	return add_path_counters(traffic, target) || add_counters(traffic, dir);
}
