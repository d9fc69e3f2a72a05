// SPDX-License-Identifier: MIT
#include "plan_args.h"

enum {
	KEY_SET = 0x3000,
	KEY_ONLY,
	KEY_PROFILES,
	KEY_RUNTIME,
	KEY_RAMP,
	KEY_IDLE,
	KEY_SIZE,
	KEY_ASSUME_FILLED,
	KEY_ASSUME_WRITE_RATE,
	KEY_ASSUME_READ_RATE,
	KEY_CREATE,
	KEY_ALLOW_PARTITION,
};

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "Profile and plan:", 1},
	{"set", KEY_SET, "NAME=VALUE", 0, "Change a parameter of the profile; may be repeated", 0},
	{"only", KEY_ONLY, "PHASE", 0, "Run this phase and no other; may be repeated", 0},
	{"profiles", KEY_PROFILES, "DIRECTORY", 0, "Look for profiles there first", 0},
	{"runtime", KEY_RUNTIME, "TIME", 0, "Length of every timed step, such as 30s", 0},
	{"ramp", KEY_RAMP, "TIME", 0, "Time before each timed step that is not counted", 0},
	{"ramp_time", KEY_RAMP, NULL, OPTION_ALIAS, NULL, 0},
	{"idle", KEY_IDLE, "TIME", 0, "Length of every pause that the profile has; 0: none", 0},
	{"size", KEY_SIZE, "SIZE", 0, "Use at most so many bytes of each phase's span", 0},
	{"assume-filled", KEY_ASSUME_FILLED, NULL, 0,
	 "The target holds data already: do not mark reads as unwritten", 0},
	{"assume-write-rate", KEY_ASSUME_WRITE_RATE, "SIZE", 0,
	 "Bytes per second and drive, for estimates (default: 3GB)", 0},
	{"assume-read-rate", KEY_ASSUME_READ_RATE, "SIZE", 0, "The same for reads (default: 7GB)",
	 0},
	{NULL, 0, NULL, 0, "Targets:", 2},
	{"create", KEY_CREATE, "SIZE", 0, "Make the target, a regular file, with this size", 0},
	{"allow-partition", KEY_ALLOW_PARTITION, NULL, 0, "A partition may be a target", 0},
	{0},
};

/* The first word is the profile, the others are targets. */
static error_t add_word(struct plan_arguments *arguments, const char *word)
{
	if (arguments->profile)
		return words_add(&arguments->targets, word, arguments->err) ? ENOMEM : 0;
	arguments->profile = word;
	return 0;
}

static error_t parse_times(int key, const char *arg, struct plan_options *plan, struct error *err)
{
	error_t rc;

	switch (key) {
	case KEY_RUNTIME:
		rc = arg_duration("runtime", arg, &plan->runtime_ns, err);
		if (rc == 0 && plan->runtime_ns == 0) {
			error_usage(err, "--runtime: must be above 0");
			rc = EINVAL;
		}
		return rc;
	case KEY_RAMP: return arg_duration("ramp", arg, &plan->ramp_ns, err);
	case KEY_IDLE: return arg_duration("idle", arg, &plan->idle_ns, err);
	default: return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_sizes(int key, const char *arg, struct plan_arguments *arguments)
{
	struct plan_options *plan = &arguments->plan_options;
	const char *option;
	uint64_t *size;

	switch (key) {
	case KEY_SIZE: option = "size", size = &plan->size_bytes; break;
	case KEY_ASSUME_WRITE_RATE: option = "assume-write-rate", size = &plan->write_rate; break;
	case KEY_ASSUME_READ_RATE: option = "assume-read-rate", size = &plan->read_rate; break;
	case KEY_CREATE: option = "create", size = &arguments->target_options.create_bytes; break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return arg_size(option, arg, size, arguments->err);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct plan_arguments *arguments = state->input;
	error_t rc;

	switch (key) {
	case KEY_SET: return words_add(&arguments->set, arg, arguments->err) ? ENOMEM : 0;
	case KEY_ONLY: return words_add(&arguments->only, arg, arguments->err) ? ENOMEM : 0;
	case KEY_PROFILES:
		return arg_name("profiles", arg, &arguments->profile_options.directory,
				arguments->err);
	case KEY_ASSUME_FILLED: arguments->plan_options.assume_filled = true; return 0;
	case KEY_ALLOW_PARTITION: arguments->target_options.allow_partition = true; return 0;
	case ARGP_KEY_ARG: return add_word(arguments, arg);
	case ARGP_KEY_SUCCESS:
		arguments->profile_options.set = arguments->set.word;
		arguments->profile_options.nr_set = arguments->set.nr;
		arguments->plan_options.only = arguments->only.word;
		arguments->plan_options.nr_only = arguments->only.nr;
		return 0;
	default: break;
	}
	rc = parse_times(key, arg, &arguments->plan_options, arguments->err);
	return rc == ARGP_ERR_UNKNOWN ? parse_sizes(key, arg, arguments) : rc;
}

const struct argp plan_argp = {.options = options, .parser = parse};

void plan_arguments_init(struct plan_arguments *arguments, struct error *err)
{
	*arguments = (struct plan_arguments){
		.plan_options = {.ramp_ns = UINT64_MAX, .idle_ns = UINT64_MAX},
		.err = err,
	};
}

void plan_arguments_fini(struct plan_arguments *arguments)
{
	words_fini(&arguments->targets);
	words_fini(&arguments->set);
	words_fini(&arguments->only);
}
