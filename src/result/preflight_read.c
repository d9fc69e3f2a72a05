// SPDX-License-Identifier: MIT
/* The facts of a preflight. Watching comes last: what is read before it may itself be I/O on the drive. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel_text.h"
#include "ssdbench/clock.h"
#include "ssdbench/preflight.h"

#define WATCH_NS (500 * 1000 * 1000)

/* NULL where nothing is told. */
static char *read_node_cpus(const struct target_roots *roots, int32_t node)
{
	char path[64], text[KERNEL_TEXT_MAX];

	if (node < 0)
		return NULL;
	snprintf(path, sizeof(path), "devices/system/node/node%d/cpulist", node);
	if (kernel_text_line(roots->sys, path, text) || !text[0])
		return NULL;
	return strdup(text);
}

static int read_drive(struct preflight_drive *drive, const struct target *target,
		      const struct target_roots *roots)
{
	drive->facts = target_facts(target);
	drive->name = drive->facts->name;
	drive->node_cpus = read_node_cpus(roots, drive->facts->numa_node);
	return drive_state_read(&drive->state, target);
}

/* Whether any is counted, so that there is something to wait for. */
static bool watch_begin(struct preflight *preflight, struct target *const *targets)
{
	bool any = false;

	for (size_t i = 0; i < preflight->nr_drives; i++) {
		struct preflight_drive *drive = &preflight->drive[i];

		if (!targets[i] || !drive_traffic_read(&drive->others, targets[i]))
			continue;
		drive->watched_ns = clock_monotonic_ns();
		any = true;
	}
	return any;
}

static void watch_end(struct preflight_drive *drive, const struct target *target)
{
	const struct drive_traffic before = drive->others;
	struct drive_traffic after;
	const uint64_t begun_ns = drive->watched_ns;

	drive->others = (struct drive_traffic){0};
	drive->watched_ns = 0;
	/* Counters that are smaller now are of another disk. */
	if (!drive_traffic_read(&after, target) || after.reads < before.reads ||
	    after.writes < before.writes || after.bytes < before.bytes)
		return;
	drive->others.reads = after.reads - before.reads;
	drive->others.writes = after.writes - before.writes;
	drive->others.bytes = after.bytes - before.bytes;
	drive->watched_ns = clock_monotonic_ns() - begun_ns;
}

static void watch(struct preflight *preflight, struct target *const *targets)
{
	const struct timespec pause = {.tv_nsec = WATCH_NS};

	if (!watch_begin(preflight, targets))
		return;
	(void)nanosleep(&pause, NULL); /* a signal cuts it short, and the time is measured */
	for (size_t i = 0; i < preflight->nr_drives; i++) {
		if (preflight->drive[i].watched_ns)
			watch_end(&preflight->drive[i], targets[i]);
	}
}

int preflight_read(struct preflight *preflight, const struct preflight_options *options,
		   struct target *const *targets, size_t nr, const struct target_roots *roots)
{
	int ret = 0;

	*preflight = (struct preflight){.options = *options};
	host_facts_read(&preflight->host, roots);
	if (!options->no_uring)
		(void)engine_probe_uring(roots->proc, preflight->uring_gap,
					 sizeof(preflight->uring_gap));
	preflight->drive = calloc(nr + 1, sizeof(*preflight->drive));
	if (!preflight->drive)
		return -ENOMEM;
	preflight->nr_drives = nr;
	for (size_t i = 0; i < nr && !ret; i++) {
		if (targets[i])
			ret = read_drive(&preflight->drive[i], targets[i], roots);
	}
	if (!ret)
		watch(preflight, targets);
	return ret;
}

void preflight_fini(struct preflight *preflight)
{
	host_facts_fini(&preflight->host);
	for (size_t i = 0; i < preflight->nr_drives; i++) {
		free(preflight->drive[i].refused);
		free(preflight->drive[i].node_cpus);
		drive_state_fini(&preflight->drive[i].state);
	}
	free(preflight->drive);
	*preflight = (struct preflight){0};
}
