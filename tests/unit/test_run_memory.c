// SPDX-License-Identifier: MIT
/* A step of a day on eight drives: what it leaves is 691,200 samples, what it takes in memory is a minute of them. */
#include "test.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run_fixture.h"

#define SECONDS_OF_A_DAY 86400U
#define DRIVES           8U
#define GROWTH_MAX       (64ULL << 20)

/* Sanitizers keep freed memory and shadows of it: the peak is theirs then. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PEAK_IS_OURS false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PEAK_IS_OURS false
#endif
#endif
#ifndef PEAK_IS_OURS
#define PEAK_IS_OURS true
#endif

static struct fixture f;
static struct run_outcome outcome;

static uint64_t peak_bytes(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	unsigned long long kib = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) && sscanf(line, "VmHWM: %llu", &kib) != 1)
		;
	fclose(file);
	assert_true(kib > 0);
	return kib << 10;
}

static int a_day(struct engine_result *result, const struct step *step, size_t nr,
		 const struct engine_hooks *hooks, struct error *err)
{
	struct sample sample = {0};

	fixture_engine_ok(result, step, 1, hooks, err);
	engine_result_fini(result);
	fixture_result_init(result, step, nr);
	for (uint32_t second = 1; second < SECONDS_OF_A_DAY; second++) {
		for (uint32_t drive = 0; drive < nr; drive++) {
			sample.drive = drive;
			sample.second = second;
			sample.dir[DIR_READ].ios = second % 3 ? 1000000 + second : 0;
			sample.dir[DIR_READ].bytes = sample.dir[DIR_READ].ios * 4096;
			sample.dir[DIR_READ].latency_sum_ns = 90000000000ULL + second;
			sample.dir[DIR_READ].latency_min_ns = 50000 + second;
			sample.dir[DIR_READ].latency_max_ns = 9000000 + second;
			sample.dir[DIR_READ].latency_p50_ns = 80000 + second;
			sample.dir[DIR_READ].latency_p99_ns = 900000 + second;
			hooks->sample(hooks->context, &sample);
		}
	}
	return 0;
}

static unsigned int count_rows(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	unsigned int nr = 0;

	assert_non_null(file);
	while (getline(&line, &size, file) > 0)
		nr += line[0] == '[';
	free(line);
	fclose(file);
	return nr;
}

static int set_up(void **state)
{
	(void)state;
	fixture_init(&f, 1, DRIVES);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	run_outcome_fini(&outcome);
	fixture_fini(&f);
	return 0;
}

static void memory_does_not_grow_with_the_length_of_a_run(void **state)
{
	uint64_t before;

	(void)state;
	f.engine = a_day;
	before = peak_bytes();
	fixture_run(&f, &outcome);
	assert_true(outcome.saved);
	if (PEAK_IS_OURS)
		assert_in_range(peak_bytes() - before, 0, GROWTH_MAX);
	assert_int_equal(count_rows(outcome.result_path), (SECONDS_OF_A_DAY - 1) * DRIVES + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(memory_does_not_grow_with_the_length_of_a_run,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
