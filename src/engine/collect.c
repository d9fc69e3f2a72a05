// SPDX-License-Identifier: MIT
/* What the workers measured, put together per drive. All threads have been joined. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "affinity.h"
#include "choose.h"
#include "crew.h"

static void merge_error(struct engine_drive_result *drive, const struct io_error *from)
{
	struct io_error *into = NULL;
	struct io_error first = *from;

	for (uint32_t i = 0; i < drive->nr_error && !into; i++) {
		if (drive->error[i].code == from->code && drive->error[i].dir == from->dir &&
		    drive->error[i].nvme_status == from->nvme_status)
			into = &drive->error[i];
	}
	if (!into) {
		if (drive->nr_error < ENGINE_ERRORS_MAX)
			drive->error[drive->nr_error++] = *from;
		return;
	}
	if (into->first_ns < first.first_ns)
		first = *into;
	first.count = into->count + from->count;
	*into = first;
}

static void add_worker(struct engine_drive_result *drive, const struct worker *w)
{
	for (int dir = 0; dir < DIRECTIONS; dir++) {
		drive->dir[dir].ios += w->totals[dir].ios;
		drive->dir[dir].bytes += w->totals[dir].bytes;
		histogram_merge(&drive->dir[dir].latency, &w->totals[dir].latency);
		for (size_t i = 0; i < w->config.step->mix->nr; i++)
			drive->mix_count[dir][i] += w->mix_count[dir][i];
	}
	drive->read_bytes += w->moved[DIR_READ];
	drive->written_bytes += w->moved[DIR_WRITE];
	drive->errors += w->errors;
	for (uint32_t i = 0; i < w->nr_error; i++)
		merge_error(drive, &w->error[i]);
	drive->complete = drive->complete && w->exhausted && w->errors == 0;
}

static uint64_t since(const struct crew *crew, uint64_t from, uint64_t ticks)
{
	return ticks > from ? clock_span_ns(crew->config.engine->clock, ticks - from) : 0;
}

static bool has_halted(const struct crew *crew, size_t drive)
{
	return atomic_load(&crew->halt[drive].set);
}

/* Last completion on a drive, in ticks. */
static uint64_t last_completion(const struct crew *crew, size_t drive)
{
	uint64_t last = crew->line.schedule.start;

	for (uint32_t i = crew->first[drive]; i < crew->first[drive + 1]; i++)
		last = crew->worker[i].ended > last ? crew->worker[i].ended : last;
	return last;
}

/* Where counting ended on a drive: its window's end, or its last byte, or when it was halted. */
static uint64_t counted_end(const struct crew *crew, size_t drive)
{
	const struct schedule *s = &crew->line.schedule;
	uint64_t end = s->window_end;

	if (end == UINT64_MAX)
		end = last_completion(crew, drive);
	if (has_halted(crew, drive) && crew->halt[drive].ticks < end)
		end = crew->halt[drive].ticks;
	return end;
}

uint32_t crew_seconds(const struct crew *crew, size_t index)
{
	const uint64_t ns = since(crew, crew->line.schedule.start, counted_end(crew, index));

	/* The window's end lies outside it, the last completion of a byte-bound step inside. */
	return (uint32_t)((ns + NSEC_PER_SEC - 1) / NSEC_PER_SEC);
}

/* A whole window is as long as was asked: its ends in ticks are rounded. */
static uint64_t counted_ns(const struct crew *crew, uint64_t end)
{
	const struct schedule *s = &crew->line.schedule;

	return end == s->window_end ? crew->config.step->runtime_ns : since(crew, s->ramp_end, end);
}

static void collect_drive(const struct crew *crew, size_t index, struct engine_drive_result *drive)
{
	drive->ran = true;
	drive->counted_ns = counted_ns(crew, counted_end(crew, index));
	drive->complete = crew->config.step->runtime_ns == 0;
	for (uint32_t i = crew->first[index]; i < crew->first[index + 1]; i++)
		add_worker(drive, &crew->worker[i]);
	drive->ended_ns = since(crew, crew->line.schedule.start, last_completion(crew, index));
}

/* Many workers may use up the CPUs between them without one of them being busy. */
static double busy_cpus(const struct crew *crew, const struct engine_result *result)
{
	const size_t pinned = crew->config.engine->nr_cpus;
	const uint64_t wall = result->ramp_ns + result->counted_ns + result->drain_ns;
	size_t cpus = affinity_count();

	cpus = pinned > 0 && pinned < cpus ? pinned : cpus;
	cpus = crew->nr < cpus ? crew->nr : cpus;
	if (cpus == 0 || wall == 0)
		return 0;
	return (result->cpu_user_s + result->cpu_system_s) / ((double)wall * 1e-9 * (double)cpus);
}

static void collect_cpu(const struct crew *crew, struct engine_result *result)
{
	for (uint32_t i = 0; i < crew->nr; i++) {
		const struct worker *w = &crew->worker[i];
		const uint64_t wall = since(crew, crew->line.schedule.start, w->ended);
		const double cpu = w->cpu_user_s + w->cpu_system_s;
		const double busy = wall ? cpu / ((double)wall * 1e-9) : 0;

		result->cpu_user_s += w->cpu_user_s;
		result->cpu_system_s += w->cpu_system_s;
		if (busy > result->busiest_worker)
			result->busiest_worker = busy;
	}
	result->busy_cpus = busy_cpus(crew, result);
}

/* Registered buffers count as locked memory, for all rings of a user together. For NVMe commands kernels have other
 * reasons too. */
static void explain_unregistered(const struct crew *crew, struct engine_result *result)
{
	const size_t used = strlen(result->features), left = sizeof(result->features) - used;
	const char *blank = used ? " " : "";
	struct rlimit locked = {0};

	if (result->used == ENGINE_IO_URING_CMD) {
		snprintf(result->features + used, left, "%sunregistered_buffers", blank);
		return;
	}
	getrlimit(RLIMIT_MEMLOCK, &locked);
	snprintf(result->features + used, left,
		 "%sunregistered_buffers (%llu bytes, ulimit -l allows %llu)", blank,
		 (unsigned long long)crew->config.layout.total_bytes,
		 (unsigned long long)locked.rlim_cur);
}

/* The features that the worker with the fewest has: limits hit the last ones. */
static void collect_features(const struct crew *crew, struct engine_result *result)
{
	unsigned int fewest = ~0U;

	for (uint32_t i = 0; i < crew->nr; i++) {
		if (crew->worker[i].config.ops->kind == result->used)
			fewest &= crew->worker[i].features;
	}
	ring_features_text(fewest, result->features, sizeof(result->features));
	if (choose_is_uring(result->used) && !(fewest & RING_FIXED_BUFFERS))
		explain_unregistered(crew, result);
}

static void collect_times(const struct crew *crew, struct engine_result *result)
{
	const struct schedule *s = &crew->line.schedule;
	uint64_t end = s->start, last = s->start;

	for (size_t d = 0; d < crew->config.nr_drives; d++) {
		if (!result->drive[d].ran)
			continue;
		end = counted_end(crew, d) > end ? counted_end(crew, d) : end;
		last = last_completion(crew, d) > last ? last_completion(crew, d) : last;
	}
	result->ramp_ns =
		s->ramp_end <= end ? crew->config.step->ramp_ns : since(crew, s->start, end);
	result->counted_ns = counted_ns(crew, end);
	result->drain_ns = since(crew, end, last);
}

void crew_collect(const struct crew *crew, struct engine_result *result)
{
	const struct buffer_layout *layout = &crew->config.layout;

	for (size_t d = 0; d < crew->config.nr_drives; d++) {
		if (crew->first[d] != crew->first[d + 1])
			collect_drive(crew, d, &result->drive[d]);
	}
	collect_times(crew, result);
	collect_cpu(crew, result);
	collect_features(crew, result);
	result->buffer_bytes = layout->total_bytes;
	result->shared_buffers = layout->reads_shared;
	if (layout->write_bytes && layout->write_bytes < layout->largest)
		result->data_repeats_bytes = layout->write_bytes;
}
