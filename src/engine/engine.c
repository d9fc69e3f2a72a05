// SPDX-License-Identifier: MIT
/*
 * One step: check it, choose the way into the kernel, lay out memory, let the workers run, and look after
 * them from the calling thread until they are done.
 */
#include "ssdbench/engine.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "crew.h"
#include "engine_internal.h"

/* How long the coordinator sleeps: a stop is seen, and samples are taken, this late. */
#define WATCH_NS    (50 * NSEC_PER_MSEC)
#define PROGRESS_NS (250 * NSEC_PER_MSEC)

static int check_sizes(const struct step *step, const struct engine_drive *drive, struct error *err)
{
	char size[UNITS_TEXT_MAX];

	for (size_t i = 0; i < step->mix->nr; i++) {
		const uint64_t bytes = step->mix->entry[i].bytes;

		if (bytes == 0 || bytes > REQUEST_MAX)
			return error_set(err, -EINVAL,
					 "%s: requests of %s: between 1 byte and 1GiB are possible",
					 step->label, size_format(bytes, size));
		if (drive->fd >= 0 && bytes % drive->alignment)
			return error_set(
				err, -EINVAL,
				"%s: requests of %s are no multiple of the %u bytes that %s "
				"wants for direct I/O",
				step->label, size_format(bytes, size), drive->alignment,
				drive->name);
	}
	return 0;
}

static int check_drive(const struct step *step, const struct engine_drive *drive, struct error *err)
{
	const uint64_t alignment = drive->fd >= 0 ? drive->alignment : 1;

	if (alignment == 0 || drive->span.offset % alignment || step->align % alignment ||
	    (step->short_last && drive->span.bytes % alignment))
		return error_set(
			err, -EINVAL,
			"%s: the span of %llu bytes at %llu and the alignment of offsets of "
			"%llu do not fit the %llu bytes that %s wants for direct I/O",
			step->label, (unsigned long long)drive->span.bytes,
			(unsigned long long)drive->span.offset, (unsigned long long)step->align,
			(unsigned long long)alignment, drive->name);
	return check_sizes(step, drive, err);
}

/* How many drives run; @real: any of them is not a null target. */
static int check(const struct step *step, const struct engine_drive *drives, size_t nr, bool *real,
		 struct error *err)
{
	*real = false;
	if (!step->iodepth || !step->numjobs || step->read_percent > 100)
		return error_set(err, -EINVAL, "%s: iodepth %u, numjobs %u, %u %% reads",
				 step->label, step->iodepth, step->numjobs, step->read_percent);
	for (size_t d = 0; d < nr; d++) {
		int rc;

		if (drives[d].skip)
			continue;
		rc = check_drive(step, &drives[d], err);
		if (rc)
			return rc;
		*real = *real || drives[d].fd >= 0;
	}
	return 0;
}

/* Workers whose requests need memory. */
static uint64_t real_workers(const struct crew_config *crew)
{
	uint64_t workers = 0;

	for (size_t d = 0; d < crew->nr_drives; d++)
		workers += crew->drive[d].skip || crew->drive[d].fd < 0 ? 0 : crew->jobs;
	return workers;
}

static int result_init(struct engine_result *result, size_t nr, struct error *err)
{
	memset(result, 0, sizeof(*result));
	result->drive = calloc(nr ? nr : 1, sizeof(*result->drive));
	if (!result->drive)
		return error_set(err, -ENOMEM, "no memory for the result of %zu drives", nr);
	result->nr_drives = nr;
	for (size_t d = 0; d < nr; d++) {
		for (int dir = 0; dir < DIRECTIONS; dir++)
			histogram_reset(&result->drive[d].dir[dir].latency);
	}
	return 0;
}

void engine_result_fini(struct engine_result *result)
{
	free(result->drive);
	result->drive = NULL;
	result->nr_drives = 0;
}

static struct sampler *new_sampler(const struct crew *crew, const struct engine_hooks *hooks)
{
	const size_t nr = crew->config.nr_drives;
	struct sampler_drive *drives = calloc(nr ? nr : 1, sizeof(*drives));
	struct sampler *sampler;

	if (!drives)
		return NULL;
	for (size_t d = 0; d < nr; d++) {
		drives[d].drive = (uint32_t)d;
		drives[d].outbox = &crew->outbox[crew->first[d]];
		drives[d].nr = crew->first[d + 1] - crew->first[d];
	}
	sampler = sampler_new(drives, nr, hooks);
	free(drives);
	return sampler;
}

static void tell_progress(struct crew *crew, const struct engine_hooks *hooks, uint64_t *next_ns)
{
	const struct clock *clock = crew->config.engine->clock;
	const uint64_t now = clock_ticks(clock), start = crew->line.schedule.start;
	const uint64_t ns = now > start ? clock_span_ns(clock, now - start) : 0;

	if (!hooks || !hooks->progress || ns < *next_ns)
		return;
	*next_ns = ns + PROGRESS_NS;
	hooks->progress(hooks->context, crew_bytes(crew), ns);
}

/* Look after running workers until all have finished. Returns the sampler's failure. */
static int watch(struct crew *crew, struct sampler *sampler, const struct engine_hooks *hooks,
		 bool *interrupted)
{
	const struct engine_config *engine = crew->config.engine;
	uint64_t next_progress = PROGRESS_NS;
	int rc = 0;

	while (!crew_wait(crew, WATCH_NS)) {
		if (!*interrupted && engine->stop && atomic_load(engine->stop)) {
			*interrupted = true;
			crew_halt(crew);
		}
		if (rc == 0)
			rc = sampler_collect(sampler);
		if (rc || crew_failed(crew))
			crew_halt(crew);
		tell_progress(crew, hooks, &next_progress);
	}
	return rc;
}

static int last_samples(struct crew *crew, struct sampler *sampler)
{
	int rc = 0;

	for (size_t d = 0; d < crew->config.nr_drives && rc == 0; d++) {
		if (crew->first[d] != crew->first[d + 1])
			rc = sampler_finish(sampler, d, crew_seconds(crew, d));
	}
	return rc;
}

static int run_crew(struct crew *crew, struct engine_result *result,
		    const struct engine_hooks *hooks, struct error *err)
{
	const struct clock *clock = crew->config.engine->clock;
	struct sampler *sampler = new_sampler(crew, hooks);
	int rc, sampled;

	if (!sampler)
		return error_set(err, -ENOMEM, "no memory for the samples");
	rc = crew_prepare(crew, err);
	if (rc)
		goto out;
	crew_go(crew);
	result->started_realtime_ns = clock_realtime_ns() +
				      clock_ns(clock, crew->line.schedule.start) -
				      clock_monotonic_ns();
	sampled = watch(crew, sampler, hooks, &result->interrupted);
	rc = crew_join(crew, err);
	if (rc == 0)
		rc = sampled ? sampled : last_samples(crew, sampler);
	if (rc == 0)
		crew_collect(crew, result);
	else
		error_set(err, rc, "no memory for the samples");
out:
	sampler_free(sampler);
	return rc;
}

/* Drives that differ in what the engine needs of them. */
static int check_ways(struct choice *choice, const struct engine_config *config,
		      const struct engine_drive *drives, size_t nr, struct error *err)
{
	for (size_t d = 0; d < nr; d++) {
		const struct engine_drive *drive = &drives[d];

		if (drive->skip || drive->fd < 0)
			continue;
		if (choice->ops->kind == ENGINE_IO_URING_CMD && !drive->passthrough)
			return error_usage(err,
					   "%s: io_uring_cmd needs an NVMe namespace; use "
					   "another engine",
					   drive->name);
		if (config->iopoll && drive->no_poll_queues && !choice->reason[0])
			snprintf(choice->reason, sizeof(choice->reason),
				 "interrupts, not polling: %s has no poll queues (queue/io_poll is "
				 "0; NVMe: boot with nvme.poll_queues=N)",
				 drive->name);
	}
	return 0;
}

int engine_run_on(const struct ring_ops *ops, struct engine_result *result,
		  const struct engine_config *config, const struct step *step,
		  const struct engine_drive *drives, size_t nr, const struct engine_hooks *hooks,
		  struct error *err)
{
	struct crew_config crew_config = {
		.engine = config,
		.step = step,
		.drive = drives,
		.nr_drives = nr,
		.null_override = ops != NULL,
	};
	struct choice choice = {.ops = ops};
	struct engine_result made;
	struct crew *crew = NULL;
	int64_t drift_before;
	bool real;
	int rc;

	assert(config->clock);
	drift_before = clock_drift_ns(config->clock);
	rc = check(step, drives, nr, &real, err);
	if (rc == 0 && !ops)
		rc = choose_engine(&choice, config, step->iodepth, real, err);
	if (rc == 0 && !ops)
		rc = check_ways(&choice, config, drives, nr, err);
	if (rc)
		return rc;
	crew_config.ops = choice.ops;
	crew_size(step, choice.ops->kind, &crew_config.jobs, &crew_config.depth);
	rc = crew_lay_out(&crew_config, real_workers(&crew_config), err);
	if (rc)
		return rc;
	rc = result_init(&made, nr, err);
	if (rc)
		return rc;
	made.used = choice.ops->kind;
	made.clock = config->clock->name;
	memcpy(made.reason, choice.reason, sizeof(made.reason));
	rc = crew_new(&crew, &crew_config, err);
	if (rc == 0)
		rc = run_crew(crew, &made, hooks, err);
	crew_free(crew);
	if (rc) {
		engine_result_fini(&made);
		return rc;
	}
	made.clock_drift_ns = clock_drift_ns(config->clock) - drift_before;
	*result = made;
	return 0;
}

int engine_run(struct engine_result *result, const struct engine_config *config,
	       const struct step *step, const struct engine_drive *drives, size_t nr,
	       const struct engine_hooks *hooks, struct error *err)
{
	return engine_run_on(NULL, result, config, step, drives, nr, hooks, err);
}
