/* SPDX-License-Identifier: MIT */
/*
 * What the rings of io_uring share: set-up, registration, submission. Everything that makes it fast is
 * optional: what this kernel or sandbox refuses is left out, and ring->features says what is used.
 */
#ifndef SSDBENCH_ENGINE_URING_H
#define SSDBENCH_ENGINE_URING_H

#include <liburing.h>

#include "ring.h"

/* What such rings begin with. */
struct uring {
	struct ring ring;
	struct io_uring uring;
	bool is_set_up;
	int fd; /* the file, or its index among the registered ones */
	unsigned int sqe_flags;
};

/*
 * Set up @u, which is zeroed, for @entries requests on @fd, with @setup (IORING_SETUP_*) in any case, and register what
 * can be but the buffers. 0, or a negative errno with ERROR_HARNESS.
 */
int uring_set_up(struct uring *u, const struct ring_config *config, int fd, unsigned int entries,
		 unsigned int setup, struct error *err);

/* Register @nr pieces of memory. False: there are none, or they are refused (ENOMEM: above RLIMIT_MEMLOCK); each
 * request then pins its own pages. */
bool uring_register_buffers(struct uring *u, const struct iovec *area, unsigned int nr);

/* As struct ring_ops has them; close frees @ring. */
int uring_submit(struct ring *ring);
void uring_close(struct ring *ring);

#endif
