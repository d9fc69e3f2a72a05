/* SPDX-License-Identifier: MIT */
/* How a phase fits a drive: does it run there, on which bytes, and are they enough. */
#ifndef SSDBENCH_PLAN_FIT_H
#define SSDBENCH_PLAN_FIT_H

#include "ssdbench/plan.h"

#define SKIP_TEXT_MAX 160

/* The unit of every offset and length on this drive; 512 where it is unknown. */
uint64_t drive_lba_bytes(const struct drive_facts *facts);

/* What `when` compares; an unknown indirection unit counts as the LBA size or 4 KiB, whichever is larger. */
uint64_t drive_fact(const struct drive_facts *facts, enum fact fact);

/* Do all `when` conditions of @phase hold? If not, @reason says which one does not. */
bool phase_applies(const struct phase *phase, const struct drive_facts *facts,
		   char reason[SKIP_TEXT_MAX]);

/* Are all sizes of @step ones that this drive can do? If not, @reason says which one it cannot. */
bool step_fits_lba(const struct step *step, const struct drive_facts *facts,
		   char reason[SKIP_TEXT_MAX]);

/*
 * The bytes of @facts' drive that @phase works on: offset and size rounded down to the LBA size, cut at
 * the end of the drive and at @size_cap (0: no cap). Not rounded to the block size: a capacity that
 * no block size divides is the normal case, and fills end in a short block.
 */
struct span phase_span(const struct phase *phase, const struct drive_facts *facts,
		       uint64_t size_cap);

/* Is a size that @phase gives in bytes more than the drive has behind the offset? */
bool phase_size_is_cut(const struct phase *phase, const struct drive_facts *facts);

/* The least span that @step can run on: its largest request, in sequential order one for each job. */
uint64_t step_span_needed(const struct step *step);

#endif
