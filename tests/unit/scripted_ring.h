/* SPDX-License-Identifier: MIT */
/*
 * A drive made of two functions: how long a request takes and how it ends. Time is real, so that the engine's
 * own clock is under test too.
 */
#ifndef SSDBENCH_TESTS_SCRIPTED_RING_H
#define SSDBENCH_TESTS_SCRIPTED_RING_H

#include <stdatomic.h>

#include "engine/ring.h"

struct script {
	/* @now: ns since the ring was opened. ns until the request completes. NULL: at once. */
	uint64_t (*delay)(const struct io *io, uint64_t now);
	/* Bytes or a negative errno; @number counts requests of all rings. NULL: success. */
	int32_t (*result)(const struct io *io, uint64_t number);
	int open_result;   /* not 0: open fails with it */
	int submit_result; /* not 0: submit fails with it */
	atomic_ullong requests;
};

extern struct script script; /* of all rings; set before engine_run_on() */
extern const struct ring_ops scripted_ring;

#endif
