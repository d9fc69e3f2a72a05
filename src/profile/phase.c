// SPDX-License-Identifier: MIT
/*
 * A phase: read its keys into a draft, check what concerns two of them, and multiply the lists of
 * iodepth and numjobs out into points.
 */
#include "phase.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draft.h"
#include "limits.h"
#include "ssdbench/alias.h"

const enum axis phase_default_order[AXES] = {AXIS_RW, AXIS_BS, AXIS_NUMJOBS, AXIS_IODEPTH};

size_t phase_rows(const struct phase *phase)
{
	if (phase->kind != PHASE_MEASURE)
		return 1;
	/* No overflow: at most RW_KINDS * PROFILE_ROWS_MAX * PROFILE_ROWS_MAX. */
	return phase->nr_rw * phase->nr_bs * phase->nr_points;
}

bool phase_mixes(const struct phase *phase)
{
	for (size_t i = 0; i < phase->nr_rw; i++) {
		if (rw_reads(phase->rw[i]) && rw_writes(phase->rw[i]))
			return true;
	}
	return false;
}

bool phase_iodepth_is_outside(const struct phase *phase)
{
	size_t axis = 0;

	while (phase->order[axis] != AXIS_IODEPTH && phase->order[axis] != AXIS_NUMJOBS)
		axis++;
	return phase->order[axis] == AXIS_IODEPTH;
}

static void draft_init(struct draft *draft)
{
	memset(draft, 0, sizeof(*draft));
	draft->enabled = true;
	draft->phase.rwmixread = PHASE_DEFAULT_RWMIXREAD;
	memcpy(draft->phase.order, phase_default_order, sizeof(phase_default_order));
	draft->phase.size.basis_points = ALIAS_TOTAL;
	draft->phase.passes = 1;
	draft->phase.purge = PHASE_DEFAULT_PURGE;
}

/* `rw` of the kinds whose name says it. */
static int set_fill_rw(struct reader *r, struct phase *phase)
{
	if (phase->kind != PHASE_FILL && phase->kind != PHASE_RANDOM_FILL)
		return 0;
	phase->rw = malloc(sizeof(*phase->rw));
	if (!phase->rw)
		return reader_no_memory(r);
	phase->rw[0] = phase->kind == PHASE_FILL ? RW_WRITE : RW_RANDWRITE;
	phase->nr_rw = 1;
	return 0;
}

/* The map counts whole granules, so requests must start and end with one. */
static int check_map(struct reader *r, const struct where *at, const struct phase *phase)
{
	const struct where here = {at, "random_map", 0};
	const uint64_t granule = phase->map_granule;
	bool random = false;

	if (!granule)
		return 0;
	for (size_t i = 0; i < phase->nr_rw; i++)
		random = random || rw_is_random(phase->rw[i]);
	if (!random)
		return reader_fail(r, &here, "only random rows have a map");
	for (size_t i = 0; i < phase->nr_bs; i++) {
		for (size_t j = 0; j < phase->bs[i].nr; j++) {
			if (phase->bs[i].entry[j].bytes % granule != 0)
				return reader_fail(
					r, &here, "the granule does not divide every request size");
		}
	}
	if (phase->blockalign % granule != 0)
		return reader_fail(r, &here, "the granule does not divide \"blockalign\"");
	return 0;
}

static int check_span(struct reader *r, const struct where *at, const struct phase *phase)
{
	const struct where offset = {at, "offset", 0}, size = {at, "size", 0};
	const uint32_t sum = phase->offset.basis_points + phase->size.basis_points;

	if (phase->offset.basis_points == ALIAS_TOTAL)
		return reader_fail(r, &offset, "an offset of 100%% leaves nothing");
	/* 100 % is the default too, and means up to the end of the drive. */
	if (sum > ALIAS_TOTAL && phase->size.basis_points != ALIAS_TOTAL)
		return reader_fail(r, &size, "offset and size together are above 100%%");
	return 0;
}

/* What concerns two keys. */
static int check_keys(struct reader *r, const struct where *at, const struct draft *draft)
{
	const struct where rwmixread = {at, "rwmixread", 0};
	const struct phase *phase = &draft->phase;
	int ret;

	if (phase_kind_does_io(phase->kind) && phase->nr_bs == 0)
		return reader_fail(r, at, "one of the keys \"bs\" and \"bssplit\" is missing");
	if (draft->has_rwmixread && !phase_mixes(phase))
		return reader_fail(r, &rwmixread, "only rw and randrw mix reads and writes");
	ret = check_map(r, at, phase);
	return ret ? ret : check_span(r, at, phase);
}

/* The product of the lists, in the order of their axes. */
static int expand_points(struct reader *r, const struct where *at, struct draft *draft)
{
	static const uint32_t one[] = {1};
	struct phase *phase = &draft->phase;
	const uint32_t *iodepth = draft->iodepth ? draft->iodepth : one;
	const uint32_t *numjobs = draft->numjobs ? draft->numjobs : one;
	const size_t nr_iodepth = draft->iodepth ? draft->nr_iodepth : 1;
	const size_t nr_numjobs = draft->numjobs ? draft->nr_numjobs : 1;
	const bool iodepth_outside = phase_iodepth_is_outside(phase);

	if (draft->has_points || !phase_kind_does_io(phase->kind))
		return 0;
	if (nr_iodepth * nr_numjobs > PROFILE_ROWS_MAX)
		return reader_fail(r, at, "the sweeps make more than %d rows", PROFILE_ROWS_MAX);
	phase->nr_points = nr_iodepth * nr_numjobs;
	phase->point = calloc(phase->nr_points, sizeof(*phase->point));
	if (!phase->point)
		return reader_no_memory(r);
	for (size_t i = 0; i < phase->nr_points; i++) {
		phase->point[i].iodepth =
			iodepth[iodepth_outside ? i / nr_numjobs : i % nr_iodepth];
		phase->point[i].numjobs =
			numjobs[iodepth_outside ? i % nr_numjobs : i / nr_iodepth];
	}
	return 0;
}

static int default_name(struct reader *r, struct phase *phase)
{
	if (!phase->name)
		phase->name = strdup(phase_kind_name(phase->kind));
	return phase->name ? 0 : reader_no_memory(r);
}

/* The kind decides which keys are known, so it is read before all others. */
static int read_by_kind(struct reader *r, const struct where *at, const json_t *value,
			struct draft *draft)
{
	const struct where here = {at, phase_keys[0].name, 0};
	const json_t *kind = json_object_get(value, here.key);
	char noun[32];
	int ret;

	if (!json_is_object(value))
		return reader_fail(r, at, "a phase is an object");
	if (!kind)
		return reader_fail(r, at, "key \"kind\" is missing; a phase needs it");
	ret = phase_keys[0].read(r, &here, kind, draft);
	if (ret)
		return ret;
	snprintf(noun, sizeof(noun), "%s %s phase", draft->phase.kind == PHASE_IDLE ? "an" : "a",
		 phase_kind_name(draft->phase.kind));
	return reader_object(r, at, value, phase_keys, phase_keys_nr, KIND_BIT(draft->phase.kind),
			     noun, draft);
}

int phase_read(struct reader *r, const struct where *at, const json_t *value, struct phase *phase,
	       bool *enabled)
{
	struct draft draft;
	int ret;

	draft_init(&draft);
	ret = read_by_kind(r, at, value, &draft);
	if (!ret)
		ret = set_fill_rw(r, &draft.phase);
	if (!ret)
		ret = check_keys(r, at, &draft);
	if (!ret)
		ret = expand_points(r, at, &draft);
	if (!ret)
		ret = default_name(r, &draft.phase);
	free(draft.iodepth);
	free(draft.numjobs);
	*phase = draft.phase;
	*enabled = draft.enabled;
	return ret;
}

void phase_fini(struct phase *phase)
{
	for (size_t i = 0; i < phase->nr_bs; i++)
		free(phase->bs[i].entry);
	for (size_t i = 0; i < phase->nr_gates; i++)
		free(phase->gate[i].text);
	free(phase->name);
	free(phase->when);
	free(phase->rw);
	free(phase->bs);
	free(phase->point);
	free(phase->gate);
}
