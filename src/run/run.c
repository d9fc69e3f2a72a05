// SPDX-License-Identifier: MIT
/*
 * A run from its directory to its result. The journal is the truth: what is told at the end is read back
 * from it, so that a result is the same whether the run ended by itself, by a signal or by a failure.
 */
#include "ssdbench/run.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "save.h"
#include "ssdbench/value.h"
#include "walk.h"

bool walk_stopped(const struct walk *walk)
{
	const atomic_int *stop = walk->config->engine.stop;

	return stop && atomic_load_explicit(stop, memory_order_relaxed) != 0;
}

static int append_warning(struct walk *walk, const char *text, char *why, size_t size)
{
	const struct value_member members[] = {
		{"event", json_string("warning")},
		{"at", value_time(clock_realtime_ns())},
		{"text", value_text(text)},
	};
	json_t *line = VALUE_OBJECT(members);
	const int ret = line ? journal_append(&walk->journal, line, why, size) : -ENOMEM;

	json_decref(line);
	return ret;
}

static void tell(const struct walk *walk, const char *text)
{
	const struct run_listener *listener = walk->config->listener;

	if (listener && listener->warning)
		listener->warning(listener->context, text);
}

static void warn(struct walk *walk, const char *text)
{
	char why[512];

	tell(walk, text);
	/* The journal may move on this line too; that is told in turn, once in a run. */
	if (append_warning(walk, text, why, sizeof(why)) == 1)
		warn(walk, why);
}

void walk_warn(struct walk *walk, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	warn(walk, text);
}

void walk_journal(struct walk *walk, struct json_t *line)
{
	char why[512];
	const int ret = line ? journal_append(&walk->journal, line, why, sizeof(why)) : -ENOMEM;

	json_decref(line);
	if (ret == 1)
		warn(walk, why);
	if (ret >= 0)
		return;
	if (!walk->journal.lost)
		walk->journal.lost = ret;
	if (walk->told_lost)
		return;
	walk->told_lost = true;
	snprintf(why, sizeof(why), "the journal lost a line: %s; the result is not complete",
		 strerrordesc_np(-ret));
	tell(walk, why);
}

static int write_header(FILE *out, const void *context)
{
	if (json_dumpf(context, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) < 0 ||
	    fputc('\n', out) == EOF)
		return -EIO;
	return 0;
}

static int begin_files(struct walk *walk, struct error *err)
{
	const char *directory = walk->config->directory;
	char *run_path = path_join(directory, RUN_FILE);
	char *journal_path = path_join(directory, JOURNAL_FILE);
	int ret = -ENOMEM;

	if (run_path && journal_path)
		ret = file_replace(run_path, write_header, walk->header);
	if (ret == 0) {
		ret = journal_open(&walk->journal, journal_path, &walk->places);
		if (ret < 0)
			(void)unlink(run_path); /* or the next try is told of a run that was none */
	}
	if (ret < 0)
		error_set(err, ret, "cannot write the run's files in %s: %s", directory,
			  strerrordesc_np(-ret));
	free(run_path);
	free(journal_path);
	return ret;
}

static void warn_of(struct walk *walk, const struct finding *finding)
{
	const bool host = finding->drive == FINDING_HOST;

	walk_warn(walk, "%s%s%s%s%s", host ? "" : walk->facts[finding->drive]->name,
		  host ? "" : ": ", finding->text, finding->cure[0] ? "; " : "", finding->cure);
}

static void tell_findings(struct walk *walk)
{
	const struct findings *findings = walk->config->findings;

	for (size_t i = 0; findings && i < findings->nr; i++) {
		if (findings->finding[i].level == FINDING_WARNING)
			warn_of(walk, &findings->finding[i]);
	}
}

static void begin_journal(struct walk *walk)
{
	const struct plan *plan = walk->config->plan;
	const struct value_member members[] = {
		{"event", json_string("run_started")},
		{"at", value_time(clock_realtime_ns())},
		{"id", json_string(walk->id)},
	};

	walk_journal(walk, VALUE_OBJECT(members));
	for (size_t i = 0; i < plan->nr_warnings; i++)
		walk_warn(walk, "%s", plan->warning[i]);
	tell_findings(walk);
}

static int walk_allocate(struct walk *walk, const struct host_facts *host)
{
	const struct run_config *config = walk->config;

	walk->facts = calloc(walk->nr_drives + 1, sizeof(*walk->facts));
	if (!walk->facts || samples_init(&walk->samples, walk->nr_drives) < 0 ||
	    health_watch_init(&walk->health, walk->nr_drives) < 0 ||
	    fills_init(&walk->fills, config->plan) < 0 ||
	    purges_init(&walk->purges, walk->nr_drives) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < walk->nr_drives; i++)
		walk->facts[i] = target_facts(config->targets[i]);
	walk->header = header_json(config, host, walk->id);
	return walk->header ? 0 : -ENOMEM;
}

static int walk_begin(struct walk *walk, struct error *err)
{
	struct host_facts host;
	int ret = run_id_read(walk->id, walk->config->roots);

	if (ret < 0)
		return error_set(err, ret,
				 "cannot make an id for the run from %s/sys/kernel/random/uuid: %s",
				 walk->config->roots->proc, strerrordesc_np(-ret));
	host_facts_read(&host, walk->config->roots);
	if (walk_allocate(walk, &host) < 0)
		ret = error_set(err, -ENOMEM, "out of memory");
	if (ret == 0)
		ret = directory_prepare(walk->config->directory, err);
	if (ret == 0)
		ret = begin_files(walk, err);
	if (ret == 0)
		begin_journal(walk);
	host_facts_fini(&host);
	return ret;
}

static bool pauses_after(const struct walk *walk, const struct step *step)
{
	return step->idle_ns > 0 && step->index + 1U < walk->config->plan->nr_steps &&
	       !step_is_skipped(step, walk->nr_drives);
}

static void walk_steps(struct walk *walk)
{
	const struct plan *plan = walk->config->plan;

	for (size_t i = 0; i < plan->nr_steps; i++) {
		const struct step *step = &plan->step[i];

		if (walk->over[0] || walk_stopped(walk)) {
			walk_past_step(walk, step);
			continue;
		}
		walk_step(walk, step);
		if (pauses_after(walk, step) && !walk->over[0])
			walk_pause(walk, step);
	}
}

static void note_lost_journal(struct walk *walk)
{
	struct run_outcome *outcome = walk->outcome;

	if (!walk->journal.moved && !walk->journal.lost)
		return;
	outcome->saved = false;
	if (outcome->save_error[0])
		return;
	snprintf(outcome->save_error, sizeof(outcome->save_error),
		 "%s does not hold the whole journal%s; the result is in %s",
		 walk->config->directory, walk->journal.lost ? ", of which lines are lost" : "",
		 outcome->result_path);
}

static void walk_end(struct walk *walk)
{
	const struct run_config *config = walk->config;
	char *path = config->result_path ? strdup(config->result_path)
					 : path_join(config->directory, RESULT_FILE);
	const struct save_request request = {
		.document = {walk->header, walk->journal.fd},
		.path = path ? path : RESULT_FILE,
		.directory = config->directory,
		.id = walk->id,
		.places = &walk->places,
	};
	const struct value_member members[] = {
		{"event", json_string("run_finished")},
		{"at", value_time(clock_realtime_ns())},
		{"interrupted", json_boolean(walk->outcome->interrupted)},
	};

	walk_journal(walk, VALUE_OBJECT(members));
	save_result(walk->outcome, &request);
	note_lost_journal(walk);
	free(path);
}

static void walk_fini(struct walk *walk)
{
	journal_close(&walk->journal);
	json_decref(walk->header);
	samples_fini(&walk->samples);
	health_watch_fini(&walk->health);
	if (walk->fills.plan)
		fills_fini(&walk->fills);
	purges_fini(&walk->purges);
	places_fini(&walk->places);
	free(walk->facts);
}

/* Here and not in engine_check(), which sees no targets: else every step would fail for itself. */
static int check_engine_kind(const struct run_config *config, struct error *err)
{
	for (size_t i = 0; i < config->nr_targets; i++) {
		const struct drive_facts *facts = target_facts(config->targets[i]);

		if (config->engine.kind == ENGINE_NULL && facts->kind != TARGET_NULL)
			return error_usage(err,
					   "%s: the engine null is for null targets only: a real "
					   "drive would not be touched",
					   facts->name);
	}
	return 0;
}

int run_execute(struct run_outcome *outcome, const struct run_config *config, struct error *err)
{
	struct walk walk = {
		.config = config,
		.outcome = outcome,
		.nr_drives = config->nr_targets,
		.journal = {.fd = -1},
		.checked_phase = UINT_MAX,
	};
	int ret;

	*outcome = (struct run_outcome){0};
	ret = check_engine_kind(config, err);
	if (ret == 0)
		ret = engine_check(&config->engine, config->plan, err);
	if (ret < 0)
		return ret;
	places_init(&walk.places);
	estimate_init(&walk.estimate, config->plan);
	ret = walk_begin(&walk, err);
	if (ret == 0) {
		walk_health(&walk, NULL, 0);
		walk_steps(&walk);
		walk_end(&walk);
	}
	walk_fini(&walk);
	return ret;
}

void run_outcome_fini(struct run_outcome *outcome)
{
	free(outcome->row);
	free(outcome->result_path);
	free(outcome->document);
	*outcome = (struct run_outcome){0};
}
