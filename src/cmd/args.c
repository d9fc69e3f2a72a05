// SPDX-License-Identifier: MIT
/*
 * The caller's argp becomes the child of one of ours, which adds --help and --usage and sees every error.
 * argp's own messages take two lines and its own --help exits, so both are off.
 */
#include "args.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/nearest.h"
#include "ssdbench/units.h"

#define KEY_USAGE 0x1000

struct parsing {
	const struct argp *root;
	const char *command;
	void *input;
	bool helped;
	struct error *err;
};

int words_add(struct words *words, const char *word, struct error *err)
{
	const char **list = reallocarray(words->word, words->nr + 1, sizeof(*list));

	if (!list)
		return error_set(err, -ENOMEM, "not enough memory for the command line");
	words->word = list;
	words->word[words->nr++] = word;
	return 0;
}

void words_fini(struct words *words)
{
	free(words->word);
	*words = (struct words){0};
}

/* What the option tables say of a word: the option itself, how many it may stand for, the nearest. */
struct search {
	const char *name; /* without dashes and without "=value" */
	size_t length;
	const struct argp_option *exact;
	unsigned int begins; /* options that begin with it */
	struct nearest nearest;
};

static void search_options(struct search *search, const struct argp *argp)
{
	const struct argp_option *option = argp->options;

	for (; option && (option->name || option->doc || option->key); option++) {
		if (!option->name)
			continue;
		if (strncmp(option->name, search->name, search->length) == 0) {
			search->begins++;
			if (option->name[search->length] == '\0')
				search->exact = option;
		}
		nearest_offer(&search->nearest, search->name, option->name);
	}
	for (const struct argp_child *child = argp->children; child && child->argp; child++)
		search_options(search, child->argp);
}

/* argp says only that an option is wrong; the tables tell how. */
static void explain(const struct parsing *parsing, const char *word)
{
	char name[64];
	struct search search = {.name = name};
	const char *text = word + strspn(word, "-");

	search.length = strcspn(text, "=");
	if (search.length >= sizeof(name))
		search.length = sizeof(name) - 1;
	memcpy(name, text, search.length);
	name[search.length] = '\0';
	search_options(&search, parsing->root);

	if (search.exact && search.exact->arg)
		error_usage(parsing->err, "option '--%s' needs a value (%s)", name,
			    search.exact->arg);
	else if (search.exact)
		error_usage(parsing->err, "option '--%s' takes no value", name);
	else if (search.begins > 1 && search.length > 0)
		error_usage(parsing->err, "option '%s' is ambiguous; see 'ssdbench %s --help'",
			    word, parsing->command);
	else if (search.nearest.word)
		error_usage(parsing->err, "unknown option '%s': did you mean '--%s'?", word,
			    search.nearest.word);
	else
		error_usage(parsing->err, "unknown option '%s'; see 'ssdbench %s --help'", word,
			    parsing->command);
}

/* The word that argp stopped at: usually the one before next, but not amid a bundle of letters. */
static const char *stopped_at(const struct argp_state *state)
{
	const char *before = state->next > 1 ? state->argv[state->next - 1] : "";

	if (before[0] == '-' || state->next >= state->argc)
		return before;
	return state->argv[state->next];
}

/* Help is an answer: what else stands on the command line does not matter any more. */
static void print_help(struct parsing *parsing, struct argp_state *state, unsigned int flags)
{
	char name[64];

	snprintf(name, sizeof(name), "ssdbench %s", parsing->command);
	argp_help(parsing->root, stdout, flags, name);
	state->next = state->argc;
	parsing->helped = true;
}

static error_t parse_root(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = parsing->input; return 0;
	case 'h': print_help(parsing, state, ARGP_HELP_STD_HELP); return 0;
	case KEY_USAGE: print_help(parsing, state, ARGP_HELP_USAGE); return 0;
	case ARGP_KEY_ERROR:
		if (parsing->err->kind == ERROR_NONE)
			explain(parsing, stopped_at(state));
		return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

int args_parse(const struct argp *argp, int argc, char **argv, void *input, struct error *err)
{
	static const struct argp_option options[] = {
		{"help", 'h', NULL, 0, "Print this help", -1},
		{"usage", KEY_USAGE, NULL, 0, "Print the options in short", -1},
		{0},
	};
	/* The words about arguments are the root's: argp would print those of a child again. */
	const struct argp child = {
		.options = argp->options, .parser = argp->parser, .children = argp->children};
	const struct argp_child children[] = {{&child, 0, NULL, 0}, {0}};
	const struct argp root = {
		.options = options,
		.parser = parse_root,
		.args_doc = argp->args_doc,
		.doc = argp->doc,
		.children = children,
	};
	struct parsing parsing = {.root = &root, .command = argv[0], .input = input, .err = err};
	const error_t rc = argp_parse(&root, argc, argv, ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP,
				      NULL, &parsing);

	if (rc && err->kind == ERROR_NONE)
		return error_set(err, -rc, "cannot read the command line: %s", strerror(rc));
	if (rc)
		return err->code;
	return parsing.helped ? ARGS_HELP : 0;
}

static error_t about_option(const char *option, int rc, struct error *err)
{
	if (rc == 0)
		return 0;
	error_prefix(err, "--%s", option);
	return EINVAL;
}

error_t arg_size(const char *option, const char *text, uint64_t *bytes, struct error *err)
{
	uint64_t size;
	int rc = size_parse(text, &size, err);

	if (rc == 0 && size == 0)
		rc = error_usage(err, "must be above 0");
	if (rc == 0)
		*bytes = size;
	return about_option(option, rc, err);
}

error_t arg_duration(const char *option, const char *text, uint64_t *ns, struct error *err)
{
	return about_option(option, duration_parse(text, ns, err), err);
}

error_t arg_number(const char *option, const char *text, uint64_t *number, struct error *err)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno == ERANGE && text[0] != '-') {
		error_usage(err, "--%s: '%s' is above %" PRIu64, option, text, UINT64_MAX);
		return EINVAL;
	}
	if (!isdigit((unsigned char)text[0]) || *end || errno) {
		error_usage(err, "--%s: '%s' is not a whole number", option, text);
		return EINVAL;
	}
	*number = value;
	return 0;
}

error_t arg_name(const char *option, const char *text, const char **name, struct error *err)
{
	if (text[0] == '\0') {
		error_usage(err, "--%s: the name is empty (an unset variable?)", option);
		return EINVAL;
	}
	*name = text;
	return 0;
}

int arg_choice(const char *option, const char *text, const char *const *list, struct error *err)
{
	char all[256] = "";

	for (int i = 0; list[i]; i++) {
		const size_t used = strlen(all);

		if (strcmp(list[i], text) == 0)
			return i;
		snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "", list[i]);
	}
	error_usage(err, "--%s: '%s' is none of %s", option, text, all);
	return -1;
}
