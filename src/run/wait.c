// SPDX-License-Identifier: MIT
/* Pauses and idle phases: nothing is sent to the drives, and a signal ends them at once. */
#include "walk.h"

#include <time.h>

#define SLICE_NS (100 * NSEC_PER_MSEC)

/* Told about ten times a second how long it has waited. */
typedef void wait_teller(struct walk *walk, const struct step *step, uint64_t elapsed_ns);

/* False: stopped before @ns had passed. */
static bool wait_for(struct walk *walk, const struct step *step, uint64_t ns, wait_teller *tell)
{
	const uint64_t start = clock_monotonic_ns();
	uint64_t elapsed;

	while ((elapsed = clock_monotonic_ns() - start) < ns) {
		const uint64_t left = ns - elapsed;
		const struct timespec slice = {
			.tv_nsec = (long)(left < SLICE_NS ? left : SLICE_NS),
		};

		if (walk_stopped(walk))
			return false;
		tell(walk, step, elapsed);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &slice,
				NULL); /* a signal only wakes it early */
	}
	return true;
}

static void tell_progress(struct walk *walk, const struct step *step, uint64_t elapsed_ns)
{
	const struct run_listener *listener = walk->config->listener;

	if (listener && listener->progress)
		listener->progress(listener->context, step, 0, elapsed_ns,
				   estimate_left(&walk->estimate, step, 0, elapsed_ns));
}

static void tell_pause(struct walk *walk, const struct step *step, uint64_t elapsed_ns)
{
	const struct run_listener *listener = walk->config->listener;
	const uint64_t left = step->idle_ns > elapsed_ns ? step->idle_ns - elapsed_ns : 0;

	if (listener && listener->pause)
		listener->pause(listener->context, step, left,
				left + estimate_left_after(&walk->estimate, step));
}

void walk_pause(struct walk *walk, const struct step *step)
{
	(void)wait_for(walk, step, step->idle_ns, tell_pause); /* the next step sees the stop too */
}

bool walk_idle(struct walk *walk, const struct step *step)
{
	return wait_for(walk, step, step->runtime_ns, tell_progress);
}
