/* SPDX-License-Identifier: MIT */
/*
 * Command lines by argp, with our manners: a mistake is one line and an error, never an exit; --help goes to
 * stdout; tables of options are shared between commands as argp children.
 */
#ifndef SSDBENCH_CMD_ARGS_H
#define SSDBENCH_CMD_ARGS_H

#include <argp.h>
#include <stddef.h>
#include <stdint.h>

#include "ssdbench/error.h"

/* The words of a command line, borrowed from it: targets, or the values of an option given several times. */
struct words {
	const char **word;
	size_t nr;
};

/* 0 or -ENOMEM and @err. Release with words_fini(). */
int words_add(struct words *words, const char *word, struct error *err);
void words_fini(struct words *words);

/*
 * Parse @argv by @argp, whose parser gets @input and returns 0, ARGP_ERR_UNKNOWN, or an error after filling
 * @err. 0; ARGS_HELP: help was asked for and printed, so do nothing else; or a negative errno and @err. Words
 * that are missing are for the caller to find: with --help none are needed.
 */
#define ARGS_HELP 1
int args_parse(const struct argp *argp, int argc, char **argv, void *input, struct error *err);

/* What a command returns that goes no further after args_parse(): help was what it was asked for. */
static inline int args_end(int rc)
{
	return rc == ARGS_HELP ? 0 : rc;
}

/* Values of options; the messages name @option. Each is 0, or EINVAL for argp with @err filled. */
error_t arg_size(const char *option, const char *text, uint64_t *bytes,
		 struct error *err); /* not 0 */
error_t arg_duration(const char *option, const char *text, uint64_t *ns, struct error *err);
error_t arg_number(const char *option, const char *text, uint64_t *number, struct error *err);
error_t arg_name(const char *option, const char *text, const char **name,
		 struct error *err); /* not "" */

/* The index of @text in the NULL-ended @list, or -1 and @err, which names them all. */
int arg_choice(const char *option, const char *text, const char *const *list, struct error *err);

#endif
