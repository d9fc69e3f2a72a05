// SPDX-License-Identifier: MIT
/*
 * Walks the phases in order and adds their rows as steps. Read plan_build() last: it is the sentence, the
 * functions before it are its words.
 */
#include "ssdbench/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "estimate.h"
#include "fit.h"
#include "label.h"
#include "matrix.h"
#include "step.h"
#include "ssdbench/units.h"

struct builder {
	struct plan *plan;
	const struct drive_facts *const *drives;
	const struct plan_options *options;
	struct coverage *written; /* what the steps so far have written, per drive */
	struct error *err;
};

static int no_memory(struct builder *b)
{
	return error_set(b->err, -ENOMEM, "not enough memory to plan");
}

/* A warning that is there already is not repeated: rows of one phase have the same to say. */
__attribute__((format(printf, 2, 3))) static int warn(struct builder *b, const char *format, ...)
{
	struct plan *plan = b->plan;
	char **list, *text;
	va_list args;
	int rc;

	va_start(args, format);
	rc = vasprintf(&text, format, args);
	va_end(args);
	if (rc < 0)
		return no_memory(b);
	for (size_t i = 0; i < plan->nr_warnings; i++) {
		if (strcmp(plan->warning[i], text) == 0) {
			free(text);
			return 0;
		}
	}
	list = reallocarray(plan->warning, plan->nr_warnings + 1, sizeof(*list));
	if (!list) {
		free(text);
		return no_memory(b);
	}
	plan->warning = list;
	plan->warning[plan->nr_warnings++] = text;
	return 0;
}

static struct step *append_step(struct builder *b)
{
	struct plan *plan = b->plan;
	struct step *step;

	step = reallocarray(plan->step, plan->nr_steps + 1, sizeof(*step));
	if (!step)
		return NULL;
	plan->step = step;
	step += plan->nr_steps;
	*step = (struct step){.index = (unsigned int)plan->nr_steps};
	step->drive = calloc(plan->nr_drives, sizeof(*step->drive));
	if (!step->drive)
		return NULL;
	plan->nr_steps++;
	return step;
}

/* Steps of one phase that would read the same are numbered. */
static int set_label(struct builder *b, struct step *step)
{
	unsigned int twins = 0;
	size_t length;

	step->label = step_label(step, 0);
	if (!step->label)
		return no_memory(b);
	length = strlen(step->label);
	for (const struct step *other = b->plan->step; other < step; other++) {
		if (other->phase == step->phase &&
		    strncmp(other->label, step->label, length) == 0 &&
		    (other->label[length] == '\0' || strncmp(&other->label[length], " #", 2) == 0))
			twins++;
	}
	if (twins == 0)
		return 0;
	free(step->label);
	step->label = step_label(step, twins);
	return step->label ? 0 : no_memory(b);
}

static int warn_of_guesses(struct builder *b, const struct phase *phase,
			   const struct drive_facts *facts)
{
	char unit[UNITS_TEXT_MAX];

	for (size_t i = 0; i < phase->nr_when; i++) {
		int rc;

		if (phase->when[i].fact != FACT_INDIRECTION_UNIT || facts->indirection_unit_bytes)
			continue;
		rc = warn(b, "%s does not report its indirection unit: phase '%s' takes it as %s",
			  facts->name, phase->name,
			  size_format(drive_fact(facts, FACT_INDIRECTION_UNIT), unit));
		if (rc)
			return rc;
	}
	return 0;
}

static int check_room(struct builder *b, const struct step *step, const struct drive_facts *facts,
		      struct span span)
{
	const uint64_t need = step_span_needed(step);
	char want[UNITS_TEXT_MAX], have[UNITS_TEXT_MAX];

	if (span.bytes >= need && span.bytes > 0)
		return 0;
	size_format(need, want);
	size_format(span.bytes, have);
	if (step->order == ORDER_SEQUENTIAL && step->numjobs > 1)
		return error_usage(
			b->err,
			"phase '%s' on %s: its span is too small for one request in each "
			"of %u jobs (%s): need %s, have %s",
			step->phase_name, facts->name, step->numjobs, step->label, want, have);
	return error_usage(b->err,
			   "phase '%s' on %s: its span is smaller than the largest request (%s): "
			   "need %s, have %s",
			   step->phase_name, facts->name, step->label, want, have);
}

static int set_span(struct builder *b, struct step *step, const struct phase *phase, size_t drive)
{
	const struct drive_facts *facts = b->drives[drive];
	struct span span = phase_span(phase, facts, b->options->size_bytes);
	char asked[UNITS_TEXT_MAX], have[UNITS_TEXT_MAX];
	int rc = 0;

	if (step->order == ORDER_MAP && phase->map_region && span.bytes > phase->map_region)
		span.bytes = phase->map_region - phase->map_region % drive_lba_bytes(facts);
	rc = check_room(b, step, facts, span);
	if (rc)
		return rc;
	step->drive[drive].span = span;
	if (phase_size_is_cut(phase, facts) && !b->options->size_bytes)
		rc = warn(b, "a span of %s is more than %s has: cut to %s",
			  size_format(phase->size.bytes, asked), facts->name,
			  size_format(span.bytes, have));
	return rc;
}

/* Does a read of @span meet blocks that hold nothing? A null target holds nothing anyway. */
static int mark_unwritten(struct builder *b, struct step *step, size_t drive)
{
	struct step_drive *here = &step->drive[drive];
	const struct drive_facts *facts = b->drives[drive];

	if (!rw_reads(step->rw) || facts->kind == TARGET_NULL)
		return 0;
	if (coverage_holds(&b->written[drive], here->span))
		return 0;
	here->unwritten = true;
	return warn(
		b,
		"phase '%s' reads blocks of %s that nothing in this plan writes before: its rows "
		"are marked unwritten (fill first, or say --assume-filled)",
		step->phase_name, facts->name);
}

static int skip_drive(struct builder *b, struct step *step, size_t drive, const char *reason)
{
	step->drive[drive].skip = strdup(reason);
	return step->drive[drive].skip ? 0 : no_memory(b);
}

/* What was written before, by whomever, is gone. */
static int fit_purge(struct builder *b, struct step *step, size_t drive)
{
	step->drive[drive].span = (struct span){0, b->drives[drive]->capacity_bytes};
	b->plan->writes = true;
	coverage_fini(&b->written[drive]);
	return 0;
}

/* One step on one drive: skipped with a reason, or its span and what the plan has written there. */
static int fit_drive(struct builder *b, struct step *step, const struct phase *phase, size_t drive)
{
	const struct drive_facts *facts = b->drives[drive];
	char reason[SKIP_TEXT_MAX];
	int rc;

	if (!phase_applies(phase, facts, reason) || !step_fits_lba(step, facts, reason))
		return skip_drive(b, step, drive, reason);
	if (step->kind == PHASE_IDLE)
		return 0;
	if (step->kind == PHASE_PURGE)
		return fit_purge(b, step, drive);
	rc = set_span(b, step, phase, drive);
	if (rc)
		return rc;
	if (rw_writes(step->rw))
		b->plan->writes = true;
	rc = mark_unwritten(b, step, drive);
	if (rc == 0 && phase_kind_fills(step->kind) &&
	    coverage_add(&b->written[drive], step->drive[drive].span))
		return no_memory(b);
	return rc;
}

/* @row: NULL for a phase that does no I/O. */
static int add_step(struct builder *b, size_t phase_index, const struct matrix_row *row)
{
	const struct phase *phase = &b->plan->profile->phase[phase_index];
	struct step *step = append_step(b);
	int rc;

	if (!step)
		return no_memory(b);
	step->phase = (unsigned int)phase_index;
	step->phase_name = phase->name;
	step->kind = phase->kind;
	if (row)
		step_set_row(step, phase, row, b->options);
	else if (phase->kind == PHASE_PURGE)
		step_set_purge(step, phase, b->options);
	else
		step_set_idle(step, phase, b->options);
	rc = set_label(b, step);
	for (size_t i = 0; rc == 0 && i < b->plan->nr_drives; i++)
		rc = fit_drive(b, step, phase, i);
	if (rc == 0)
		step_estimate(step, b->plan);
	return rc;
}

/* A phase whose `when` holds on no drive is not in the plan at all: profiles offer phases as alternatives,
 * and rows of the wrong one are nothing that anyone misses. A warning names it. */
static int leave_out(struct builder *b, const struct phase *phase, bool *out)
{
	char reason[SKIP_TEXT_MAX] = "";
	int rc = 0;

	*out = true;
	for (size_t i = 0; rc == 0 && i < b->plan->nr_drives; i++) {
		rc = warn_of_guesses(b, phase, b->drives[i]);
		if (phase_applies(phase, b->drives[i], reason))
			*out = false;
	}
	if (rc == 0 && *out)
		rc = warn(b, "phase '%s' is left out: %s", phase->name, reason);
	return rc;
}

static int add_phase(struct builder *b, size_t phase_index)
{
	const struct phase *phase = &b->plan->profile->phase[phase_index];
	bool out;
	int rc = leave_out(b, phase, &out);

	if (rc || out || (phase->kind == PHASE_PURGE && phase->purge == PURGE_NONE))
		return rc;
	if (!phase_kind_does_io(phase->kind))
		return add_step(b, phase_index, NULL);
	for (size_t i = 0; rc == 0 && i < matrix_rows(phase); i++) {
		const struct matrix_row row = matrix_row_at(phase, i);

		rc = add_step(b, phase_index, &row);
	}
	return rc;
}

static bool phase_is_wanted(const struct phase *phase, const struct plan_options *options)
{
	for (size_t i = 0; i < options->nr_only; i++) {
		if (strcmp(options->only[i], phase->name) == 0)
			return true;
	}
	return options->nr_only == 0;
}

/* Each --only must name a phase; the message lists those there are. */
static int check_only(struct builder *b)
{
	const struct profile *profile = b->plan->profile;
	char names[512] = "";

	for (size_t i = 0; i < profile->nr_phases; i++) {
		const size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
			 profile->phase[i].name);
	}
	for (size_t i = 0; i < b->options->nr_only; i++) {
		const struct plan_options one = {.only = &b->options->only[i], .nr_only = 1};
		size_t k = 0;

		while (k < profile->nr_phases && !phase_is_wanted(&profile->phase[k], &one))
			k++;
		if (k == profile->nr_phases)
			return error_usage(b->err,
					   "--only %s: profile '%s' has no such phase (it has %s)",
					   b->options->only[i], profile->name, names);
	}
	return 0;
}

/* A plan in which nothing runs is a mistake, not a result. Idle steps are nothing. */
static int check_something_runs(struct builder *b)
{
	const struct plan *plan = b->plan;
	const char *reason = "it only waits";

	for (size_t i = 0; i < plan->nr_steps; i++) {
		const struct step *step = &plan->step[i];

		if (step->kind == PHASE_IDLE)
			continue;
		if (!step_is_skipped(step, plan->nr_drives))
			return 0;
		reason = step->drive[0].skip;
	}
	if (plan->nr_steps == 0)
		reason = plan->nr_warnings ? plan->warning[plan->nr_warnings - 1]
					   : "its method of purge is none";
	return error_usage(b->err, "profile '%s' has nothing to run on %s: %s", plan->profile->name,
			   plan->nr_drives == 1 ? b->drives[0]->name : "these drives", reason);
}

static void add_up(struct plan *plan)
{
	for (size_t i = 0; i < plan->nr_steps; i++) {
		plan->estimate_ns += plan->step[i].estimate_ns;
		for (size_t k = 0; k < plan->nr_drives; k++) {
			plan->read_bytes[k] += plan->step[i].drive[k].read_bytes;
			plan->write_bytes[k] += plan->step[i].drive[k].write_bytes;
		}
	}
}

/* --assume-filled: the user stands for what was written before this plan. */
static int assume_filled(struct builder *b, size_t nr_drives)
{
	for (size_t i = 0; b->options->assume_filled && i < nr_drives; i++) {
		const struct span whole = {0, b->drives[i]->capacity_bytes};

		if (coverage_add(&b->written[i], whole))
			return no_memory(b);
	}
	return 0;
}

static int open_builder(struct builder *b, const struct profile *profile, size_t nr_drives)
{
	b->plan = calloc(1, sizeof(*b->plan));
	b->written = calloc(nr_drives, sizeof(*b->written));
	if (!b->plan || !b->written)
		return no_memory(b);
	b->plan->profile = profile;
	b->plan->nr_drives = nr_drives;
	b->plan->read_bytes = calloc(nr_drives, sizeof(*b->plan->read_bytes));
	b->plan->write_bytes = calloc(nr_drives, sizeof(*b->plan->write_bytes));
	if (!b->plan->read_bytes || !b->plan->write_bytes)
		return no_memory(b);
	b->plan->write_rate =
		b->options->write_rate ? b->options->write_rate : PLAN_ASSUMED_WRITE_RATE;
	b->plan->read_rate = b->options->read_rate ? b->options->read_rate : PLAN_ASSUMED_READ_RATE;
	return assume_filled(b, nr_drives);
}

int plan_build(struct plan **plan, const struct profile *profile,
	       const struct drive_facts *const *drives, size_t nr_drives,
	       const struct plan_options *options, struct error *err)
{
	struct builder b = {.drives = drives, .options = options, .err = err};
	int rc;

	assert(nr_drives > 0);
	rc = open_builder(&b, profile, nr_drives);
	if (rc == 0)
		rc = check_only(&b);
	for (size_t i = 0; rc == 0 && i < profile->nr_phases; i++) {
		if (phase_is_wanted(&profile->phase[i], options))
			rc = add_phase(&b, i);
	}
	if (rc == 0)
		rc = check_something_runs(&b);
	if (rc == 0) {
		add_up(b.plan);
		*plan = b.plan;
		b.plan = NULL;
	}
	for (size_t i = 0; b.written && i < nr_drives; i++)
		coverage_fini(&b.written[i]);
	free(b.written);
	plan_free(b.plan);
	return rc;
}

static void free_step(struct step *step, size_t nr_drives)
{
	for (size_t i = 0; i < nr_drives; i++)
		free(step->drive[i].skip);
	free(step->drive);
	free(step->label);
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->nr_steps; i++)
		free_step(&plan->step[i], plan->nr_drives);
	for (size_t i = 0; i < plan->nr_warnings; i++)
		free(plan->warning[i]);
	free(plan->warning);
	free(plan->step);
	free(plan->read_bytes);
	free(plan->write_bytes);
	free(plan);
}

bool plan_destroys(const struct plan *plan, size_t drive)
{
	for (size_t i = 0; i < plan->nr_steps; i++) {
		const struct step *step = &plan->step[i];

		if (step->drive[drive].skip || step->kind == PHASE_IDLE)
			continue;
		if (step->kind == PHASE_PURGE || rw_writes(step->rw))
			return true;
	}
	return false;
}

bool step_is_skipped(const struct step *step, size_t nr_drives)
{
	for (size_t i = 0; i < nr_drives; i++) {
		if (!step->drive[i].skip)
			return false;
	}
	return true;
}
