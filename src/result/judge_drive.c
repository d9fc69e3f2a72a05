// SPDX-License-Identifier: MIT
/* What can be said of any target: whether it can be one, who else uses it, and the queue of its disk. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "judge.h"
#include "ssdbench/units.h"

/* As many requests while it is watched may be a monitor's or udev's, and are over by the next second. */
#define OTHERS_FEW 16

static void judge_refused(struct findings *findings, const struct preflight_drive *drive,
			  size_t index)
{
	struct finding *finding = finding_add(findings, index, "target", FINDING_WARNING);
	const size_t length = strlen(drive->name);
	const char *why = drive->refused;

	/* The word stands in front of every finding. */
	if (strncmp(why, drive->name, length) == 0 && strncmp(why + length, ": ", 2) == 0)
		why += length + 2;
	FINDING_TEXT(finding->found, "refused");
	FINDING_TEXT(finding->text, "it can be no target: %s", why);
}

static void judge_use(struct findings *findings, const struct preflight_drive *drive, size_t index)
{
	const char *in_use = drive->state.in_use, *holds = drive->state.holds;
	const enum finding_level level = in_use  ? FINDING_WARNING
					 : holds ? FINDING_NOTE
						 : FINDING_OK;
	struct finding *finding = finding_add(findings, index, "in_use", level);

	FINDING_TEXT(finding->found, "%s", in_use ? in_use : holds ? holds : "no");
	FINDING_TEXT(finding->wanted, "no");
	if (in_use) {
		FINDING_TEXT(finding->text, "in use, and refused as a target for writing: %s",
			     in_use);
	} else if (holds) {
		FINDING_TEXT(finding->text, "it holds %s", holds);
		FINDING_TEXT(finding->cure,
			     "--destroy with its serial number says that it may be lost");
	}
}

static void judge_read_only(struct findings *findings, const struct drive_facts *facts,
			    size_t index)
{
	struct finding *finding;

	if (!facts->read_only)
		return;
	finding = finding_add(findings, index, "read_only", FINDING_NOTE);
	FINDING_TEXT(finding->found, "yes");
	FINDING_TEXT(finding->wanted, "no");
	FINDING_TEXT(finding->text, "it is read-only: only profiles that do not write can run");
	if (facts->kind == TARGET_BLOCK)
		FINDING_TEXT(finding->cure, "blockdev --setrw %s", facts->path);
}

static void judge_partition(struct findings *findings, const struct drive_facts *facts,
			    size_t index)
{
	struct finding *finding;

	if (!facts->is_partition)
		return;
	finding = finding_add(findings, index, "partition", FINDING_NOTE);
	FINDING_TEXT(finding->found, "partition");
	FINDING_TEXT(finding->wanted, "whole disk");
	FINDING_TEXT(finding->text, "it is a partition: its capacity is not the drive's");
	FINDING_TEXT(finding->cure, "use /dev/%s", facts->disk);
}

static void judge_others(struct findings *findings, const struct preflight_drive *drive,
			 size_t index)
{
	const struct drive_traffic *others = &drive->others;
	const uint64_t requests = others->reads + others->writes;
	enum finding_level level = FINDING_OK;
	struct finding *finding;
	char bytes[UNITS_TEXT_MAX], time[UNITS_TEXT_MAX];

	if (!drive->watched_ns)
		return;
	if (requests)
		level = requests > OTHERS_FEW ? FINDING_WARNING : FINDING_NOTE;
	finding = finding_add(findings, index, "other_io", level);
	FINDING_TEXT(finding->found, "%" PRIu64 " requests in %s", requests,
		     duration_human(drive->watched_ns, time));
	FINDING_TEXT(finding->wanted, "none");
	if (!requests)
		return;
	FINDING_TEXT(finding->text,
		     "others do I/O on its disk: %" PRIu64 " reads and %" PRIu64
		     " writes, %s, while it was watched for %s",
		     others->reads, others->writes, capacity_human(others->bytes, bytes), time);
	FINDING_TEXT(finding->cure, "end what uses it: fuser -v /dev/%s", drive->facts->disk);
}

static void judge_poll_queues(struct findings *findings, const struct preflight *preflight,
			      size_t index)
{
	const struct drive_facts *facts = preflight->drive[index].facts;
	const bool bad = !facts->io_poll;
	struct finding *finding;

	if (!preflight->options.iopoll)
		return;
	finding = finding_add(findings, index, "poll_queues", bad ? FINDING_WARNING : FINDING_OK);
	FINDING_TEXT(finding->found, "%s", bad ? "none" : "available");
	FINDING_TEXT(finding->wanted, "available");
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "polling is asked for, but the drive has no poll queues (queue/io_poll is 0)");
	if (facts->nr_controllers)
		FINDING_TEXT(finding->cure,
			     "boot with nvme.poll_queues=N, such as one for each job");
}

/* For NVMe drives any scheduler is in the way; what others do without one is for their owner to know. */
static void judge_scheduler(struct findings *findings, const struct drive_facts *facts,
			    size_t index)
{
	const bool other = facts->scheduler && strcmp(facts->scheduler, "none") != 0;
	const enum finding_level level = facts->nr_controllers ? FINDING_WARNING : FINDING_NOTE;
	struct finding *finding =
		finding_add(findings, index, "scheduler", other ? level : FINDING_OK);

	FINDING_TEXT(finding->found, "%s", facts->scheduler ? facts->scheduler : "");
	FINDING_TEXT(finding->wanted, "none");
	if (!other)
		return;
	FINDING_TEXT(finding->text,
		     "the I/O scheduler %s puts requests in another order and costs CPU",
		     facts->scheduler);
	FINDING_TEXT(finding->cure, "echo none > /sys/block/%s/queue/scheduler", facts->disk);
}

void judge_drive(struct findings *findings, const struct preflight *preflight, size_t index)
{
	const struct preflight_drive *drive = &preflight->drive[index];
	const struct drive_facts *facts = drive->facts;

	if (!facts) {
		judge_refused(findings, drive, index);
		return;
	}
	if (facts->kind != TARGET_BLOCK && facts->kind != TARGET_FILE)
		return;
	judge_use(findings, drive, index);
	judge_read_only(findings, facts, index);
	if (facts->kind != TARGET_BLOCK)
		return;
	judge_partition(findings, facts, index);
	judge_others(findings, drive, index);
	judge_poll_queues(findings, preflight, index);
	if (!preflight->options.passthrough)
		judge_scheduler(findings, facts, index);
}
