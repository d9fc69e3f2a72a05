// SPDX-License-Identifier: MIT
#include "fit.h"

#include <inttypes.h>
#include <stdio.h>

#include "ssdbench/units.h"

/* Flash translation layers map at least this much to an entry; drives that report nothing are taken to. */
#define INDIRECTION_UNIT_USUAL 4096U

static const char *const fact_key[FACTS] = {
	[FACT_CAPACITY] = "capacity",
	[FACT_LOGICAL_BLOCK] = "logical_block",
	[FACT_INDIRECTION_UNIT] = "indirection_unit",
};

uint64_t drive_lba_bytes(const struct drive_facts *facts)
{
	return facts->logical_block_bytes ? facts->logical_block_bytes : 512;
}

uint64_t drive_fact(const struct drive_facts *facts, enum fact fact)
{
	switch (fact) {
	case FACT_CAPACITY: return facts->capacity_bytes;
	case FACT_LOGICAL_BLOCK: return drive_lba_bytes(facts);
	default: break;
	}
	if (facts->indirection_unit_bytes)
		return facts->indirection_unit_bytes;
	return drive_lba_bytes(facts) > INDIRECTION_UNIT_USUAL ? drive_lba_bytes(facts)
							       : INDIRECTION_UNIT_USUAL;
}

static bool compare(uint64_t left, enum comparison comparison, uint64_t right)
{
	switch (comparison) {
	case CMP_LT: return left < right;
	case CMP_LE: return left <= right;
	case CMP_EQ: return left == right;
	case CMP_NE: return left != right;
	case CMP_GE: return left >= right;
	default: return left > right;
	}
}

bool phase_applies(const struct phase *phase, const struct drive_facts *facts,
		   char reason[SKIP_TEXT_MAX])
{
	for (size_t i = 0; i < phase->nr_when; i++) {
		const struct condition *when = &phase->when[i];
		const uint64_t value = drive_fact(facts, when->fact);
		char have[UNITS_TEXT_MAX], want[UNITS_TEXT_MAX];

		if (compare(value, when->comparison, when->value))
			continue;
		snprintf(reason, SKIP_TEXT_MAX, "%s is %s, not %s %s", fact_key[when->fact],
			 size_format(value, have), comparison_name(when->comparison),
			 size_format(when->value, want));
		return false;
	}
	return true;
}

static bool is_lba_multiple(const char *what, uint64_t bytes, uint64_t lba,
			    char reason[SKIP_TEXT_MAX])
{
	if (bytes % lba == 0)
		return true;
	if (bytes < lba)
		snprintf(reason, SKIP_TEXT_MAX, "%s %" PRIu64 " < LBA %" PRIu64, what, bytes, lba);
	else
		snprintf(reason, SKIP_TEXT_MAX, "%s %" PRIu64 " is not a multiple of LBA %" PRIu64,
			 what, bytes, lba);
	return false;
}

bool step_fits_lba(const struct step *step, const struct drive_facts *facts,
		   char reason[SKIP_TEXT_MAX])
{
	const uint64_t lba = drive_lba_bytes(facts);

	if (!step->mix)
		return true;
	for (size_t i = 0; i < step->mix->nr; i++) {
		if (!is_lba_multiple("bs", step->mix->entry[i].bytes, lba, reason))
			return false;
	}
	return is_lba_multiple("blockalign", step->align, lba, reason) &&
	       is_lba_multiple("random_map", step->map_granule, lba, reason);
}

static uint64_t extent_bytes(const struct extent *extent, uint64_t capacity)
{
	if (extent->basis_points == 0)
		return extent->bytes;
	return (uint64_t)((unsigned __int128)capacity * extent->basis_points / 10000);
}

static uint64_t minimum(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct span phase_span(const struct phase *phase, const struct drive_facts *facts,
		       uint64_t size_cap)
{
	const uint64_t capacity = facts->capacity_bytes, lba = drive_lba_bytes(facts);
	struct span span;

	span.offset = minimum(extent_bytes(&phase->offset, capacity), capacity);
	span.offset -= span.offset % lba;
	span.bytes = minimum(extent_bytes(&phase->size, capacity), capacity - span.offset);
	if (size_cap)
		span.bytes = minimum(span.bytes, size_cap);
	span.bytes -= span.bytes % lba;
	return span;
}

bool phase_size_is_cut(const struct phase *phase, const struct drive_facts *facts)
{
	const uint64_t offset = extent_bytes(&phase->offset, facts->capacity_bytes);

	return phase->size.basis_points == 0 &&
	       (offset > facts->capacity_bytes ||
		phase->size.bytes > facts->capacity_bytes - offset);
}

uint64_t step_span_needed(const struct step *step)
{
	if (!step->mix)
		return 0;
	return size_mix_max(step->mix) * (step->order == ORDER_SEQUENTIAL ? step->numjobs : 1);
}
