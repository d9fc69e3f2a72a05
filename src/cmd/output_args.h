/* SPDX-License-Identifier: MIT */
/* Options about what stdout gets: --format and --color. */
#ifndef SSDBENCH_CMD_OUTPUT_ARGS_H
#define SSDBENCH_CMD_OUTPUT_ARGS_H

#include "args.h"
#include "ssdbench/report.h"

enum output_format { FORMAT_TABLE, FORMAT_JSON };
enum output_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* All zero is the default. */
struct output_arguments {
	enum output_format format;
	enum output_colour colour;
	struct error *err;
};

/* A child parser; its input is a struct output_arguments. */
extern const struct argp output_argp;

/* How to draw on @stream: colours by --color, NO_COLOR (https://no-color.org) and whether it is a terminal, and
 * the width of that. */
struct report_style output_style(const struct output_arguments *arguments, FILE *stream);

/* The negative errno of a report as an error of standard output; 0 stays 0. */
int output_result(int rc, struct error *err);

#endif
