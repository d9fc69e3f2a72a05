// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "ssdbench/report.h"
#include "ssdbench/units.h"

static char label[] = "randread 4KiB iodepth=1 numjobs=1";
static struct step steps[] = {
	{.phase = 0, .phase_name = "fill", .label = label, .rw = RW_RANDREAD},
	{.phase = 2, .phase_name = "random", .label = label, .rw = RW_RANDREAD},
	{.phase = 2, .phase_name = "random", .label = label, .rw = RW_RANDREAD},
};
static const struct plan plan = {.nr_drives = 1, .step = steps, .nr_steps = 3};

/* A run of the second step, told to a progress; returns what it printed. */
static char *text_of(bool terminal, bool quiet)
{
	const struct row row = {
		.step = &steps[1],
		.dir[DIR_READ] = {.ios = 10,
				  .iops = 1000,
				  .bandwidth = 4.1e6,
				  .latency_mean_ns = 1e6},
	};
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	struct progress *progress = progress_open(stream, terminal, quiet);
	const struct run_listener *listener = progress_listener(progress);

	listener->step_begin(listener->context, &steps[1], &plan);
	listener->progress(listener->context, &steps[1], 500000000, NSEC_PER_SEC,
			   90 * NSEC_PER_SEC);
	listener->warning(listener->context, "it is warm");
	listener->step_end(listener->context, &row, 1);
	progress_close(progress);
	fclose(stream);
	return text;
}

static void without_a_terminal_a_step_leaves_one_line(void **state)
{
	char *text = text_of(false, false);

	(void)state;
	assert_string_equal(text, "ssdbench: warning: it is warm\n"
				  "phase 2 of 2  random: randread 4KiB iodepth=1 numjobs=1, ok, "
				  "reads 4.10 MB/s 1000 IOPS mean 1.00 ms\n");
	free(text);
}

static void on_a_terminal_one_line_is_drawn_and_cleared(void **state)
{
	char *text = text_of(true, false);

	(void)state;
	assert_non_null(strstr(text, "\r\033[Kphase 2 of 2  random: randread"));
	assert_non_null(strstr(text, "  500 MB/s  1 s  left 1 min 30 s"));
	/* a warning is not appended to the drawn line */
	assert_non_null(strstr(text, "\r\033[Kssdbench: warning: it is warm\n"));
	assert_int_equal(text[strlen(text) - 1], '\n');
	free(text);
}

static void quiet_leaves_only_warnings(void **state)
{
	char *text = text_of(false, true);

	(void)state;
	assert_string_equal(text, "ssdbench: warning: it is warm\n");
	free(text);
	text = text_of(true, true);
	assert_string_equal(text, "ssdbench: warning: it is warm\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_terminal_a_step_leaves_one_line),
		cmocka_unit_test(on_a_terminal_one_line_is_drawn_and_cleared),
		cmocka_unit_test(quiet_leaves_only_warnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
