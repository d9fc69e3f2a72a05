// SPDX-License-Identifier: MIT
/* ssdbench run: profile -> plan -> target -> engine -> result -> report. Read it from the end. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd.h"
#include "consent.h"
#include "plan_print.h"
#include "run_args.h"
#include "run_output.h"
#include "ssdbench/preflight.h"
#include "ssdbench/run.h"
#include "ssdbench/units.h"
#include "status.h"
#include "targets.h"

struct session {
	struct run_arguments arguments;
	struct profile *profile;
	struct targets targets;
	struct plan *plan;
	struct findings findings; /* of the preflight */
};

static bool purges(const struct plan *plan)
{
	for (size_t i = 0; i < plan->nr_steps; i++) {
		if (plan->step[i].kind == PHASE_PURGE)
			return true;
	}
	return false;
}

static void say_plan(const struct session *session)
{
	const struct plan *plan = session->plan;
	char time[UNITS_TEXT_MAX], bytes[UNITS_TEXT_MAX];
	uint64_t writes = 0;

	if (session->arguments.quiet)
		return;
	for (size_t i = 0; i < plan->nr_drives; i++)
		writes += plan->write_bytes[i];
	fprintf(stderr, "%s: %zu step%s, about %s", session->profile->name, plan->nr_steps,
		plan->nr_steps == 1 ? "" : "s", duration_human(plan->estimate_ns, time));
	if (plan->writes)
		fprintf(stderr, ", writes %s at most", capacity_human(writes, bytes));
	if (purges(plan))
		fprintf(stderr, ", purges");
	fputc('\n', stderr);
}

/* A plan that only reads needs no consent, but a wrong word is a mistake all the same. */
static int get_consent(struct session *session, const atomic_int *stop, struct error *err)
{
	struct words *destroy = &session->arguments.destroy;
	int rc = consent_check(&session->targets, destroy, err);

	if (rc)
		return rc;
	say_plan(session);
	return session->plan->writes ? consent_ask(&session->targets, destroy, stop, err) : 0;
}

static bool passes_through(const struct session *session)
{
	return session->arguments.engine.kind == ENGINE_IO_URING_CMD;
}

static int open_targets(struct session *session, struct error *err)
{
	return targets_open(&session->targets, session->plan->writes ? TARGET_WRITE : TARGET_READ,
			    &session->arguments.destroy, passes_through(session), err);
}

static bool is_real(const struct targets *targets)
{
	bool real = false;

	for (size_t i = 0; i < targets->nr; i++)
		real |= targets->facts[i]->kind != TARGET_NULL;
	return real;
}

/* What would spoil the figures: the run tells and records it, and goes on. */
static int look_ahead(struct session *session, struct error *err)
{
	const struct engine_config *engine = &session->arguments.engine;
	const struct preflight_options options = {
		.iopoll = engine->iopoll,
		.passthrough = passes_through(session),
		.no_uring = !is_real(&session->targets) ||
			    (engine->kind != ENGINE_AUTO && engine->kind != ENGINE_IO_URING),
		.cpus = engine->cpus,
		.nr_cpus = engine->nr_cpus,
		.memory_bytes = engine->memory_bytes,
	};
	struct preflight preflight;
	int rc = preflight_read(&preflight, &options, session->targets.target, session->targets.nr,
				&target_roots_default);

	if (rc == 0)
		rc = preflight_judge(&session->findings, &preflight);
	preflight_fini(&preflight);
	return rc ? error_set(err, rc, "not enough memory to start the run") : 0;
}

static int execute(struct run_outcome *outcome, const struct session *session,
		   const struct command_context *context, const char *directory,
		   const struct progress *progress, struct error *err)
{
	const struct run_arguments *arguments = &session->arguments;
	struct clock clock;
	struct run_config config = {
		.profile = session->profile,
		.plan = session->plan,
		.targets = session->targets.target,
		.nr_targets = session->targets.nr,
		.findings = &session->findings,
		.engine = arguments->engine,
		.roots = &target_roots_default,
		.directory = directory,
		.result_path = arguments->result_path,
		.label = arguments->label,
		.argv = context->argv,
		.argc = (size_t)context->argc,
		.listener = progress_listener(progress),
	};

	clock_init(&clock, target_roots_default.sys);
	config.engine.clock = &clock;
	config.engine.stop = context->stop;
	return run_execute(outcome, &config, err);
}

/* The directory and the progress live as long as the run. */
static int execute_in_directory(struct run_outcome *outcome, const struct session *session,
				const struct command_context *context, struct error *err)
{
	const struct run_arguments *arguments = &session->arguments;
	char *made = NULL;
	struct progress *progress = progress_open(stderr, isatty(STDERR_FILENO), arguments->quiet);
	const char *directory = arguments->directory;
	int rc = -ENOMEM;

	if (!directory)
		directory = made = run_directory_name(session->profile, session->targets.facts[0]);
	if (progress && directory)
		rc = execute(outcome, session, context, directory, progress, err);
	else
		error_set(err, rc, "not enough memory to start the run");
	progress_close(progress);
	free(made);
	return rc;
}

/* The status of the run, or what kept its result from being saved or printed. */
static int report(const struct session *session, const struct run_outcome *outcome,
		  const struct command_context *context, struct error *err)
{
	const struct run_arguments *arguments = &session->arguments;
	int rc;

	if (!outcome->saved)
		error_set(err, -EIO, "%s", outcome->save_error);
	rc = run_output_print(&arguments->output, session->plan, session->targets.facts, outcome,
			      err);
	/* Last, where the eye is when a run has ended; the table has been flushed. */
	if (outcome->saved && !arguments->quiet)
		fprintf(stderr, "result: %s\n", outcome->result_path);
	if (rc == 0 && !outcome->saved)
		rc = err->code;
	return rc ? rc : status_of_outcome(outcome, atomic_load(context->stop));
}

static int measure(struct session *session, const struct command_context *context,
		   struct error *err)
{
	struct run_outcome outcome = {0};
	int rc;

	rc = get_consent(session, context->stop, err);
	if (rc)
		return rc;
	rc = open_targets(session, err);
	if (rc)
		return rc;
	rc = look_ahead(session, err);
	if (rc)
		return rc;
	rc = execute_in_directory(&outcome, session, context, err);
	if (rc)
		return rc;
	rc = report(session, &outcome, context, err);
	run_outcome_fini(&outcome);
	return rc;
}

static void close_session(struct session *session)
{
	findings_fini(&session->findings);
	plan_free(session->plan);
	targets_close(&session->targets);
	profile_free(session->profile);
	run_arguments_fini(&session->arguments);
}

int command_run(int argc, char **argv, const struct command_context *context, struct error *err)
{
	struct session session = {0};
	const struct run_arguments *arguments = &session.arguments;
	int rc;

	rc = run_arguments_parse(&session.arguments, argc, argv, err);
	if (rc) {
		rc = args_end(rc);
		goto out;
	}
	rc = profile_load(&session.profile, arguments->plan.profile,
			  &arguments->plan.profile_options, err);
	if (rc)
		goto out;
	/* Not before: a profile from a pipe may keep us waiting, with nothing to save yet. */
	context->catch_stop();
	rc = targets_find(&session.targets, &arguments->plan.targets,
			  &arguments->plan.target_options, err);
	if (rc == 0 && passes_through(&session))
		rc = targets_check_passthrough(&session.targets, err);
	if (rc)
		goto out;
	rc = plan_build(&session.plan, session.profile, session.targets.facts, session.targets.nr,
			&arguments->plan.plan_options, err);
	if (rc)
		goto out;
	rc = arguments->dry_run
		     ? plan_print(session.plan, session.targets.facts, &arguments->output, err)
		     : measure(&session, context, err);
out:
	close_session(&session);
	return rc;
}
