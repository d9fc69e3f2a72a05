// SPDX-License-Identifier: MIT
#include "run_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_list.h"

enum {
	KEY_DESTROY = 0x4000,
	KEY_LABEL,
	KEY_OUTPUT,
	KEY_RESULT,
	KEY_DRY_RUN,
	KEY_QUIET,
	KEY_ENGINE,
	KEY_IOPOLL,
	KEY_SQPOLL,
	KEY_CPUS,
	KEY_SEED,
	KEY_MEMORY,
	KEY_MAX_ERRORS,
};

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "Consent:", 3},
	{"destroy", KEY_DESTROY, "SERIAL", 0,
	 "All data on the drive with this serial number (or of this path, where there is none) may be "
	 "lost; may be repeated",
	 0},
	{"dry-run", KEY_DRY_RUN, NULL, 0, "Print the plan for these targets and end", 0},
	{NULL, 0, NULL, 0, "Engine:", 4},
	{"engine", KEY_ENGINE, "NAME", 0,
	 "auto, io_uring, io_uring_cmd (NVMe passthrough), libaio, sync or null (default: auto)",
	 0},
	{"ioengine", KEY_ENGINE, NULL, OPTION_ALIAS, NULL, 0},
	{"iopoll", KEY_IOPOLL, NULL, 0, "Poll for completions (io_uring, io_uring_cmd)", 0},
	{"hipri", KEY_IOPOLL, NULL, OPTION_ALIAS, NULL, 0},
	{"sqpoll", KEY_SQPOLL, NULL, 0, "Let a kernel thread submit (io_uring, io_uring_cmd)", 0},
	{"sqthread_poll", KEY_SQPOLL, NULL, OPTION_ALIAS, NULL, 0},
	{"cpus", KEY_CPUS, "LIST", 0, "Pin worker k to the k-th of these CPUs, such as 0,5,8-15",
	 0},
	{"cpus_allowed", KEY_CPUS, NULL, OPTION_ALIAS, NULL, 0},
	{"seed", KEY_SEED, "NUMBER", 0, "Another sequence of offsets and data (default: 1)", 0},
	{"randseed", KEY_SEED, NULL, OPTION_ALIAS, NULL, 0},
	{"memory", KEY_MEMORY, "SIZE", 0, "Bound of all buffers (default: 512MiB)", 0},
	{"max-errors", KEY_MAX_ERRORS, "NUMBER", 0,
	 "End a drive's step after so many failed I/Os (default: the first)", 0},
	{NULL, 0, NULL, 0, "Result and progress:", 5},
	{"label", KEY_LABEL, "TEXT", 0, "A text of your own in the result", 0},
	{"output", KEY_OUTPUT, "DIRECTORY", 0, "Directory of the run, which is made", 0},
	{"result", KEY_RESULT, "FILE", 0,
	 "Where the result goes (default: result.json in the directory of the run)", 0},
	{"quiet", KEY_QUIET, NULL, 0, "No progress, only warnings and errors", 0},
	{0},
};

static error_t parse_engine_kind(struct run_arguments *arguments, const char *arg)
{
	const int kind = engine_kind_parse(arg);

	if (kind < 0) {
		error_usage(arguments->err,
			    "--engine: '%s' is none of auto, io_uring, io_uring_cmd, libaio, "
			    "sync, null",
			    arg);
		return EINVAL;
	}
	arguments->engine.kind = (enum engine_kind)kind;
	return 0;
}

static error_t parse_cpus(struct run_arguments *arguments, const char *arg)
{
	struct engine_config *engine = &arguments->engine;

	free(arguments->cpus);
	arguments->cpus = NULL;
	if (cpu_list_parse(arg, &arguments->cpus, &engine->nr_cpus, arguments->err)) {
		error_prefix(arguments->err, "--cpus");
		return EINVAL;
	}
	engine->cpus = arguments->cpus;
	return 0;
}

static error_t parse_engine(int key, const char *arg, struct run_arguments *arguments)
{
	struct engine_config *engine = &arguments->engine;

	switch (key) {
	case KEY_ENGINE: return parse_engine_kind(arguments, arg);
	case KEY_IOPOLL: engine->iopoll = true; return 0;
	case KEY_SQPOLL: engine->sqpoll = true; return 0;
	case KEY_CPUS: return parse_cpus(arguments, arg);
	case KEY_SEED: return arg_number("seed", arg, &engine->seed, arguments->err);
	case KEY_MEMORY: return arg_size("memory", arg, &engine->memory_bytes, arguments->err);
	case KEY_MAX_ERRORS:
		return arg_number("max-errors", arg, &engine->max_errors, arguments->err);
	default: return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->plan;
		state->child_inputs[1] = &arguments->output;
		return 0;
	case KEY_DESTROY: return words_add(&arguments->destroy, arg, arguments->err) ? ENOMEM : 0;
	case KEY_LABEL: arguments->label = arg; return 0;
	case KEY_OUTPUT: return arg_name("output", arg, &arguments->directory, arguments->err);
	case KEY_RESULT:
		return arg_name("result", strcmp(arg, "-") == 0 ? "/dev/stdout" : arg,
				&arguments->result_path, arguments->err);
	case KEY_DRY_RUN: arguments->dry_run = true; return 0;
	case KEY_QUIET: arguments->quiet = true; return 0;
	default: return parse_engine(key, arg, arguments);
	}
}

int run_arguments_parse(struct run_arguments *arguments, int argc, char **argv, struct error *err)
{
	static const struct argp_child children[] = {
		{&plan_argp, 0, NULL, 0}, {&output_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "PROFILE TARGET...",
		.doc = "Run a profile on drives, from preconditioning to the last row, and report.\v"
		       "A TARGET is a block device, a file, scratch:SIZE (a temporary file) or "
		       "null:SIZE (nothing at all).\n\n"
		       "  ssdbench run quick scratch:1GiB\n"
		       "  ssdbench run cdn /dev/nvme1n1 --destroy SERIAL\n",
		.children = children,
	};
	int rc;

	*arguments = (struct run_arguments){
		.output.err = err,
		.engine.seed = SEED_DEFAULT,
		.err = err,
	};
	plan_arguments_init(&arguments->plan, err);
	rc = args_parse(&argp, argc, argv, arguments, err);
	if (rc)
		return rc;
	if (!arguments->plan.profile)
		return error_usage(err, "run needs a profile and a target; 'ssdbench list' names "
					"the profiles");
	if (arguments->plan.targets.nr == 0)
		return error_usage(err,
				   "run needs a target after the profile, such as /dev/nvme1n1 "
				   "or scratch:1GiB");
	return 0;
}

void run_arguments_fini(struct run_arguments *arguments)
{
	plan_arguments_fini(&arguments->plan);
	words_fini(&arguments->destroy);
	free(arguments->cpus);
}
