// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ssdbench/clock.h"

static const char *const folders[] = {
	"/devices",
	"/devices/system",
	"/devices/system/clocksource",
	"/devices/system/clocksource/clocksource0",
};

static const char file_name[] = "/devices/system/clocksource/clocksource0/current_clocksource";

/* clock_init() on a sysfs of ours that names @clocksource; NULL leaves the file out. */
static void init_with(struct clock *clock, const char *clocksource)
{
	char root[] = "/tmp/test_clock.XXXXXX";
	char path[256];
	FILE *file;

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", root, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof(path), "%s%s", root, file_name);
	if (clocksource) {
		file = fopen(path, "w");
		assert_non_null(file);
		fprintf(file, "%s\n", clocksource);
		fclose(file);
	}

	clock_init(clock, root);

	unlink(path);
	for (size_t i = 4; i-- > 0;) {
		snprintf(path, sizeof(path), "%s%s", root, folders[i]);
		rmdir(path);
	}
	rmdir(root);
}

static void wait_ms(long ms)
{
	const struct timespec wait = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&wait, NULL);
}

static void assert_tracks_monotonic(const struct clock *clock)
{
	uint64_t before, after, ns;

	wait_ms(200);
	before = clock_monotonic_ns();
	ns = clock_ns(clock, clock_ticks(clock));
	after = clock_monotonic_ns();
	assert_true(ns + NSEC_PER_MSEC >= before);
	assert_true(ns <= after + NSEC_PER_MSEC);
	assert_true(clock_drift_ns(clock) < (int64_t)NSEC_PER_MSEC);
	assert_true(clock_drift_ns(clock) > -(int64_t)NSEC_PER_MSEC);
}

static void assert_is_monotonic(const struct clock *clock)
{
	assert_false(clock->tsc);
	assert_string_equal(clock->name, "clock_monotonic");
	assert_int_equal(clock->mult, 1ULL << 32);
	assert_int_equal(clock_drift_ns(clock), 0);
}

static void other_clocksources_mean_clock_monotonic(void **state)
{
	static const char *const names[] = {"hpet", "acpi_pm", "xen", "tsc-early", "", NULL};
	struct clock clock;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		init_with(&clock, names[i]);
		assert_is_monotonic(&clock);
	}
	clock_init(&clock, "/nonexistent");
	assert_is_monotonic(&clock);
	assert_tracks_monotonic(&clock);
}

#if defined(__x86_64__)
static bool cpu_has_flag(const char *flag)
{
	char line[8192];
	bool found = false;
	FILE *file = fopen("/proc/cpuinfo", "r");

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = strncmp(line, "flags", 5) == 0 && strstr(line, flag);
	fclose(file);
	return found;
}

static void the_tsc_is_used_where_the_kernel_uses_it(void **state)
{
	struct clock clock;

	(void)state;
	/*
	 * A made-up sysfs may say tsc where this CPU's cannot be trusted: nothing to assert there.
	 */
	if (!cpu_has_flag(" constant_tsc") || !cpu_has_flag(" nonstop_tsc"))
		skip();
	init_with(&clock, "tsc");
	assert_true(clock.tsc);
	assert_string_equal(clock.name, "tsc");
	assert_tracks_monotonic(&clock);
	assert_int_equal(clock_ns(&clock, clock.base_ticks), clock.base_ns);
}

static void virtual_clocksources_need_an_invariant_tsc(void **state)
{
	const bool invariant = cpu_has_flag(" constant_tsc") && cpu_has_flag(" nonstop_tsc");
	struct clock clock;

	(void)state;
	init_with(&clock, "kvm-clock");
	assert_int_equal(clock.tsc, invariant);
	init_with(&clock, "hyperv_clocksource_tsc_page");
	assert_int_equal(clock.tsc, invariant);
}
#endif

static void spans_are_monotone_and_invert(void **state)
{
	/* 1 GHz exactly, 3 GHz, 100 MHz */
	static const uint64_t mults[] = {1ULL << 32, 1431655765, 10ULL << 32};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct clock clock = {.tsc = true, .mult = mults[i]};
		uint64_t last = 0;

		for (uint64_t ticks = 0; ticks < 1ULL << 57; ticks += ticks / 7 + 1) {
			const uint64_t ns = clock_span_ns(&clock, ticks);
			const uint64_t back = clock_span_ticks(&clock, ns);

			assert_true(ns >= last);
			assert_true(back <= ticks);
			/* Both round down: what is lost is below the ticks of one ns, and one. */
			assert_true(ticks - back <= (1ULL << 32) / mults[i] + 1);
			last = ns;
		}
	}
}

static void spans_are_not_cut_at_64_bits(void **state)
{
	const struct clock clock = {.mult = 1ULL << 32};
	const struct clock slow = {.mult = 1ULL << 31};

	(void)state;
	assert_int_equal(clock_span_ns(&clock, 1ULL << 62), 1ULL << 62);
	assert_int_equal(clock_span_ticks(&clock, 1ULL << 62), 1ULL << 62);
	assert_int_equal(clock_span_ns(&slow, 1ULL << 62), 1ULL << 61);
}

static void a_wrong_rate_shows_as_drift(void **state)
{
	struct clock clock;

	(void)state;
	clock_init(&clock, "/sys");
	if (!clock.tsc)
		skip();
	clock.mult += clock.mult / 10;
	wait_ms(100);
	assert_true(clock_drift_ns(&clock) > (int64_t)(9 * NSEC_PER_MSEC));
}

static void this_machine_is_tracked(void **state)
{
	struct clock clock;

	(void)state;
	clock_init(&clock, "/sys");
	assert_tracks_monotonic(&clock);
}

static void real_time_is_in_this_century(void **state)
{
	(void)state;
	assert_true(clock_realtime_ns() / NSEC_PER_SEC >= 946684800);
	assert_true(clock_realtime_ns() / NSEC_PER_SEC < 4102444800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_clocksources_mean_clock_monotonic),
#if defined(__x86_64__)
		cmocka_unit_test(the_tsc_is_used_where_the_kernel_uses_it),
		cmocka_unit_test(virtual_clocksources_need_an_invariant_tsc),
#endif
		cmocka_unit_test(spans_are_monotone_and_invert),
		cmocka_unit_test(spans_are_not_cut_at_64_bits),
		cmocka_unit_test(a_wrong_rate_shows_as_drift),
		cmocka_unit_test(this_machine_is_tracked),
		cmocka_unit_test(real_time_is_in_this_century),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
