// SPDX-License-Identifier: MIT
#include "estimate.h"

#include "ssdbench/units.h"

static uint64_t scale(uint64_t value, uint64_t multiplier, uint64_t divisor)
{
	return (uint64_t)((unsigned __int128)value * multiplier / divisor);
}

/* Bytes per second of a mixture: each byte takes the time of its direction. */
static double mixed_rate(const struct step *step, const struct plan *plan)
{
	const double reads = step->read_percent / 100.0;

	return 1.0 / (reads / (double)plan->read_rate + (1.0 - reads) / (double)plan->write_rate);
}

static uint64_t estimate_by_bytes(const struct step *step, struct step_drive *drive,
				  const struct plan *plan)
{
	const uint64_t bytes = drive->span.bytes * step->passes;

	drive->read_bytes = scale(bytes, step->read_percent, 100);
	drive->write_bytes = bytes - drive->read_bytes;
	return scale(drive->read_bytes, NSEC_PER_SEC, plan->read_rate) +
	       scale(drive->write_bytes, NSEC_PER_SEC, plan->write_rate);
}

static uint64_t estimate_by_time(const struct step *step, struct step_drive *drive,
				 const struct plan *plan)
{
	const double seconds = (double)(step->ramp_ns + step->runtime_ns) / (double)NSEC_PER_SEC;
	const uint64_t bytes = (uint64_t)(seconds * mixed_rate(step, plan));

	drive->read_bytes = scale(bytes, step->read_percent, 100);
	drive->write_bytes = bytes - drive->read_bytes;
	return step->ramp_ns + step->runtime_ns;
}

static uint64_t estimate_purge(const struct step *step, const struct step_drive *drive,
			       const struct plan *plan)
{
	if (step->purge == PURGE_SANITIZE_OVERWRITE)
		return scale(drive->span.bytes, NSEC_PER_SEC, plan->write_rate);
	return PLAN_ASSUMED_PURGE_NS;
}

static uint64_t estimate_drive(const struct step *step, struct step_drive *drive,
			       const struct plan *plan)
{
	return step->runtime_ns ? estimate_by_time(step, drive, plan)
				: estimate_by_bytes(step, drive, plan);
}

void step_estimate(struct step *step, const struct plan *plan)
{
	uint64_t longest = 0, one_by_one = 0;

	if (step_is_skipped(step, plan->nr_drives))
		return;
	if (step->kind == PHASE_IDLE) {
		step->estimate_ns = step->runtime_ns;
		return;
	}
	for (size_t i = 0; i < plan->nr_drives; i++) {
		struct step_drive *drive = &step->drive[i];
		uint64_t ns;

		if (drive->skip)
			continue;
		if (step->kind == PHASE_PURGE) {
			one_by_one += estimate_purge(step, drive, plan);
			continue;
		}
		ns = estimate_drive(step, drive, plan);
		if (ns > longest)
			longest = ns;
	}
	step->estimate_ns = longest + one_by_one + step->idle_ns;
}
