// SPDX-License-Identifier: MIT
/* ssdbench schema: the JSON Schemas of what it reads and writes. */
#include <errno.h>

#include "cmd.h"
#include "output_args.h"
#include "ssdbench/schema.h"

struct arguments {
	const char *name;
	struct error *err;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (arguments->name) {
		error_usage(arguments->err, "schema takes one word, but got '%s' and '%s'",
			    arguments->name, arg);
		return EINVAL;
	}
	arguments->name = arg;
	return 0;
}

static int print_schema(const char *name, struct error *err)
{
	const char *text = schema_text(name);

	if (!text)
		return error_usage(err, "there is no schema '%s': ask for profile, result or check",
				   name);
	if (fputs(text, stdout) < 0 || fflush(stdout))
		return output_result(-errno, err);
	return 0;
}

int command_schema(int argc, char **argv, const struct command_context *context, struct error *err)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "profile|result|check",
		.doc = "Print the JSON Schema of profiles, of results or of checks.",
	};
	struct arguments arguments = {.err = err};
	int rc = args_parse(&argp, argc, argv, &arguments, err);

	(void)context;
	if (rc)
		return args_end(rc);
	if (!arguments.name)
		return error_usage(err, "schema needs a word: profile, result or check");
	return print_schema(arguments.name, err);
}
