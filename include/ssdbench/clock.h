/* SPDX-License-Identifier: MIT */
/*
 * Time. One clock for everything that is measured: CLOCK_MONOTONIC, or the CPU's time stamp counter
 * (TSC) where the kernel itself keeps time with it, calibrated against CLOCK_MONOTONIC.
 * rdtsc costs 12 ns, clock_gettime 33-48 ns where both were measured (docs/method.md, Latency).
 */
#ifndef SSDBENCH_CLOCK_H
#define SSDBENCH_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "ssdbench/units.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* CLOCK_MONOTONIC in ns. */
static inline uint64_t clock_monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* CLOCK_REALTIME in ns since 1970, for time stamps that people read; never for measuring. */
uint64_t clock_realtime_ns(void);

/*
 * How ticks become ns: ns = base_ns + (ticks - base_ticks) * mult / 2^32. Read-only after
 * clock_init(), so all workers may share one.
 */
struct clock {
	bool tsc; /* ticks are rdtsc, else they are CLOCK_MONOTONIC ns */
	uint64_t base_ticks;
	uint64_t base_ns; /* CLOCK_MONOTONIC at base_ticks */
	uint64_t mult;    /* ns per tick, 32.32 fixed point; 2^32 without TSC */
	const char *name; /* "tsc" or "clock_monotonic", for the result */
};

/*
 * Choose and calibrate (takes about 10 ms with the TSC). The TSC is used on x86-64 where
 * <sysfs>/devices/system/clocksource/clocksource0/current_clocksource is "tsc", or "kvm-clock" /
 * "hyperv_clocksource_tsc_page" with the CPU flags constant_tsc and nonstop_tsc; else
 * CLOCK_MONOTONIC.
 * @sysfs: the root of sysfs, normally "/sys". Never fails.
 */
void clock_init(struct clock *clock, const char *sysfs);

/*
 * How far this clock has moved from CLOCK_MONOTONIC since clock_init(), in ns: a TSC that is
 * adjusted or badly calibrated shows here. Always 0 without TSC.
 */
int64_t clock_drift_ns(const struct clock *clock);

static inline uint64_t clock_ticks(const struct clock *clock)
{
#if defined(__x86_64__)
	if (clock->tsc)
		return __rdtsc();
#endif
	return clock_monotonic_ns();
}

/*
 * A span of ticks in ns, rounded down; no overflow for spans up to centuries (128-bit product).
 * With the TSC it is as good as the calibration: better than 1 us in a second.
 */
static inline uint64_t clock_span_ns(const struct clock *clock, uint64_t ticks)
{
	return (uint64_t)(((unsigned __int128)ticks * clock->mult) >> 32);
}

/* A span of ns in ticks, rounded down. */
static inline uint64_t clock_span_ticks(const struct clock *clock, uint64_t ns)
{
	return (uint64_t)(((unsigned __int128)ns << 32) / clock->mult);
}

/* A tick count as CLOCK_MONOTONIC ns. @ticks must not lie before base_ticks. */
static inline uint64_t clock_ns(const struct clock *clock, uint64_t ticks)
{
	return clock->base_ns + clock_span_ns(clock, ticks - clock->base_ticks);
}

#endif
