// SPDX-License-Identifier: MIT
/* One step of the walk: checks before it, the engine, what became of it, its line in the journal. */
#include "walk.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/value.h"

/* Within a step the health is read so often: a command in a minute does not show in its figures. */
#define HEALTH_INTERVAL_NS (60 * NSEC_PER_SEC)
/* Readings that are older are taken anew before a step. */
#define HEALTH_STALE_NS (5 * NSEC_PER_SEC)

struct hook_context {
	struct walk *walk;
	const struct step *step;
};

static void flush_samples(struct walk *walk, const struct step *step)
{
	if (walk->samples.nr > 0)
		walk_journal(walk, samples_take(&walk->samples, step->index));
}

void walk_health(struct walk *walk, const struct step *step, uint64_t ns)
{
	json_t *line;

	if (!health_watch_is_due(&walk->health, ns))
		return;
	line = health_watch_read(&walk->health, walk->config->targets, step);
	if (line)
		walk_journal(walk, line);
}

static void on_sample(void *context, const struct sample *sample)
{
	const struct hook_context *hook = context;

	walk_health(hook->walk, hook->step, HEALTH_INTERVAL_NS);
	if (samples_add(&hook->walk->samples, sample))
		return;
	flush_samples(hook->walk, hook->step);
	(void)samples_add(&hook->walk->samples, sample); /* there is room now */
}

static void on_progress(void *context, uint64_t bytes, uint64_t elapsed_ns)
{
	const struct hook_context *hook = context;
	const struct run_listener *listener = hook->walk->config->listener;

	if (listener && listener->progress)
		listener->progress(
			listener->context, hook->step, bytes, elapsed_ns,
			estimate_left(&hook->walk->estimate, hook->step, bytes, elapsed_ns));
}

static bool step_writes(const struct step *step)
{
	return phase_kind_does_io(step->kind) && rw_writes(step->rw);
}

/* Before each phase that writes: names move after a reset, and others may have begun to use the drive. */
static int recheck_targets(struct walk *walk, const struct step *step, struct error *err)
{
	if (!step_writes(step) || walk->checked_phase == step->phase)
		return 0;
	for (size_t i = 0; i < walk->nr_drives; i++) {
		const int ret =
			step->drive[i].skip ? 0 : target_recheck(walk->config->targets[i], err);

		if (ret < 0)
			return ret;
	}
	walk->checked_phase = step->phase;
	return 0;
}

bool error_says_gone(int code)
{
	return code == ENODEV || code == ENXIO || code == ENOMEDIUM || code == ESHUTDOWN;
}

/* Of files nothing is known; the kernel tells when a request is to be polled. */
static bool has_no_poll_queues(const struct drive_facts *facts)
{
	return facts->kind == TARGET_BLOCK && !facts->io_poll;
}

void walk_end_early(struct walk *walk, const char *format, ...)
{
	va_list args;

	if (walk->over[0])
		return;
	va_start(args, format);
	vsnprintf(walk->over, sizeof(walk->over), format, args);
	va_end(args);
}

static int run_engine(struct walk *walk, const struct step *step, struct engine_result *engine,
		      struct error *err)
{
	struct engine_drive *drives = calloc(walk->nr_drives, sizeof(*drives));
	struct hook_context hook = {walk, step};
	const struct engine_hooks hooks = {&hook, on_sample, on_progress};
	int ret;

	if (!drives)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < walk->nr_drives; i++) {
		const struct target *target = walk->config->targets[i];

		drives[i] = (struct engine_drive){
			.fd = target_fd(target),
			.passthrough = target_passthrough(target),
			.no_poll_queues = has_no_poll_queues(walk->facts[i]),
			.alignment = target_offset_alignment(target),
			.name = walk->facts[i]->name,
			.span = step->drive[i].span,
			.skip = step->drive[i].skip != NULL,
		};
	}
	ret = engine_run(engine, &walk->config->engine, step, drives, walk->nr_drives, &hooks, err);
	flush_samples(walk, step);
	free(drives);
	return ret;
}

/* The step's reason names each drive that had errors; the flags and the error list have the details. */
static void note_errors(struct walk *walk, struct step_outcome *outcome)
{
	const struct engine_result *engine = outcome->engine;
	size_t length = 0;

	for (size_t i = 0; i < engine->nr_drives; i++) {
		const struct engine_drive_result *result = &engine->drive[i];

		if (result->errors == 0)
			continue;
		walk->outcome->misbehaved = true;
		if (length < sizeof(outcome->reason))
			length += (size_t)snprintf(
				outcome->reason + length, sizeof(outcome->reason) - length,
				"%s%" PRIu64 " failed I/Os on %s", length ? ", " : "",
				result->errors, walk->facts[i]->name);
		for (uint32_t k = 0; k < result->nr_error; k++) {
			if (error_says_gone(result->error[k].code))
				walk_end_early(walk, "drive %s is gone (%s)", walk->facts[i]->name,
					       strerrorname_np(result->error[k].code));
		}
	}
	if (length > 0)
		outcome->status = STEP_ERRORS;
}

/* What a fill wrote shall be on the medium before anything is measured on it. */
static void flush_targets(struct walk *walk, struct step_outcome *outcome)
{
	for (size_t i = 0; i < walk->nr_drives; i++) {
		const int ret =
			outcome->step->drive[i].skip ? 0 : target_flush(walk->config->targets[i]);

		if (ret == 0)
			continue;
		walk->outcome->misbehaved = true;
		outcome->status = STEP_ERRORS;
		snprintf(outcome->reason, sizeof(outcome->reason), "flush of %s: %s",
			 walk->facts[i]->name, strerrordesc_np(-ret));
	}
}

static uint64_t last_completion(const struct engine_result *engine, uint64_t *bytes)
{
	uint64_t last = 0;

	*bytes = 0;
	for (size_t i = 0; i < engine->nr_drives; i++) {
		*bytes += engine->drive[i].written_bytes;
		if (engine->drive[i].ended_ns > last)
			last = engine->drive[i].ended_ns;
	}
	return last;
}

static void learn_rate(struct walk *walk, const struct step *step,
		       const struct engine_result *engine)
{
	uint64_t bytes;
	const uint64_t elapsed = last_completion(engine, &bytes);

	estimate_learn(&walk->estimate, step, bytes, elapsed);
}

static void fail(struct walk *walk, struct step_outcome *outcome, const struct error *err)
{
	outcome->status = STEP_FAILED;
	snprintf(outcome->reason, sizeof(outcome->reason), "%.*s", (int)sizeof(outcome->reason) - 1,
		 err->text);
	/* A refusal is about the drive, not about the step: it would hold for all later ones. */
	if (err->kind == ERROR_REFUSED || error_says_gone(-err->code))
		walk_end_early(walk, "%s", err->text);
}

static void measure(struct walk *walk, struct step_outcome *outcome, struct engine_result *engine)
{
	const struct step *step = outcome->step;
	struct error err = {0};

	outcome->unwritten = fills_evidence(&walk->fills, step);
	outcome->not_purged = purges_evidence(&walk->purges);
	walk_health(walk, NULL, HEALTH_STALE_NS);
	health_watch_begin_step(&walk->health);
	if (recheck_targets(walk, step, &err) < 0 || run_engine(walk, step, engine, &err) < 0) {
		fail(walk, outcome, &err);
	} else {
		outcome->engine = engine;
		note_errors(walk, outcome);
		if (step_is_fill(step))
			flush_targets(walk, outcome);
		if (engine->interrupted)
			outcome->status = STEP_INTERRUPTED;
		learn_rate(walk, step, engine);
	}
	walk_health(walk, step, 0);
	outcome->throttled = health_watch_evidence(&walk->health);
	fills_note(&walk->fills, step, outcome->engine);
}

static bool add_rows(struct walk *walk, const struct step_outcome *outcome, size_t *first)
{
	struct run_outcome *run = walk->outcome;
	const size_t nr = walk->nr_drives + (walk->nr_drives > 1);
	struct row *grown = reallocarray(run->row, run->nr_rows + nr, sizeof(*grown));

	if (!grown)
		return false;
	run->row = grown;
	*first = run->nr_rows;
	for (size_t i = 0; i < nr; i++)
		row_build(&grown[run->nr_rows++], outcome,
			  i < walk->nr_drives ? (uint32_t)i : ROW_TOTAL);
	return true;
}

static void count_gates(struct walk *walk, const struct step_outcome *outcome)
{
	struct row total;
	double value;

	row_build(&total, outcome, ROW_TOTAL);
	for (size_t i = 0; i < outcome->step->nr_gates; i++) {
		if (gate_check(&outcome->step->gate[i], &total, &value) != 1)
			walk->outcome->gates_broken++;
	}
}

static json_t *finished_json(const struct step_outcome *outcome)
{
	const struct value_member members[] = {
		{"event", json_string("step_finished")},
		{"step", json_integer(outcome->step->index)},
		{"at", value_time(clock_realtime_ns())},
		{"result", result_step_json(outcome)},
	};

	return VALUE_OBJECT(members);
}

/* @told: the listener has seen the step begin and shall see it end. */
static void finish(struct walk *walk, const struct step_outcome *outcome, bool told)
{
	const struct run_listener *listener = walk->config->listener;
	struct run_outcome *run = walk->outcome;
	size_t first = 0;

	walk_journal(walk, finished_json(outcome));
	run->interrupted |= outcome->status == STEP_INTERRUPTED;
	run->step_failed |= outcome->status == STEP_FAILED;
	run->step_skipped |= outcome->status == STEP_SKIPPED;
	count_gates(walk, outcome);
	if (!add_rows(walk, outcome, &first))
		walk_warn(walk, "out of memory: the row of step %u is missing from the table",
			  outcome->step->index);
	else if (told && listener && listener->step_end)
		listener->step_end(listener->context, &run->row[first], run->nr_rows - first);
}

static struct step_outcome outcome_of(const struct walk *walk, const struct step *step)
{
	return (struct step_outcome){
		.step = step,
		.status = STEP_OK,
		.asked = walk->config->engine.kind,
		.drives = walk->facts,
		.nr_drives = walk->nr_drives,
	};
}

static void begin(struct walk *walk, const struct step *step)
{
	const struct run_listener *listener = walk->config->listener;
	const struct value_member members[] = {
		{"event", json_string("step_started")},
		{"step", json_integer(step->index)},
		{"at", value_time(clock_realtime_ns())},
	};

	walk_journal(walk, VALUE_OBJECT(members));
	if (listener && listener->step_begin)
		listener->step_begin(listener->context, step, walk->config->plan);
}

void walk_step(struct walk *walk, const struct step *step)
{
	struct step_outcome outcome = outcome_of(walk, step);
	struct engine_result engine = {0};

	begin(walk, step);
	if (step_is_skipped(step, walk->nr_drives)) {
		outcome.status = STEP_SKIPPED;
		snprintf(outcome.reason, sizeof(outcome.reason), "%s", step->drive[0].skip);
	} else if (step->kind == PHASE_IDLE) {
		if (!walk_idle(walk, step))
			outcome.status = STEP_INTERRUPTED;
	} else if (step->kind == PHASE_PURGE) {
		walk_purge(walk, &outcome);
		walk_health(walk, step, 0);
	} else {
		measure(walk, &outcome, &engine);
	}
	finish(walk, &outcome, true);
	if (outcome.engine)
		engine_result_fini(&engine);
}

void walk_past_step(struct walk *walk, const struct step *step)
{
	struct step_outcome outcome = outcome_of(walk, step);

	if (walk->over[0]) {
		outcome.status = STEP_FAILED;
		snprintf(outcome.reason, sizeof(outcome.reason), "not begun: %.200s", walk->over);
	} else {
		outcome.status = STEP_INTERRUPTED;
		snprintf(outcome.reason, sizeof(outcome.reason),
			 "not begun: the run was interrupted before");
	}
	finish(walk, &outcome, false);
}
