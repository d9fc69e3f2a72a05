// SPDX-License-Identifier: MIT
#include "step.h"

static enum offset_order order_of(const struct phase *phase, enum rw rw)
{
	if (phase->kind == PHASE_FILL)
		return ORDER_SEQUENTIAL;
	if (phase->kind == PHASE_RANDOM_FILL)
		return ORDER_ONCE;
	if (!rw_is_random(rw))
		return ORDER_SEQUENTIAL;
	return phase->map_granule ? ORDER_MAP : ORDER_RANDOM;
}

static uint32_t read_percent_of(const struct phase *phase, enum rw rw)
{
	if (!rw_writes(rw))
		return 100;
	return rw_reads(rw) ? phase->rwmixread : 0;
}

bool phase_kind_fills(enum phase_kind kind)
{
	return kind == PHASE_FILL || kind == PHASE_RANDOM_FILL;
}

static uint64_t idle_of(const struct phase *phase, const struct plan_options *options)
{
	return phase->idle_ns && options->idle_ns != UINT64_MAX ? options->idle_ns : phase->idle_ns;
}

/* Times as written or as the options replace them; 0 in the profile means that there is none to replace. */
static void set_times(struct step *step, const struct phase *phase,
		      const struct plan_options *options)
{
	step->idle_ns = idle_of(phase, options);
	if (phase_kind_fills(phase->kind))
		return;
	step->runtime_ns = options->runtime_ns ? options->runtime_ns : phase->runtime_ns;
	step->ramp_ns = options->ramp_ns != UINT64_MAX ? options->ramp_ns : phase->ramp_ns;
}

void step_set_purge(struct step *step, const struct phase *phase,
		    const struct plan_options *options)
{
	step->purge = phase->purge;
	step->on_failure = phase->on_failure;
	step->idle_ns = idle_of(phase, options);
}

void step_set_idle(struct step *step, const struct phase *phase, const struct plan_options *options)
{
	step->runtime_ns = options->idle_ns != UINT64_MAX ? options->idle_ns : phase->runtime_ns;
}

void step_set_row(struct step *step, const struct phase *phase, const struct matrix_row *row,
		  const struct plan_options *options)
{
	step->rw = row->rw;
	step->read_percent = read_percent_of(phase, row->rw);
	step->order = order_of(phase, row->rw);
	step->mix = row->bs;
	step->align = phase->blockalign ? phase->blockalign : size_mix_min(row->bs);
	step->map_granule = step->order == ORDER_MAP ? phase->map_granule : 0;
	step->iodepth = row->point.iodepth;
	step->numjobs = row->point.numjobs;
	step->passes = phase->passes ? phase->passes : 1;
	step->short_last = phase_kind_fills(phase->kind);
	step->gate = phase->gate;
	step->nr_gates = phase->nr_gates;
	set_times(step, phase, options);
}
