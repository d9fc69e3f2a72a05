// SPDX-License-Identifier: MIT
/* engine_check(): what the hungriest steps of a plan need, against the limits, before anything runs. */
#include <errno.h>
#include <stdio.h>

#include "affinity.h"
#include "choose.h"
#include "crew.h"
#include "engine_internal.h"
#include "limits.h"

/* Of a worker beside its buffers: thread, histograms, ring; measured 0.1 to 0.3 MiB. */
#define WORKER_BYTES (512ULL << 10)
/* Of a request: slot, ring entries on both sides. */
#define REQUEST_BYTES 512ULL
/* Files that are open for other reasons: drives, journal, libraries. */
#define OTHER_FILES 64ULL

static uint64_t running_drives(const struct plan *plan, const struct step *step)
{
	uint64_t nr = 0;

	for (size_t d = 0; d < plan->nr_drives; d++)
		nr += step->drive[d].skip == NULL;
	return nr;
}

/* A bit for each granule, and the levels above them, in every job. */
static uint64_t map_bytes(const struct plan *plan, const struct step *step, uint32_t jobs)
{
	uint64_t bytes = 0;

	for (size_t d = 0; d < plan->nr_drives; d++) {
		if (step->order == ORDER_MAP && step->map_granule && !step->drive[d].skip)
			bytes += step->drive[d].span.bytes / step->map_granule / 8 / 63 * 64 * jobs;
	}
	return bytes;
}

static void keep_most(uint64_t *most, uint64_t value)
{
	*most = value > *most ? value : *most;
}

static int add_step(struct limits_need *need, const struct engine_config *config,
		    const struct plan *plan, const struct step *step, const char *proc,
		    struct error *err)
{
	enum engine_kind kind = choose_wished(config, step->iodepth);
	struct crew_config crew = {.engine = config, .step = step};
	char why[160];
	uint64_t workers;
	int rc;

	if (choose_is_uring(kind)) {
		rc = choose_probe(kind, proc, why, sizeof(why));
		if (rc && (config->kind == kind || config->iopoll || config->sqpoll))
			return error_set(err, rc, "%s cannot be used: %s", engine_kind_name(kind),
					 why);
		kind = rc ? ENGINE_LIBAIO : kind;
	}
	crew_size(step, kind, &crew.jobs, &crew.depth);
	workers = running_drives(plan, step) * crew.jobs;
	rc = crew_lay_out(&crew, kind == ENGINE_NULL ? 0 : workers, err);
	if (rc)
		return rc;
	keep_most(&need->workers, workers);
	keep_most(&need->open_files, OTHER_FILES + (choose_is_uring(kind) ? workers : 0));
	keep_most(&need->aio_requests, kind == ENGINE_LIBAIO ? workers * crew.depth : 0);
	keep_most(&need->memory_bytes,
		  crew.layout.total_bytes + map_bytes(plan, step, crew.jobs) +
			  workers * (WORKER_BYTES + crew.depth * REQUEST_BYTES));
	return 0;
}

int engine_check_at(const char *proc, const char *cgroup, const struct engine_config *config,
		    const struct plan *plan, struct error *err)
{
	struct limits_need need = {0};
	struct limits limits;
	int rc = affinity_check(config->cpus, config->nr_cpus, err);

	if (rc)
		return rc;
	if (config->kind != ENGINE_AUTO)
		rc = choose_check_polling(config, config->kind, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < plan->nr_steps; i++) {
		const struct step *step = &plan->step[i];

		if (!phase_kind_does_io(step->kind) || running_drives(plan, step) == 0)
			continue;
		rc = add_step(&need, config, plan, step, proc, err);
		if (rc)
			return rc;
	}
	limits_read(&limits, proc, cgroup);
	return limits_check(&limits, &need, err);
}

int engine_check(const struct engine_config *config, const struct plan *plan, struct error *err)
{
	return engine_check_at("/proc", "/sys/fs/cgroup", config, plan, err);
}
