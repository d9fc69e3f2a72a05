// SPDX-License-Identifier: MIT
/* ssdbench drives: the drives of this machine, and whether they could be targets. */
#include "cmd.h"
#include "output_args.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct output_arguments *output = state->input;

	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = output; return 0;
	case ARGP_KEY_ARG:
		error_usage(output->err, "drives takes no words, but got '%s'", arg);
		return EINVAL;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static int parse_arguments(struct output_arguments *output, int argc, char **argv,
			   struct error *err)
{
	static const struct argp_child children[] = {{&output_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.parser = parse,
		.doc = "List the drives of this machine, and whether they could be targets.",
		.children = children,
	};

	*output = (struct output_arguments){.err = err};
	return args_parse(&argp, argc, argv, output, err);
}

int command_drives(int argc, char **argv, const struct command_context *context, struct error *err)
{
	struct output_arguments output;
	struct report_style style;
	struct drive_entry *entries;
	size_t nr;
	int rc = parse_arguments(&output, argc, argv, err);

	(void)context;
	if (rc)
		return args_end(rc);
	rc = drives_list(&entries, &nr, &target_roots_default, err);
	if (rc)
		return rc;
	style = output_style(&output, stdout);
	rc = output.format == FORMAT_JSON ? report_drives_json(stdout, entries, nr)
					  : report_drives_table(stdout, entries, nr, &style);
	drives_list_free(entries, nr);
	return output_result(rc, err);
}
