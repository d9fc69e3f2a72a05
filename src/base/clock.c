// SPDX-License-Identifier: MIT
/*
 * The TSC is trusted where the kernel trusts it; the kernel watches it against other clocks and
 * changes its clocksource when it fails. Its rate is measured, not read: CPUID gives a nominal one
 * only.
 */
#include "ssdbench/clock.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Enough for 0.1 us in a second: either end is read to some ns. */
#define CALIBRATION_NS (10 * NSEC_PER_MSEC)

uint64_t clock_realtime_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static void use_monotonic(struct clock *clock)
{
	*clock = (struct clock){
		.mult = 1ULL << 32,
		.name = "clock_monotonic",
	};
	clock->base_ns = clock_monotonic_ns();
	clock->base_ticks = clock->base_ns;
}

#if defined(__x86_64__)

struct moment {
	uint64_t ticks;
	uint64_t ns;
};

/*
 * One instant on both clocks: of several tries the one in which the least time passed between the
 * two readings of the TSC, since an interrupt may fall into any of them.
 */
static struct moment read_both(void)
{
	struct moment best = {0};
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 64; i++) {
		const uint64_t before = __rdtsc();
		const uint64_t ns = clock_monotonic_ns();
		const uint64_t width = __rdtsc() - before;

		if (width < least) {
			least = width;
			best.ticks = before + width / 2;
			best.ns = ns;
		}
	}
	return best;
}

static void read_clocksource(const char *sysfs, char *name, int size)
{
	char path[4096];
	FILE *file;

	name[0] = '\0';
	snprintf(path, sizeof(path),
		 "%s/devices/system/clocksource/clocksource0/current_clocksource", sysfs);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(name, size, file))
		name[0] = '\0';
	name[strcspn(name, "\n")] = '\0';
	fclose(file);
}

/* CPUID 8000_0007h EDX bit 8, from which the kernel takes both constant_tsc and nonstop_tsc. */
static bool tsc_is_invariant(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & (1U << 8));
}

static bool kernel_keeps_time_by_tsc(const char *sysfs)
{
	char name[64];

	read_clocksource(sysfs, name, sizeof(name));
	if (strcmp(name, "tsc") == 0)
		return true;
	/* These two are pages that scale the TSC; the guest's own TSC must not stop or change. */
	return (strcmp(name, "kvm-clock") == 0 ||
		strcmp(name, "hyperv_clocksource_tsc_page") == 0) &&
	       tsc_is_invariant();
}

/* False, and @clock untouched, where the readings make no sense. */
static bool use_tsc(struct clock *clock)
{
	const struct timespec wait = {.tv_nsec = CALIBRATION_NS};
	struct moment start, end;
	unsigned __int128 mult;

	start = read_both();
	nanosleep(&wait, NULL);
	end = read_both();
	if (end.ticks <= start.ticks || end.ns <= start.ns)
		return false;
	mult = ((unsigned __int128)(end.ns - start.ns) << 32) / (end.ticks - start.ticks);
	/* 0.01 to 100 ns a tick holds every CPU with a TSC. */
	if (mult < (1ULL << 32) / 100 || mult > (100ULL << 32))
		return false;
	*clock = (struct clock){
		.tsc = true,
		.base_ticks = end.ticks,
		.base_ns = end.ns,
		.mult = (uint64_t)mult,
		.name = "tsc",
	};
	return true;
}

void clock_init(struct clock *clock, const char *sysfs)
{
	if (!kernel_keeps_time_by_tsc(sysfs) || !use_tsc(clock))
		use_monotonic(clock);
}

int64_t clock_drift_ns(const struct clock *clock)
{
	struct moment now;

	if (!clock->tsc)
		return 0;
	now = read_both();
	return (int64_t)(clock_ns(clock, now.ticks) - now.ns);
}

#else

void clock_init(struct clock *clock, const char *sysfs)
{
	(void)sysfs; /* only x86-64 has a TSC */
	use_monotonic(clock);
}

int64_t clock_drift_ns(const struct clock *clock)
{
	(void)clock;
	return 0;
}

#endif
