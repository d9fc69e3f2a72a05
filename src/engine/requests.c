// SPDX-License-Identifier: MIT
#include "requests.h"

int requests_init(struct requests *requests, const struct step *step, const struct span *span,
		  uint64_t seed, uint32_t drive, uint32_t job, uint32_t jobs, struct error *err)
{
	const struct offsets_config config = {
		.order = step->order,
		.span = *span,
		.mix = step->mix,
		.align = step->align,
		.map_granule = step->map_granule,
		.job = job,
		.jobs = jobs,
		.passes = step->runtime_ns ? 0 : (step->passes ? step->passes : 1),
		.short_last = step->short_last,
		.key = random_mix(random_mix(random_mix(seed) ^ step->index) ^ drive),
	};

	requests->read_percent = step->read_percent;
	random_seed(&requests->random, seed, step->index, drive, job);
	return offsets_init(&requests->offsets, &config, err);
}

void requests_fini(struct requests *requests)
{
	offsets_fini(&requests->offsets);
}
