// SPDX-License-Identifier: MIT
/*
 * What limits the worth of a row's figures. One function a flag: is it so for this drive, and by which
 * evidence? The table at the end is the list of them.
 */
#include "row.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "names.h"

#define EVIDENCE_MAX sizeof(((struct flag *)NULL)->evidence)

#define HOST_LIMIT      0.9   /* of a CPU, or of all: above it the host may set the pace */
#define CLOCK_TOLERANCE 0.001 /* of the step's time */

typedef bool flag_check(const struct step_outcome *outcome, uint32_t drive, char *evidence);

static bool is_unwritten(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	const struct step_drive *on = &outcome->step->drive[drive];

	if (!rw_reads(outcome->step->rw))
		return false;
	if (outcome->unwritten && outcome->unwritten[drive]) {
		snprintf(evidence, EVIDENCE_MAX, "%s", outcome->unwritten[drive]);
		return true;
	}
	if (!on->unwritten)
		return false;
	snprintf(evidence, EVIDENCE_MAX,
		 "reads bytes %" PRIu64 " to %" PRIu64 ", not all written before in this run",
		 on->span.offset, on->span.offset + on->span.bytes);
	return true;
}

static bool has_errors(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	const struct engine_drive_result *result = &outcome->engine->drive[drive];
	const struct io_error *first = &result->error[0];
	const char *name;
	char status[32] = "";

	if (result->errors == 0)
		return false;
	if (result->nr_error == 0) {
		snprintf(evidence, EVIDENCE_MAX, "%" PRIu64 " failed I/Os", result->errors);
		return true;
	}
	name = strerrorname_np(first->code);
	if (first->nvme_status)
		snprintf(status, sizeof(status), " (NVMe status 0x%x)", first->nvme_status);
	snprintf(evidence, EVIDENCE_MAX,
		 "%" PRIu64 " failed I/Os; first: %s of %" PRIu64 " bytes at %" PRIu64 ": %s%s",
		 result->errors, direction_name(first->dir), first->first_length,
		 first->first_offset, name ? name : "unknown error", status);
	return true;
}

static bool is_interrupted(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	char text[UNITS_TEXT_MAX];

	if (!outcome->engine->interrupted)
		return false;
	snprintf(evidence, EVIDENCE_MAX, "stopped by a signal after %s",
		 duration_human(outcome->engine->drive[drive].ended_ns, text));
	return true;
}

static bool is_short_fill(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	const struct step_drive *on = &outcome->step->drive[drive];
	const struct engine_drive_result *result = &outcome->engine->drive[drive];

	if (result->complete)
		return false;
	snprintf(evidence, EVIDENCE_MAX, "%" PRIu64 " of %" PRIu64 " bytes were done",
		 result->written_bytes + result->read_bytes, on->write_bytes + on->read_bytes);
	return true;
}

/* A whole window in which no request ended: too short a one, or a drive that hangs. */
static bool is_empty(const struct engine_drive_result *result, uint64_t counted_ns, char *evidence)
{
	char text[UNITS_TEXT_MAX];

	if (result->dir[DIR_READ].ios > 0 || result->dir[DIR_WRITE].ios > 0)
		return false;
	snprintf(evidence, EVIDENCE_MAX, "no request ended within the counted %s",
		 duration_human(counted_ns, text));
	return true;
}

/* A drive's window is short when a signal ended it, or when it gave up after errors. */
static bool is_short(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	const struct step *step = outcome->step;
	const uint64_t done_ns = outcome_counted_ns(outcome, drive);
	char done[UNITS_TEXT_MAX], asked[UNITS_TEXT_MAX];

	if (step->runtime_ns == 0)
		return is_short_fill(outcome, drive, evidence);
	/* A hundredth less is the moment between the last completion and the look at the clock. */
	if (done_ns >= step->runtime_ns - step->runtime_ns / 100)
		return is_empty(&outcome->engine->drive[drive], done_ns, evidence);
	snprintf(evidence, EVIDENCE_MAX, "counted for %s of %s", duration_human(done_ns, done),
		 duration_human(step->runtime_ns, asked));
	return true;
}

static bool is_host_limited(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	const double busiest = outcome->engine->busiest_worker;
	const double all = outcome->engine->busy_cpus;

	(void)drive; /* the engine knows the workers of all drives together only */
	if (busiest > HOST_LIMIT)
		snprintf(evidence, EVIDENCE_MAX,
			 "the busiest worker kept %.0f %% of a CPU busy: the host may set the pace",
			 busiest * 100.0);
	else if (all > HOST_LIMIT)
		snprintf(evidence, EVIDENCE_MAX,
			 "the workers kept %.0f %% of their CPUs busy: the host may set the pace",
			 all * 100.0);
	return busiest > HOST_LIMIT || all > HOST_LIMIT;
}

static bool is_fallback_engine(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	(void)drive;
	if (outcome->engine->reason[0] == '\0')
		return false;
	snprintf(evidence, EVIDENCE_MAX, "%.199s", outcome->engine->reason);
	return true;
}

static bool is_not_a_device(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	const struct drive_facts *facts = outcome->drives[drive];
	const char *what = NULL;

	if (facts->kind == TARGET_NULL)
		what = "the null target moves no data";
	else if (facts->ram_backed)
		what = "lies in memory";
	else if (facts->kind == TARGET_FILE || facts->kind == TARGET_SCRATCH)
		what = "a file in a filesystem";
	if (!what)
		return false;
	snprintf(evidence, EVIDENCE_MAX, "%s: figures say nothing about a drive alone", what);
	return true;
}

static bool has_clock_drift(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	const struct engine_result *engine = outcome->engine;
	const double step_ns = (double)(engine->ramp_ns + engine->counted_ns + engine->drain_ns);
	const double drift_ns = (double)engine->clock_drift_ns;

	(void)drive;
	if (drift_ns >= -CLOCK_TOLERANCE * step_ns && drift_ns <= CLOCK_TOLERANCE * step_ns)
		return false;
	snprintf(evidence, EVIDENCE_MAX, "the %s moved %" PRId64 " ns from CLOCK_MONOTONIC",
		 engine->clock ? engine->clock : "clock", engine->clock_drift_ns);
	return true;
}

static bool is_throttled(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	if (!outcome->throttled || !outcome->throttled[drive])
		return false;
	snprintf(evidence, EVIDENCE_MAX, "%.199s", outcome->throttled[drive]);
	return true;
}

static bool is_not_purged(const struct step_outcome *outcome, uint32_t drive, char *evidence)
{
	if (!outcome->not_purged || !outcome->not_purged[drive])
		return false;
	snprintf(evidence, EVIDENCE_MAX, "%.199s", outcome->not_purged[drive]);
	return true;
}

static flag_check *const check[FLAGS] = {
	[FLAG_UNWRITTEN] = is_unwritten,       [FLAG_ERRORS] = has_errors,
	[FLAG_INTERRUPTED] = is_interrupted,   [FLAG_SHORT] = is_short,
	[FLAG_HOST_LIMITED] = is_host_limited, [FLAG_FALLBACK_ENGINE] = is_fallback_engine,
	[FLAG_NOT_A_DEVICE] = is_not_a_device, [FLAG_CLOCK_DRIFT] = has_clock_drift,
	[FLAG_THROTTLED] = is_throttled,       [FLAG_NOT_PURGED] = is_not_purged,
};

/* The first drive in scope for which @kind holds; false: none. */
static bool find_flag(struct flag *flag, enum flag_kind kind, const struct step_outcome *outcome,
		      uint32_t drive)
{
	char evidence[EVIDENCE_MAX];

	for (uint32_t i = 0; i < outcome->engine->nr_drives; i++) {
		if (drive != ROW_TOTAL && drive != i)
			continue;
		if (!outcome->engine->drive[i].ran || !check[kind](outcome, i, evidence))
			continue;
		flag->kind = kind;
		if (drive == ROW_TOTAL && outcome->nr_drives > 1)
			snprintf(flag->evidence, sizeof(flag->evidence), "%.60s: %.130s",
				 outcome->drives[i]->name, evidence);
		else
			memcpy(flag->evidence, evidence, sizeof(evidence));
		return true;
	}
	return false;
}

void row_flags_build(struct row *row, const struct step_outcome *outcome, uint32_t drive)
{
	for (enum flag_kind kind = 0; kind < FLAGS; kind++) {
		if (find_flag(&row->flag[row->nr_flags], kind, outcome, drive))
			row->nr_flags++;
	}
}
