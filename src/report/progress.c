// SPDX-License-Identifier: MIT
/*
 * What a run says while it goes on. On a terminal one line is drawn again and again; elsewhere each step
 * leaves one line when it ends. Warnings are printed in any case.
 */
#include "ssdbench/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "figures.h"

#define LINE_MAX_COLUMNS 512

struct progress {
	FILE *stream;
	bool terminal, quiet;
	bool drawn; /* a line stands there that must be cleared before anything else is printed */
	struct run_listener listener;
	const struct plan *plan; /* borrowed, since step_begin */

	/* The rate shown is that of the last second or so, not the mean since the start. */
	uint64_t mark_bytes, mark_ns;
	double rate;
};

static unsigned int terminal_columns(FILE *stream)
{
	struct winsize size;

	if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

/* Phases count as the plan has them: --only leaves others out. @nr: how many there are. */
static unsigned int phase_ordinal(const struct plan *plan, const struct step *step,
				  unsigned int *nr)
{
	unsigned int ordinal = 0;

	*nr = 0;
	for (size_t i = 0; i < plan->nr_steps; i++) {
		if (i == 0 || plan->step[i].phase != plan->step[i - 1].phase)
			++*nr;
		if (plan->step[i].phase == step->phase)
			ordinal = *nr;
	}
	return ordinal;
}

static void place_format(const struct progress *progress, const struct step *step, char *text,
			 size_t size)
{
	unsigned int nr = 0, ordinal = 0;

	if (progress->plan)
		ordinal = phase_ordinal(progress->plan, step, &nr);
	snprintf(text, size, "phase %u of %u  %s: %s", ordinal, nr, step->phase_name, step->label);
}

static void clear_line(struct progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[K", progress->stream);
	progress->drawn = false;
}

/* A line that is wider than the terminal would scroll, so the place gives way. */
static void draw_line(struct progress *progress, const char *place, const char *figures)
{
	const unsigned int columns = terminal_columns(progress->stream);
	const size_t room = columns > strlen(figures) + 1 ? columns - strlen(figures) - 1 : 0;

	fprintf(progress->stream, "\r\033[K%.*s%s", (int)room, place, figures);
	fflush(progress->stream);
	progress->drawn = true;
}

static void on_step_begin(void *context, const struct step *step, const struct plan *plan)
{
	struct progress *progress = context;
	char place[LINE_MAX_COLUMNS];

	progress->plan = plan;
	progress->mark_bytes = 0;
	progress->mark_ns = 0;
	progress->rate = 0;
	if (progress->quiet || !progress->terminal)
		return;
	place_format(progress, step, place, sizeof(place));
	draw_line(progress, place, "");
}

static void update_rate(struct progress *progress, uint64_t bytes, uint64_t elapsed_ns)
{
	const uint64_t span_ns = elapsed_ns - progress->mark_ns;

	if (elapsed_ns < progress->mark_ns + NSEC_PER_SEC && progress->mark_ns != 0)
		return;
	if (span_ns > 0 && bytes >= progress->mark_bytes)
		progress->rate = (double)(bytes - progress->mark_bytes) * (double)NSEC_PER_SEC /
				 (double)span_ns;
	progress->mark_bytes = bytes;
	progress->mark_ns = elapsed_ns;
}

static void on_progress(void *context, const struct step *step, uint64_t bytes, uint64_t elapsed_ns,
			uint64_t left_ns)
{
	struct progress *progress = context;
	char place[LINE_MAX_COLUMNS], figures[160];
	char rate[UNITS_TEXT_MAX], elapsed[UNITS_TEXT_MAX], left[UNITS_TEXT_MAX];

	if (progress->quiet || !progress->terminal)
		return;
	update_rate(progress, bytes, elapsed_ns);
	place_format(progress, step, place, sizeof(place));
	snprintf(figures, sizeof(figures), "  %s MB/s  %s  left %s",
		 bandwidth_format(progress->rate, rate), duration_human(elapsed_ns, elapsed),
		 duration_human(left_ns, left));
	draw_line(progress, place, figures);
}

static void on_purge(void *context, const struct step *step, const char *drive, double fraction)
{
	struct progress *progress = context;
	char place[LINE_MAX_COLUMNS], figures[160];

	if (progress->quiet || !progress->terminal)
		return;
	place_format(progress, step, place, sizeof(place));
	snprintf(figures, sizeof(figures), "  %.64s %.0f %%", drive, 100 * fraction);
	draw_line(progress, place, figures);
}

static void print_direction(FILE *stream, const char *word, const struct row_figures *figures)
{
	char rate[UNITS_TEXT_MAX], iops[UNITS_TEXT_MAX], mean[UNITS_TEXT_MAX];

	if (figures->ios == 0)
		return;
	fprintf(stream, ", %s %s MB/s %s IOPS mean %s", word,
		bandwidth_format(figures->bandwidth, rate), figure_format(figures->iops, iops),
		latency_human(figures->latency_mean_ns, mean));
}

/* The last row is the total, or that of the only drive. */
static void on_step_end(void *context, const struct row *rows, size_t nr)
{
	struct progress *progress = context;
	const struct row *row = &rows[nr - 1];
	char place[LINE_MAX_COLUMNS], time[UNITS_TEXT_MAX];

	if (progress->quiet || progress->terminal || nr == 0)
		return;
	place_format(progress, row->step, place, sizeof(place));
	fprintf(progress->stream, "%s, %s", place, step_status_name(row->status));
	if (row->reason[0])
		fprintf(progress->stream, " (%s)", row->reason);
	if (row->status == STEP_OK && row->purge != PURGE_NONE)
		fprintf(progress->stream, ", by %s in %s", purge_method_name(row->purge),
			duration_human(row->purge_ns, time));
	print_direction(progress->stream, "reads", &row->dir[DIR_READ]);
	print_direction(progress->stream, "writes", &row->dir[DIR_WRITE]);
	fputc('\n', progress->stream);
	fflush(progress->stream);
}

static void on_warning(void *context, const char *text)
{
	struct progress *progress = context;

	clear_line(progress);
	fprintf(progress->stream, "ssdbench: warning: %s\n", text);
	fflush(progress->stream);
}

struct progress *progress_open(FILE *stream, bool terminal, bool quiet)
{
	struct progress *progress = calloc(1, sizeof(*progress));

	if (!progress)
		return NULL;
	progress->stream = stream;
	progress->terminal = terminal;
	progress->quiet = quiet;
	progress->listener = (struct run_listener){
		.context = progress,
		.step_begin = on_step_begin,
		.progress = on_progress,
		.purge = on_purge,
		.step_end = on_step_end,
		.warning = on_warning,
	};
	return progress;
}

const struct run_listener *progress_listener(const struct progress *progress)
{
	return &progress->listener;
}

void progress_close(struct progress *progress)
{
	if (!progress)
		return;
	clear_line(progress);
	fflush(progress->stream);
	free(progress);
}
