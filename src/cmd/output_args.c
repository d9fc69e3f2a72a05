// SPDX-License-Identifier: MIT
#include "output_args.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { KEY_FORMAT = 0x2000, KEY_COLOUR };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "Output:", 6},
	{"format", KEY_FORMAT, "table|json", 0, "What standard output gets (default: table)", 0},
	{"color", KEY_COLOUR, "auto|always|never", 0,
	 "Colours in tables; NO_COLOR switches them off too", 0},
	{"colour", KEY_COLOUR, NULL, OPTION_ALIAS, NULL, 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const formats[] = {"table", "json", NULL};
	static const char *const colours[] = {"auto", "always", "never", NULL};
	struct output_arguments *arguments = state->input;
	int choice;

	switch (key) {
	case KEY_FORMAT:
		choice = arg_choice("format", arg, formats, arguments->err);
		if (choice < 0)
			return EINVAL;
		arguments->format = (enum output_format)choice;
		return 0;
	case KEY_COLOUR:
		choice = arg_choice("color", arg, colours, arguments->err);
		if (choice < 0)
			return EINVAL;
		arguments->colour = (enum output_colour)choice;
		return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

const struct argp output_argp = {.options = options, .parser = parse};

static bool wants_colour(const struct output_arguments *arguments, bool terminal)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (arguments->colour != COLOUR_AUTO)
		return arguments->colour == COLOUR_ALWAYS;
	return terminal && !(no_color && no_color[0]) && !(term && strcmp(term, "dumb") == 0);
}

struct report_style output_style(const struct output_arguments *arguments, FILE *stream)
{
	const bool terminal = isatty(fileno(stream));
	struct winsize size;

	return (struct report_style){
		.colour = wants_colour(arguments, terminal),
		.width =
			terminal && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0,
	};
}

int output_result(int rc, struct error *err)
{
	if (rc >= 0)
		return 0;
	return error_set(err, rc, "cannot write to standard output: %s", strerror(-rc));
}
