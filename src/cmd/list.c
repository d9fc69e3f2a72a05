// SPDX-License-Identifier: MIT
/* ssdbench list: the profiles that there are. */
#include "cmd.h"
#include "output_args.h"

enum { KEY_PROFILES = 0x6000 };

struct arguments {
	struct output_arguments output;
	const char *directory;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &arguments->output; return 0;
	case KEY_PROFILES:
		return arg_name("profiles", arg, &arguments->directory, arguments->output.err);
	case ARGP_KEY_ARG:
		error_usage(arguments->output.err, "list takes no words, but got '%s'", arg);
		return EINVAL;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static int parse_arguments(struct arguments *arguments, int argc, char **argv, struct error *err)
{
	static const struct argp_option options[] = {
		{"profiles", KEY_PROFILES, "DIRECTORY", 0, "List the profiles there too", 0},
		{0},
	};
	static const struct argp_child children[] = {{&output_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.doc = "List the profiles: those that are built in and those of a directory.",
		.children = children,
	};

	*arguments = (struct arguments){.output.err = err};
	return args_parse(&argp, argc, argv, arguments, err);
}

int command_list(int argc, char **argv, const struct command_context *context, struct error *err)
{
	struct arguments arguments;
	struct profile_entry *entries;
	struct report_style style;
	size_t nr;
	int rc = parse_arguments(&arguments, argc, argv, err);

	(void)context;
	if (rc)
		return args_end(rc);
	rc = profile_list(&entries, &nr, arguments.directory, err);
	if (rc)
		return rc;
	style = output_style(&arguments.output, stdout);
	rc = arguments.output.format == FORMAT_JSON
		     ? report_profiles_json(stdout, entries, nr)
		     : report_profiles_table(stdout, entries, nr, &style);
	profile_list_free(entries, nr);
	return output_result(rc, err);
}
