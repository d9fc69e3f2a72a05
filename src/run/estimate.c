// SPDX-License-Identifier: MIT
#include "estimate.h"

#include "fills.h"

/* Before so much has been seen a rate says little. */
#define LEARN_NS (500 * NSEC_PER_MSEC)

void estimate_init(struct estimate *estimate, const struct plan *plan)
{
	*estimate = (struct estimate){.plan = plan};
}

static uint64_t bytes_of(const struct estimate *estimate, const struct step *step)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < estimate->plan->nr_drives; i++)
		bytes += step->drive[i].write_bytes;
	return bytes;
}

/* All drives of a step run at once, so the one with the most bytes tells how long it takes. */
static uint64_t longest_of(const struct estimate *estimate, const struct step *step)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < estimate->plan->nr_drives; i++) {
		if (step->drive[i].write_bytes > longest)
			longest = step->drive[i].write_bytes;
	}
	return longest;
}

void estimate_learn(struct estimate *estimate, const struct step *step, uint64_t bytes,
		    uint64_t elapsed_ns)
{
	const uint64_t all = step_is_fill(step) ? bytes_of(estimate, step) : 0;
	double of_longest;

	if (all == 0 || bytes == 0 || elapsed_ns < LEARN_NS)
		return;
	of_longest = (double)bytes / (double)all * (double)longest_of(estimate, step);
	estimate->ns_per_byte[step->kind] = (double)elapsed_ns / of_longest;
}

/* A random fill before the first one is guessed from the sequential one, and the other way round. */
static double rate_of(const struct estimate *estimate, enum phase_kind kind)
{
	const enum phase_kind other = kind == PHASE_FILL ? PHASE_RANDOM_FILL : PHASE_FILL;

	return estimate->ns_per_byte[kind] > 0.0 ? estimate->ns_per_byte[kind]
						 : estimate->ns_per_byte[other];
}

/* Without its pause. */
static uint64_t duration_of(const struct estimate *estimate, const struct step *step)
{
	const double ns_per_byte = step_is_fill(step) ? rate_of(estimate, step->kind) : 0.0;

	if (ns_per_byte > 0.0)
		return (uint64_t)(ns_per_byte * (double)longest_of(estimate, step));
	return step->estimate_ns > step->idle_ns ? step->estimate_ns - step->idle_ns : 0;
}

uint64_t estimate_left_after(const struct estimate *estimate, const struct step *step)
{
	const struct plan *plan = estimate->plan;
	uint64_t left = 0;

	for (size_t i = step->index + 1U; i < plan->nr_steps; i++) {
		if (step_is_skipped(&plan->step[i], plan->nr_drives))
			continue;
		left += duration_of(estimate, &plan->step[i]) + plan->step[i].idle_ns;
	}
	return left;
}

static uint64_t left_of(const struct estimate *estimate, const struct step *step, uint64_t bytes,
			uint64_t elapsed_ns)
{
	const uint64_t all = step_is_fill(step) ? bytes_of(estimate, step) : 0;
	const uint64_t whole = duration_of(estimate, step);

	if (all > 0 && bytes >= all)
		return 0;
	if (all > 0 && bytes > 0 && elapsed_ns >= LEARN_NS)
		return (uint64_t)((double)elapsed_ns / (double)bytes * (double)(all - bytes));
	return whole > elapsed_ns ? whole - elapsed_ns : 0;
}

uint64_t estimate_left(const struct estimate *estimate, const struct step *step, uint64_t bytes,
		       uint64_t elapsed_ns)
{
	return left_of(estimate, step, bytes, elapsed_ns) + step->idle_ns +
	       estimate_left_after(estimate, step);
}
