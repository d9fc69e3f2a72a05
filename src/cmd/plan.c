// SPDX-License-Identifier: MIT
/* ssdbench plan: what would run, how long it would take, and what it would write. Touches nothing. */
#include <errno.h>
#include <inttypes.h>

#include "cmd.h"
#include "plan_args.h"
#include "plan_print.h"
#include "targets.h"

enum { KEY_CAPACITY = 0x5000, KEY_LBA, KEY_INDIRECTION_UNIT };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "A drive that is not there:", 3},
	{"capacity", KEY_CAPACITY, "SIZE", 0, "Plan for a drive of this size, such as 245.76TB", 0},
	{"lba", KEY_LBA, "SIZE", 0, "Its logical block (default: 512)", 0},
	{"indirection-unit", KEY_INDIRECTION_UNIT, "SIZE", 0,
	 "Its indirection unit (default: unknown)", 0},
	{0},
};

struct arguments {
	struct plan_arguments plan;
	struct output_arguments output;
	uint64_t capacity, lba, indirection_unit;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct error *err = arguments->plan.err;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->plan;
		state->child_inputs[1] = &arguments->output;
		return 0;
	case KEY_CAPACITY: return arg_size("capacity", arg, &arguments->capacity, err);
	case KEY_LBA: return arg_size("lba", arg, &arguments->lba, err);
	case KEY_INDIRECTION_UNIT:
		return arg_size("indirection-unit", arg, &arguments->indirection_unit, err);
	default: return ARGP_ERR_UNKNOWN;
	}
}

/* Of the drive that is not there: blocks as drives have them. */
static int check_geometry(const struct arguments *arguments, struct error *err)
{
	const uint64_t lba = arguments->lba ? arguments->lba : 512;

	if (lba < 512 || lba > 65536 || (lba & (lba - 1)))
		return error_usage(err,
				   "--lba: %" PRIu64
				   " is not the size of a logical block, which is a "
				   "power of two from 512 to 65536",
				   lba);
	if (arguments->indirection_unit % lba)
		return error_usage(err,
				   "--indirection-unit: %" PRIu64 " is no multiple of the logical "
				   "block of %" PRIu64 " bytes",
				   arguments->indirection_unit, lba);
	return 0;
}

static int check_arguments(const struct arguments *arguments, struct error *err)
{
	const bool imagined = arguments->capacity > 0;

	if (!arguments->plan.profile)
		return error_usage(err, "plan needs a profile; 'ssdbench list' names the profiles");
	if (imagined && arguments->plan.targets.nr > 0)
		return error_usage(err, "--capacity is for a drive that is not there: name no "
					"targets beside it");
	if (!imagined && arguments->plan.targets.nr == 0)
		return error_usage(err, "plan needs a target, or --capacity for a drive that is "
					"not there");
	if (!imagined && (arguments->lba || arguments->indirection_unit))
		return error_usage(err, "--lba and --indirection-unit describe a drive that is not "
					"there: they need --capacity");
	return check_geometry(arguments, err);
}

static int parse_arguments(struct arguments *arguments, int argc, char **argv, struct error *err)
{
	static const struct argp_child children[] = {
		{&plan_argp, 0, NULL, 0}, {&output_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "PROFILE [TARGET...]",
		.doc = "Print every step of a profile with its time, bytes and drive writes. Nothing is "
		       "touched.\v"
		       "  ssdbench plan cdn /dev/nvme1n1\n"
		       "  ssdbench plan --capacity 245.76TB cdn\n",
		.children = children,
	};
	int rc;

	arguments->output.err = err;
	plan_arguments_init(&arguments->plan, err);
	rc = args_parse(&argp, argc, argv, arguments, err);
	return rc ? rc : check_arguments(arguments, err);
}

/* A target list of one that only exists on paper: its facts belong to the caller. */
static int imagine(struct drive_facts **facts, const struct arguments *arguments, struct error *err)
{
	*facts = drive_facts_imagine(arguments->capacity);
	if (!*facts)
		return error_set(err, -ENOMEM, "not enough memory to plan");
	if (arguments->lba)
		(*facts)->logical_block_bytes = (uint32_t)arguments->lba;
	(*facts)->indirection_unit_bytes = arguments->indirection_unit;
	return 0;
}

int command_plan(int argc, char **argv, const struct command_context *context, struct error *err)
{
	struct arguments arguments = {0};
	struct profile *profile = NULL;
	struct targets targets = {0};
	struct drive_facts *imagined = NULL;
	const struct drive_facts *const *facts;
	struct plan *plan = NULL;
	int rc;

	(void)context;
	rc = parse_arguments(&arguments, argc, argv, err);
	if (rc) {
		rc = args_end(rc);
		goto out;
	}
	rc = profile_load(&profile, arguments.plan.profile, &arguments.plan.profile_options, err);
	if (rc)
		goto out;
	rc = arguments.capacity ? imagine(&imagined, &arguments, err)
				: targets_find(&targets, &arguments.plan.targets,
					       &arguments.plan.target_options, err);
	if (rc)
		goto out;
	facts = imagined ? (const struct drive_facts *const *)&imagined : targets.facts;
	rc = plan_build(&plan, profile, facts, imagined ? 1 : targets.nr,
			&arguments.plan.plan_options, err);
	if (rc)
		goto out;
	rc = plan_print(plan, facts, &arguments.output, err);
out:
	plan_free(plan);
	drive_facts_free(imagined);
	targets_close(&targets);
	profile_free(profile);
	plan_arguments_fini(&arguments.plan);
	return rc;
}
