// SPDX-License-Identifier: MIT
/* The table of a run, from rows made by hand to the text on a stream. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/report.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct report_style plain = {0};

static char phase_name[] = "random";
static char fill_label[] = "write 1MiB iodepth=1 numjobs=4";
static char read_label[] = "randread 4KiB iodepth=32 numjobs=4";
static char mixed_label[] = "randrw 4KiB rwmixread=70 iodepth=8 numjobs=1";
static char small_label[] = "randread 512B iodepth=1 numjobs=1";
static char gate_text[] = "iops >= 100000";
static struct gate gate = {
	.text = gate_text, .metric = METRIC_IOPS, .comparison = CMP_GE, .value = 100000};

static const struct step steps[] = {
	{.phase_name = "fill",
	 .kind = PHASE_FILL,
	 .label = fill_label,
	 .rw = RW_WRITE,
	 .iodepth = 1,
	 .numjobs = 4},
	{.phase_name = phase_name,
	 .kind = PHASE_MEASURE,
	 .label = read_label,
	 .rw = RW_RANDREAD,
	 .iodepth = 32,
	 .numjobs = 4,
	 .gate = &gate,
	 .nr_gates = 1},
	{.phase_name = phase_name,
	 .kind = PHASE_MEASURE,
	 .label = mixed_label,
	 .rw = RW_RANDRW,
	 .iodepth = 8,
	 .numjobs = 1},
	{.phase_name = phase_name,
	 .kind = PHASE_MEASURE,
	 .label = small_label,
	 .rw = RW_RANDREAD,
	 .iodepth = 1,
	 .numjobs = 1,
	 .gate = &gate,
	 .nr_gates = 1},
};

static const struct row_figures figures = {
	.ios = 812500,
	.bytes = 812500 * 4096ULL,
	.iops = 81250.0,
	.bandwidth = 332800000.0,
	.latency_mean_ns = 1575000.0,
	.latency_p99_ns = 4010000,
	.latency_max_ns = 20100000000ULL,
};

/* The table of @rows on the drives @facts; release the text with free(). */
static char *table_of(struct row *rows, size_t nr_rows, const struct drive_facts *const *facts,
		      size_t nr_drives)
{
	static char name[] = "quick", title[] = "Every kind of row";
	const struct profile profile = {.name = name, .title = title};
	const struct plan plan = {.profile = &profile, .nr_drives = nr_drives};
	const struct run_outcome outcome = {.row = rows, .nr_rows = nr_rows};
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_int_equal(report_result_table(stream, &plan, facts, &outcome, &plain), 0);
	fclose(stream);
	return text;
}

/* The line of @text that begins with @start, in a static buffer; NULL: there is none. */
static const char *line_of(const char *text, const char *start)
{
	static char line[512];

	while (text && strncmp(text, start, strlen(start)) != 0) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	if (!text)
		return NULL;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
	return line;
}

static char drive_name[] = "nvme0n1", other_name[] = "nvme1n1", serial[] = "TESTSN0001",
	    model[] = "ACME 7.68TB";
static const struct drive_facts facts = {
	.name = drive_name,
	.model = model,
	.serial = serial,
	.capacity_bytes = 7681501126656ULL,
	.logical_block_bytes = 4096,
};
static const struct drive_facts other_facts = {.name = other_name, .capacity_bytes = 1000000};
static const struct drive_facts *const one_drive[] = {&facts};
static const struct drive_facts *const two_drives[] = {&facts, &other_facts};

static void a_row_has_figures_of_three_digits(void **state)
{
	struct row row = {.step = &steps[1], .dir[DIR_READ] = figures};
	char *text = table_of(&row, 1, one_drive, 1);

	(void)state;
	assert_non_null(
		line_of(text, "nvme0n1: ACME 7.68TB, serial TESTSN0001, 7.68 TB, LBA 4096"));
	assert_string_equal(line_of(text, "random"), "random randread 4KiB      32    4  333 81250 "
						     "1.58 ms 4.01 ms 20.1 s");
	free(text);
}

static void a_skipped_row_has_a_reason_and_no_figures(void **state)
{
	struct row row = {.step = &steps[3], .status = STEP_SKIPPED, .reason = "bs 512 < LBA 4096"};
	char *text = table_of(&row, 1, one_drive, 1);

	(void)state;
	assert_string_equal(line_of(text, "random"),
			    "random randread 512B       1    1    -    -    -   -   - skipped: bs "
			    "512 < LBA 4096");
	assert_null(strstr(line_of(text, "random"), " 0"));
	/* and it holds no gate */
	assert_non_null(
		line_of(text, "gate without a figure: iops >= 100000 (random: randread 512B"));
	assert_string_equal(line_of(text, "gates:"), "gates: 0 held, 0 broken, 1 without a figure");
	free(text);
}

static void a_direction_without_io_has_no_figures(void **state)
{
	struct row row = {.step = &steps[2], .dir[DIR_READ] = figures};
	char *text = table_of(&row, 1, one_drive, 1);

	(void)state;
	assert_non_null(strstr(text, "randrw 4KiB rwmixread=70, reads        8    1  333 81250"));
	assert_non_null(strstr(text, "randrw 4KiB rwmixread=70, writes       8    1    -     -"));
	free(text);
}

static void a_mark_has_its_evidence_below(void **state)
{
	struct row rows[2] = {
		{.step = &steps[1], .dir[DIR_READ] = figures},
		{.step = &steps[2], .dir[DIR_READ] = figures},
	};
	char *text;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		rows[i].flag[0] = (struct flag){FLAG_UNWRITTEN, "nothing was written before"};
		rows[i].flag[1] = (struct flag){FLAG_HOST_LIMITED, "a worker at 97 % CPU"};
		rows[i].nr_flags = 2;
	}
	text = table_of(rows, COUNT(rows), one_drive, 1);
	assert_non_null(strstr(line_of(text, "random randread"), "20.1 s U H"));
	assert_string_equal(line_of(text, "U "), "U  unwritten: nothing was written before");
	assert_string_equal(line_of(text, "H "), "H  host_limited: a worker at 97 % CPU");
	/* once, although two rows have it */
	assert_null(line_of(strstr(text, "U  unwritten") + 1, "U  unwritten"));
	free(text);
}

static void a_broken_gate_is_named_with_its_value(void **state)
{
	struct row row = {.step = &steps[1], .dir[DIR_READ] = figures};
	char *text = table_of(&row, 1, one_drive, 1);

	(void)state;
	assert_string_equal(line_of(text, "gate broken:"),
			    "gate broken: iops >= 100000, but it was 81250 (random: randread 4KiB "
			    "iodepth=32 numjobs=4)");
	assert_string_equal(line_of(text, "gates:"), "gates: 0 held, 1 broken, 0 without a figure");
	free(text);
}

static void two_drives_have_a_row_each_and_one_gate_together(void **state)
{
	struct row rows[] = {
		{.step = &steps[1], .drive = 0, .dir[DIR_READ] = figures},
		{.step = &steps[1], .drive = 1, .dir[DIR_READ] = figures},
		{.step = &steps[1], .drive = ROW_TOTAL, .dir[DIR_READ] = figures},
	};
	char *text;

	(void)state;
	rows[2].dir[DIR_READ].iops *= 2;
	text = table_of(rows, COUNT(rows), two_drives, 2);
	assert_non_null(strstr(text, " nvme0n1 "));
	assert_non_null(strstr(text, " nvme1n1 "));
	assert_non_null(strstr(text, " all "));
	assert_string_equal(line_of(text, "gates:"), "gates: 1 held, 0 broken, 0 without a figure");
	free(text);
}

static void what_prepares_the_drive_stands_apart(void **state)
{
	struct row rows[] = {
		{.step = &steps[0], .dir[DIR_WRITE] = figures},
		{.step = &steps[1], .dir[DIR_READ] = figures},
	};
	char *text = table_of(rows, COUNT(rows), one_drive, 1);

	(void)state;
	assert_non_null(strstr(text, "Preparation\nPHASE"));
	assert_true(strstr(text, "fill  write 1MiB") < strstr(text, "Measured\nPHASE"));
	assert_true(strstr(text, "randread") > strstr(text, "Measured\nPHASE"));
	free(text);
}

static void a_full_disk_is_an_errno(void **state)
{
	static char name[] = "quick", title[] = "Every kind of row";
	const struct profile profile = {.name = name, .title = title};
	const struct plan plan = {.profile = &profile, .nr_drives = 1};
	struct row row = {.step = &steps[1], .dir[DIR_READ] = figures};
	const struct run_outcome outcome = {.row = &row, .nr_rows = 1};
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip();
	assert_int_equal(report_result_table(full, &plan, one_drive, &outcome, &plain), -ENOSPC);
	fclose(full);
}

static void a_purge_says_how_it_went(void **state)
{
	static char label[] = "purge auto";
	static const struct step purge = {
		.phase_name = "purge", .kind = PHASE_PURGE, .label = label, .purge = PURGE_AUTO};
	struct row rows[] = {
		{.step = &purge, .drive = 0, .purge = PURGE_FORMAT, .purge_ns = 3000000000},
		{.step = &purge,
		 .drive = 1,
		 .status = STEP_ERRORS,
		 .reason = "nvme1n1: Format NVM: the drive answers NVMe status 0x10a"},
		{.step = &purge, .drive = ROW_TOTAL, .status = STEP_ERRORS, .reason = "twice"},
	};
	char *text = table_of(rows, COUNT(rows), two_drives, 2);

	(void)state;
	assert_non_null(strstr(text, "Preparation"));
	assert_non_null(strstr(text, "by format in 3 s"));
	assert_non_null(strstr(text, "errors: nvme1n1: Format NVM: the drive answers NVMe"));
	assert_null(strstr(text, "twice"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_figures_of_three_digits),
		cmocka_unit_test(a_purge_says_how_it_went),
		cmocka_unit_test(a_skipped_row_has_a_reason_and_no_figures),
		cmocka_unit_test(a_direction_without_io_has_no_figures),
		cmocka_unit_test(a_mark_has_its_evidence_below),
		cmocka_unit_test(a_broken_gate_is_named_with_its_value),
		cmocka_unit_test(two_drives_have_a_row_each_and_one_gate_together),
		cmocka_unit_test(what_prepares_the_drive_stands_apart),
		cmocka_unit_test(a_full_disk_is_an_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
