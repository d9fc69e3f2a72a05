// SPDX-License-Identifier: MIT
/* A plan as a table and as JSON: two drives, of which one skips a step. */
#include "test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/report.h"
#include "ssdbench/units.h"

static char name[] = "cdn", title[] = "Content delivery", hash_name[] = "embedded";
static char first[] = "disk0", second[] = "disk1", skip_text[] = "bs 512 < LBA 4096";
static char fill_label[] = "write 1MiB iodepth=1 numjobs=4", warning_text[] = "mind this";
static char small_label[] = "randread 512B iodepth=1 numjobs=1";
static const struct drive_facts facts[] = {
	{.name = first, .capacity_bytes = 7681501126656ULL, .logical_block_bytes = 512},
	{.name = second, .capacity_bytes = 3840750563328ULL, .logical_block_bytes = 4096},
};
static const struct drive_facts *const drives[] = {&facts[0], &facts[1]};

static struct size_mix mix = {.nr = 1, .entry = (void *)&(struct {
					       uint64_t bytes;
					       uint32_t basis_points;
				       }){1048576, 10000}};
static struct step_drive fill_drives[] = {
	{.span = {0, 7681501126656ULL}, .write_bytes = 7681501126656ULL},
	{.span = {0, 3840750563328ULL}, .write_bytes = 3840750563328ULL},
};
static struct step_drive small_drives[] = {
	{.span = {0, 7681501126656ULL}, .read_bytes = 1000000, .unwritten = true},
	{.skip = skip_text},
};
static struct step steps[] = {
	{.index = 0,
	 .phase_name = "fill",
	 .kind = PHASE_FILL,
	 .label = fill_label,
	 .rw = RW_WRITE,
	 .mix = &mix,
	 .iodepth = 1,
	 .numjobs = 4,
	 .passes = 1,
	 .drive = fill_drives,
	 .estimate_ns = 2560 * NSEC_PER_SEC},
	{.index = 1,
	 .phase_name = "small",
	 .kind = PHASE_MEASURE,
	 .label = small_label,
	 .rw = RW_RANDREAD,
	 .read_percent = 100,
	 .order = ORDER_RANDOM,
	 .mix = &mix,
	 .iodepth = 1,
	 .numjobs = 1,
	 .passes = 1,
	 .runtime_ns = 60 * NSEC_PER_SEC,
	 .drive = small_drives,
	 .estimate_ns = 60 * NSEC_PER_SEC},
};
static uint64_t read_bytes[] = {1000000, 0};
static uint64_t write_bytes[] = {7681501126656ULL, 3840750563328ULL};
static char *warnings[] = {warning_text};
static const struct profile profile = {.name = name, .title = title, .origin = hash_name};
static const struct plan plan = {
	.profile = &profile,
	.nr_drives = 2,
	.step = steps,
	.nr_steps = 2,
	.writes = true,
	.estimate_ns = 2620 * NSEC_PER_SEC,
	.write_rate = PLAN_ASSUMED_WRITE_RATE,
	.read_rate = PLAN_ASSUMED_READ_RATE,
	.read_bytes = read_bytes,
	.write_bytes = write_bytes,
	.warning = warnings,
	.nr_warnings = 1,
};

static void the_table_has_each_step_each_drive_and_the_assumptions(void **state)
{
	const struct report_style plain = {0};
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(report_plan_table(stream, &plan, drives, &plain), 0);
	fclose(stream);
	assert_non_null(strstr(text,
			       "1 fill  write 1MiB iodepth=1 numjobs=4    42 min 40 s       - "
			       "11.52 TB         1.00"));
	assert_non_null(strstr(text, "disk0 unwritten; disk1 skipped: bs 512 < LBA 4096"));
	assert_non_null(strstr(text, "disk0  7.68 TB 1.00 MB 7.68 TB         1.00 destroyed"));
	assert_non_null(strstr(text, "2 steps, 43 min 40 s in all"));
	assert_non_null(strstr(text, "reads at 7.00 GB/s and writes at 3.00 GB/s"));
	free(text);
}

static json_int_t integer(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static void the_json_has_exact_bytes_and_null_for_what_is_skipped(void **state)
{
	const json_t *step, *skipped;
	json_t *root;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(report_plan_json(stream, &plan, drives), 0);
	fclose(stream);
	root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	assert_int_equal(text[0], '{');
	assert_int_equal(integer(root, "estimate_ns"), 2620 * (json_int_t)NSEC_PER_SEC);
	assert_int_equal(integer(json_object_get(root, "assumed"), "write_bytes_per_s"),
			 3000000000);
	step = json_array_get(json_object_get(root, "steps"), 0);
	assert_int_equal(integer(json_array_get(json_object_get(step, "drives"), 0), "write_bytes"),
			 7681501126656);
	step = json_array_get(json_object_get(root, "steps"), 1);
	skipped = json_array_get(json_object_get(step, "drives"), 1);
	assert_string_equal(json_string_value(json_object_get(skipped, "skipped")), skip_text);
	assert_true(json_is_null(json_object_get(skipped, "read_bytes")));
	assert_true(json_is_null(json_object_get(skipped, "span_bytes")));
	assert_string_equal(json_string_value(json_array_get(json_object_get(root, "warnings"), 0)),
			    warning_text);
	json_decref(root);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_has_each_step_each_drive_and_the_assumptions),
		cmocka_unit_test(the_json_has_exact_bytes_and_null_for_what_is_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
