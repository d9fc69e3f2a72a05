// SPDX-License-Identifier: MIT
/* ssdbench show: a profile as it would run, as JSON that is a profile again; or what can be set in it. */
#include <errno.h>
#include <stdlib.h>

#include "cmd.h"
#include "output_args.h"

enum { KEY_SET = 0x7000, KEY_PROFILES, KEY_PARAMETERS };

struct arguments {
	struct output_arguments output;
	const char *profile, *directory;
	struct words set;
	bool parameters;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct error *err = arguments->output.err;

	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &arguments->output; return 0;
	case KEY_SET: return words_add(&arguments->set, arg, err) ? ENOMEM : 0;
	case KEY_PROFILES: return arg_name("profiles", arg, &arguments->directory, err);
	case KEY_PARAMETERS: arguments->parameters = true; return 0;
	case ARGP_KEY_ARG:
		if (arguments->profile) {
			error_usage(err, "show takes one profile, but got '%s' and '%s'",
				    arguments->profile, arg);
			return EINVAL;
		}
		arguments->profile = arg;
		return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static int parse_arguments(struct arguments *arguments, int argc, char **argv, struct error *err)
{
	static const struct argp_option options[] = {
		{"set", KEY_SET, "NAME=VALUE", 0, "Change a parameter; may be repeated", 0},
		{"profiles", KEY_PROFILES, "DIRECTORY", 0, "Look for profiles there first", 0},
		{"parameters", KEY_PARAMETERS, NULL, 0,
		 "What --set can change, instead of the profile", 0},
		{0},
	};
	static const struct argp_child children[] = {{&output_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "PROFILE",
		.doc = "Print a profile as JSON with all its parameters put in: a profile again.\v"
		       "  ssdbench show cdn > mine.json\n"
		       "  ssdbench show cdn --parameters\n",
		.children = children,
	};
	int rc;

	*arguments = (struct arguments){.output.err = err};
	rc = args_parse(&argp, argc, argv, arguments, err);
	if (rc == 0 && !arguments->profile)
		rc = error_usage(err, "show needs a profile; 'ssdbench list' names the profiles");
	return rc;
}

static int print_text(const struct profile *profile, struct error *err)
{
	char *text = profile_to_text(profile);
	int rc = 0;

	if (!text)
		return error_set(err, -ENOMEM, "not enough memory to print a profile");
	if (fputs(text, stdout) < 0 || fputc('\n', stdout) < 0 || fflush(stdout))
		rc = -errno;
	free(text);
	return output_result(rc, err);
}

static int print_parameters(const struct profile *profile, const struct output_arguments *output,
			    struct error *err)
{
	const struct report_style style = output_style(output, stdout);
	const int rc = output->format == FORMAT_JSON
			       ? report_parameters_json(stdout, profile)
			       : report_parameters_table(stdout, profile, &style);

	return output_result(rc, err);
}

int command_show(int argc, char **argv, const struct command_context *context, struct error *err)
{
	struct arguments arguments;
	struct profile *profile = NULL;
	struct profile_options options;
	int rc = parse_arguments(&arguments, argc, argv, err);

	(void)context;
	if (rc) {
		rc = args_end(rc);
		goto out;
	}
	options = (struct profile_options){
		.set = arguments.set.word,
		.nr_set = arguments.set.nr,
		.directory = arguments.directory,
	};
	rc = profile_load(&profile, arguments.profile, &options, err);
	if (rc)
		goto out;
	rc = arguments.parameters ? print_parameters(profile, &arguments.output, err)
				  : print_text(profile, err);
out:
	profile_free(profile);
	words_fini(&arguments.set);
	return rc;
}
