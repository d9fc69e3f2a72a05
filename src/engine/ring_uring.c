// SPDX-License-Identifier: MIT
/*
 * io_uring: one io_uring_enter per round both submits and waits. Everything that makes it fast is
 * optional: what this kernel or sandbox refuses is left out, and ring->features says what is used.
 */
#include <assert.h>
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"

struct uring_ring {
	struct ring ring;
	struct io_uring uring;
	bool is_set_up;
	int fd; /* of the drive, or its index among the registered files */
	unsigned int sqe_flags;
};

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

static int set_up(struct uring_ring *u, const struct ring_config *config)
{
	const unsigned int asked = (config->iopoll ? IORING_SETUP_IOPOLL : 0U) |
				   (config->sqpoll ? IORING_SETUP_SQPOLL : 0U);
	int rc = -EINVAL;

	for (size_t i = 0; i < sizeof(ladder) / sizeof(ladder[0]) && rc == -EINVAL; i++) {
		if (config->sqpoll && !ladder[i].with_sqpoll)
			continue;
		rc = io_uring_queue_init(config->depth, &u->uring, asked | ladder[i].setup);
		if (rc == 0)
			u->ring.features = ladder[i].features |
					   (config->iopoll ? RING_IOPOLL : 0U) |
					   (config->sqpoll ? RING_SQPOLL : 0U);
	}
	u->is_set_up = rc == 0;
	return rc;
}

static void register_what_can_be(struct uring_ring *u, const struct ring_config *config)
{
	u->fd = config->fd;
	if (io_uring_register_files(&u->uring, &config->fd, 1) == 0) {
		u->ring.features |= RING_FIXED_FILE;
		u->sqe_flags = IOSQE_FIXED_FILE;
		u->fd = 0;
	}
	if (io_uring_register_ring_fd(&u->uring) == 1)
		u->ring.features |= RING_REGISTERED_FD;
	/* ENOMEM: above RLIMIT_MEMLOCK; each request then pins its own pages. */
	if (config->nr_areas &&
	    io_uring_register_buffers(&u->uring, config->area, config->nr_areas) == 0)
		u->ring.features |= RING_FIXED_BUFFERS;
}

static void uring_close(struct ring *ring)
{
	struct uring_ring *u = (struct uring_ring *)ring;

	if (!u)
		return;
	if (u->is_set_up)
		io_uring_queue_exit(&u->uring);
	free(u);
}

static int uring_open(struct ring **ring, const struct ring_config *config, struct error *err)
{
	struct uring_ring *u = calloc(1, sizeof(*u));
	int rc;

	if (!u)
		return error_set(err, -ENOMEM, "no memory for a ring");
	rc = set_up(u, config);
	if (rc < 0) {
		uring_close(&u->ring);
		if (rc == -ENOMEM)
			return error_set(err, rc,
					 "io_uring: no memory for a ring of depth %u; on kernels "
					 "before 5.12 raise the limit of locked memory (ulimit -l)",
					 config->depth);
		return error_set(err, rc, "io_uring: ring of depth %u: %s", config->depth,
				 strerror(-rc));
	}
	register_what_can_be(u, config);
	*ring = &u->ring;
	return 0;
}

static void uring_queue(struct ring *ring, const struct io *io)
{
	struct uring_ring *u = (struct uring_ring *)ring;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->uring);
	const bool read = io->dir == DIR_READ;

	assert(sqe); /* the ring has a place for each slot */
	if (io->nr_iov) {
		io_uring_prep_rw(read ? IORING_OP_READV : IORING_OP_WRITEV, sqe, u->fd,
				 io->buffer->iov, io->nr_iov, io->offset);
	} else if (u->ring.features & RING_FIXED_BUFFERS) {
		io_uring_prep_rw(read ? IORING_OP_READ_FIXED : IORING_OP_WRITE_FIXED, sqe, u->fd,
				 io->buffer->data, io->length, io->offset);
		sqe->buf_index = (uint16_t)io->buffer->area;
	} else {
		io_uring_prep_rw(read ? IORING_OP_READ : IORING_OP_WRITE, sqe, u->fd,
				 io->buffer->data, io->length, io->offset);
	}
	sqe->flags = (uint8_t)u->sqe_flags;
	sqe->user_data = io->slot;
}

static int uring_submit(struct ring *ring)
{
	struct uring_ring *u = (struct uring_ring *)ring;
	const int rc = io_uring_submit_and_wait(&u->uring, 1);

	/* EAGAIN, EBUSY: the kernel is short of memory or of room for completions; what was not
	 * taken stays in the ring for the next round. */
	if (rc < 0 && rc != -EINTR && rc != -EAGAIN && rc != -EBUSY)
		return rc;
	return 0;
}

static uint32_t uring_reap(struct ring *ring, struct completion *out)
{
	struct uring_ring *u = (struct uring_ring *)ring;
	struct io_uring_cqe *cqe;
	unsigned int head;
	uint32_t nr = 0;

	io_uring_for_each_cqe(&u->uring, head, cqe)
	{
		out[nr].slot = (uint32_t)cqe->user_data;
		out[nr].result = cqe->res;
		nr++;
	}
	io_uring_cq_advance(&u->uring, nr);
	return nr;
}

int ring_uring_probe(void)
{
	struct io_uring uring;
	const int rc = io_uring_queue_init(1, &uring, 0);

	if (rc == 0)
		io_uring_queue_exit(&uring);
	return rc;
}

const struct ring_ops ring_uring = {
	.kind = ENGINE_IO_URING,
	.open = uring_open,
	.queue = uring_queue,
	.submit = uring_submit,
	.reap = uring_reap,
	.close = uring_close,
};
