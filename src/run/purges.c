// SPDX-License-Identifier: MIT
/*
 * A purge step: one drive after the other. One that did not come about ends the run or marks what follows, as
 * the profile says; one that was refused for safety always ends it.
 */
#include "purges.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "walk.h"

int purges_init(struct purges *purges, size_t nr_drives)
{
	*purges = (struct purges){
		.nr_drives = nr_drives,
		.evidence = calloc(nr_drives + 1, sizeof(*purges->evidence)),
		.step = calloc(nr_drives + 1, sizeof(*purges->step)),
		.targets = calloc(nr_drives + 1, sizeof(struct target *)),
	};
	if (purges->evidence && purges->step && purges->targets)
		return 0;
	purges_fini(purges);
	return -ENOMEM;
}

void purges_fini(struct purges *purges)
{
	for (size_t i = 0; purges->evidence && i < purges->nr_drives; i++)
		free(purges->evidence[i]);
	free(purges->evidence);
	free(purges->step);
	free(purges->targets);
	*purges = (struct purges){0};
}

const char *const *purges_evidence(const struct purges *purges)
{
	return (const char *const *)purges->evidence;
}

struct teller {
	const struct walk *walk;
	const struct step *step;
	size_t drive;
};

static void on_progress(void *context, double fraction)
{
	const struct teller *teller = context;
	const struct run_listener *listener = teller->walk->config->listener;

	if (listener && listener->purge)
		listener->purge(listener->context, teller->step,
				teller->walk->facts[teller->drive]->name, fraction);
}

static size_t collect_targets(struct walk *walk, const struct step *step)
{
	size_t nr = 0;

	for (size_t i = 0; i < walk->nr_drives; i++) {
		if (!step->drive[i].skip)
			walk->purges.targets[nr++] = walk->config->targets[i];
	}
	return nr;
}

static enum step_status status_of(const struct step_purge *purge, int code)
{
	if (code == -EINTR)
		return STEP_INTERRUPTED;
	return purge->outcome.drive_failed ? STEP_ERRORS : STEP_FAILED;
}

/* From here until a purge succeeds, the rows of this drive are marked. */
static void remember(struct walk *walk, const struct step *step, size_t drive)
{
	const struct step_purge *purge = &walk->purges.step[drive];
	char **evidence = &walk->purges.evidence[drive];

	free(*evidence);
	*evidence = NULL;
	if (purge->status == STEP_OK)
		return;
	if (asprintf(evidence, "the purge of step %u failed: %s", step->index, purge->reason) < 0) {
		*evidence = NULL;
		walk_end_early(walk, "out of memory");
	}
}

static void note_failure(struct walk *walk, const struct step *step, size_t drive,
			 const struct error *err)
{
	struct step_purge *purge = &walk->purges.step[drive];

	purge->status = status_of(purge, err->code);
	snprintf(purge->reason, sizeof(purge->reason), "%.*s", (int)sizeof(purge->reason) - 1,
		 err->text);
	walk->outcome->misbehaved |= purge->outcome.drive_failed;
	if (step->on_failure == PURGE_STOP || err->kind == ERROR_REFUSED ||
	    error_says_gone(-err->code))
		walk_end_early(walk, "the purge failed: %s", err->text);
}

static void purge_drive(struct walk *walk, const struct step *step, size_t drive, size_t nr_targets)
{
	struct step_purge *purge = &walk->purges.step[drive];
	struct teller teller = {walk, step, drive};
	const struct purge_request request = {
		.method = step->purge,
		.targets = walk->purges.targets,
		.nr_targets = nr_targets,
		.stop = walk->config->engine.stop,
		.progress = on_progress,
		.context = &teller,
	};
	struct error err = {0};

	if (target_purge(walk->config->targets[drive], &request, &purge->outcome, &err) < 0)
		note_failure(walk, step, drive, &err);
	remember(walk, step, drive);
}

static void leave_out(struct step_purge *purge, enum step_status status, const char *reason)
{
	*purge = (struct step_purge){.status = status, .outcome.nvme_status = -1};
	snprintf(purge->reason, sizeof(purge->reason), "%s", reason);
}

/* The step is as its worst drive; the first of these says why. */
static void sum_up(struct step_outcome *outcome)
{
	for (size_t i = 0; i < outcome->nr_drives; i++) {
		const struct step_purge *purge = &outcome->purge[i];

		if (purge->status == STEP_OK || outcome->step->drive[i].skip ||
		    outcome->status != STEP_OK)
			continue;
		outcome->status = purge->status;
		snprintf(outcome->reason, sizeof(outcome->reason), "%s", purge->reason);
	}
}

void walk_purge(struct walk *walk, struct step_outcome *outcome)
{
	const struct step *step = outcome->step;
	const size_t nr_targets = collect_targets(walk, step);

	for (size_t i = 0; i < walk->nr_drives; i++) {
		struct step_purge *purge = &walk->purges.step[i];

		*purge = (struct step_purge){0};
		if (step->drive[i].skip)
			leave_out(purge, STEP_SKIPPED, step->drive[i].skip);
		else if (walk->over[0])
			leave_out(purge, STEP_FAILED,
				  "not begun: the purge of another drive failed");
		else if (walk_stopped(walk))
			leave_out(purge, STEP_INTERRUPTED, "not begun: the run was interrupted");
		else
			purge_drive(walk, step, i, nr_targets);
	}
	outcome->purge = walk->purges.step;
	sum_up(outcome);
}
