/* SPDX-License-Identifier: MIT */
/* One phase out of JSON, by a table of its keys. */
#ifndef SSDBENCH_PROFILE_PHASE_H
#define SSDBENCH_PROFILE_PHASE_H

#include "reader.h"
#include "ssdbench/profile.h"

#define KIND_BIT(kind) (1U << (kind))

/* Every key that a phase may have; a key's sets are of KIND_BIT(). */
extern const struct key phase_keys[];
extern const size_t phase_keys_nr;

/* What an absent key means. */
#define PHASE_DEFAULT_RWMIXREAD 50U
#define PHASE_DEFAULT_PURGE     PURGE_AUTO
extern const enum axis phase_default_order[AXES];

/*
 * Read @value into the zeroed @phase. *@enabled: the value of the key `enabled`. On failure too,
 * what was allocated stands in @phase for phase_fini().
 */
int phase_read(struct reader *r, const struct where *at, const struct json_t *value,
	       struct phase *phase, bool *enabled);

/* Rows of the phase: the product of its sweeps; 1 for a phase that does not measure. */
size_t phase_rows(const struct phase *phase);

/* True where rows read and write at once. */
bool phase_mixes(const struct phase *phase);

/* True where the order has iodepth outside numjobs. */
bool phase_iodepth_is_outside(const struct phase *phase);

void phase_fini(struct phase *phase);

#endif
