// SPDX-License-Identifier: MIT
/* ssdbench check: what of this host and of drives would spoil a result. It changes nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "output_args.h"
#include "ssdbench/preflight.h"
#include "status.h"

enum { KEY_STRICT = 0x7000, KEY_IOPOLL };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "Check:", 3},
	{"strict", KEY_STRICT, NULL, 0, "End with status 1 where there is a warning", 0},
	{"iopoll", KEY_IOPOLL, NULL, 0, "Check for a run with --iopoll, which needs poll queues",
	 0},
	{"hipri", KEY_IOPOLL, NULL, OPTION_ALIAS, NULL, 0},
	{0},
};

struct arguments {
	struct words drives;
	struct output_arguments output;
	struct preflight_options preflight;
	bool strict;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &arguments->output; return 0;
	case ARGP_KEY_ARG:
		return words_add(&arguments->drives, arg, arguments->output.err) ? ENOMEM : 0;
	case KEY_STRICT: arguments->strict = true; return 0;
	case KEY_IOPOLL: arguments->preflight.iopoll = true; return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static int parse_arguments(struct arguments *arguments, int argc, char **argv, struct error *err)
{
	static const struct argp_child children[] = {{&output_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "[TARGET...]",
		.doc = "Tell what of this host and of drives would spoil a result, and how to mend it. "
		       "Nothing is changed.\v"
		       "  ssdbench check /dev/nvme1n1\n"
		       "  ssdbench check --strict --format json serial:PHLN1234\n",
		.children = children,
	};

	arguments->output.err = err;
	return args_parse(&argp, argc, argv, arguments, err);
}

/* A word that is refused is a finding too: *@refused tells why, and *@target stays NULL. */
static int find_target(struct target **target, char **refused, const char *word, struct error *err)
{
	const struct target_options target_options = {.allow_partition = true};
	struct error why = {0};
	int rc = target_find(target, word, &target_options, &why);

	if (rc == 0)
		return 0;
	if (why.kind != ERROR_REFUSED) {
		*err = why;
		return rc;
	}
	*refused = strdup(why.text);
	return *refused ? 0 : error_set(err, -ENOMEM, "not enough memory to check %s", word);
}

static int find_targets(struct target **targets, char **refused, const struct words *words,
			struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < words->nr; i++)
		rc = find_target(&targets[i], &refused[i], words->word[i], err);
	return rc;
}

/* The reasons become the preflight's. */
static void adopt_refused(struct preflight *preflight, const struct words *words, char **refused)
{
	for (size_t i = 0; i < preflight->nr_drives; i++) {
		if (!refused[i])
			continue;
		preflight->drive[i].name = words->word[i];
		preflight->drive[i].refused = refused[i];
		refused[i] = NULL;
	}
}

static int print_findings(const struct arguments *arguments, const struct preflight *preflight,
			  struct error *err)
{
	const struct report_style style = output_style(&arguments->output, stdout);
	struct findings findings;
	int rc = preflight_judge(&findings, preflight);

	if (rc)
		return error_set(err, rc, "not enough memory to check");
	rc = arguments->output.format == FORMAT_JSON
		     ? report_check_json(stdout, preflight, &findings)
		     : report_check_table(stdout, preflight, &findings, &style);
	rc = output_result(rc, err);
	if (rc == 0 && arguments->strict && findings_count(&findings, FINDING_WARNING))
		rc = STATUS_VERDICT;
	findings_fini(&findings);
	return rc;
}

static int check(const struct arguments *arguments, struct target **targets, char **refused,
		 struct error *err)
{
	const struct words *words = &arguments->drives;
	struct preflight preflight;
	int rc = find_targets(targets, refused, words, err);

	if (rc)
		return rc;
	rc = preflight_read(&preflight, &arguments->preflight, targets, words->nr,
			    &target_roots_default);
	if (rc == 0) {
		adopt_refused(&preflight, words, refused);
		rc = print_findings(arguments, &preflight, err);
	} else {
		error_set(err, rc, "not enough memory to check");
	}
	preflight_fini(&preflight);
	return rc;
}

int command_check(int argc, char **argv, const struct command_context *context, struct error *err)
{
	struct arguments arguments = {0};
	struct target **targets = NULL;
	char **refused = NULL;
	int rc = parse_arguments(&arguments, argc, argv, err);

	(void)context;
	if (rc) {
		rc = args_end(rc);
		goto out;
	}
	targets = calloc(arguments.drives.nr + 1, sizeof(struct target *));
	refused = calloc(arguments.drives.nr + 1, sizeof(char *));
	rc = targets && refused ? check(&arguments, targets, refused, err)
				: error_set(err, -ENOMEM, "not enough memory to check");
	for (size_t i = 0; i < arguments.drives.nr && targets && refused; i++) {
		target_close(targets[i]);
		free(refused[i]);
	}
out:
	free(targets);
	free(refused);
	words_fini(&arguments.drives);
	return rc;
}
