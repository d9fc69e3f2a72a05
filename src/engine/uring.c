// SPDX-License-Identifier: MIT
#include "uring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* From best to plain; a kernel that does not know a flag answers EINVAL. Deferred task work needs a
 * single issuer; neither it nor cooperative task work goes with SQPOLL (io_uring_setup(2)). */
static const struct {
	unsigned int setup, features;
	bool with_sqpoll;
} ladder[] = {
	{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
	 RING_SINGLE_ISSUER | RING_DEFER_TASKRUN, false},
	{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN,
	 RING_SINGLE_ISSUER | RING_COOP_TASKRUN, false},
	{IORING_SETUP_SINGLE_ISSUER, RING_SINGLE_ISSUER, true},
	{IORING_SETUP_COOP_TASKRUN, RING_COOP_TASKRUN, false},
	{0, 0, true},
};

static int climb_down(struct uring *u, const struct ring_config *config, unsigned int entries,
		      unsigned int setup)
{
	const unsigned int asked = (config->iopoll ? IORING_SETUP_IOPOLL : 0U) |
				   (config->sqpoll ? IORING_SETUP_SQPOLL : 0U) | setup;
	int rc = -EINVAL;

	for (size_t i = 0; i < sizeof(ladder) / sizeof(ladder[0]) && rc == -EINVAL; i++) {
		if (config->sqpoll && !ladder[i].with_sqpoll)
			continue;
		rc = io_uring_queue_init(entries, &u->uring, asked | ladder[i].setup);
		if (rc == 0)
			u->ring.features = ladder[i].features |
					   (config->iopoll ? RING_IOPOLL : 0U) |
					   (config->sqpoll ? RING_SQPOLL : 0U);
	}
	u->is_set_up = rc == 0;
	return rc;
}

static void register_file(struct uring *u, int fd)
{
	u->fd = fd;
	if (io_uring_register_files(&u->uring, &fd, 1) == 0) {
		u->ring.features |= RING_FIXED_FILE;
		u->sqe_flags = IOSQE_FIXED_FILE;
		u->fd = 0;
	}
	if (io_uring_register_ring_fd(&u->uring) == 1)
		u->ring.features |= RING_REGISTERED_FD;
}

int uring_set_up(struct uring *u, const struct ring_config *config, int fd, unsigned int entries,
		 unsigned int setup, struct error *err)
{
	const int rc = climb_down(u, config, entries, setup);

	if (rc == -ENOMEM)
		return error_set(err, rc,
				 "io_uring: no memory for a ring of depth %u; on kernels "
				 "before 5.12 raise the limit of locked memory (ulimit -l)",
				 entries);
	if (rc < 0)
		return error_set(err, rc, "io_uring: ring of depth %u: %s", entries, strerror(-rc));
	register_file(u, fd);
	return 0;
}

bool uring_register_buffers(struct uring *u, const struct iovec *area, unsigned int nr)
{
	if (nr == 0 || io_uring_register_buffers(&u->uring, area, nr))
		return false;
	u->ring.features |= RING_FIXED_BUFFERS;
	return true;
}

int uring_submit(struct ring *ring)
{
	struct uring *u = (struct uring *)ring;
	const int rc = io_uring_submit_and_wait(&u->uring, 1);

	/* EAGAIN, EBUSY: the kernel is short of memory or of room for completions; what was not
	 * taken stays in the ring for the next round. */
	if (rc < 0 && rc != -EINTR && rc != -EAGAIN && rc != -EBUSY)
		return rc;
	return 0;
}

void uring_close(struct ring *ring)
{
	struct uring *u = (struct uring *)ring;

	if (!u)
		return;
	if (u->is_set_up)
		io_uring_queue_exit(&u->uring);
	free(u);
}

static int probe(unsigned int setup)
{
	struct io_uring uring;
	const int rc = io_uring_queue_init(1, &uring, setup);

	if (rc == 0)
		io_uring_queue_exit(&uring);
	return rc;
}

int ring_uring_probe(void)
{
	return probe(0);
}

int ring_uring_cmd_probe(void)
{
	return probe(IORING_SETUP_SQE128 | IORING_SETUP_CQE32);
}
