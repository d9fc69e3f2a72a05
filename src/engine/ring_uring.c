// SPDX-License-Identifier: MIT
/*
 * io_uring: one io_uring_enter per round both submits and waits. Everything that makes it fast is
 * optional: what this kernel or sandbox refuses is left out, and ring->features says what is used.
 */
#include <errno.h>
#include <liburing.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"

struct uring_ring {
	struct ring ring;
	struct io_uring uring;
	bool is_set_up;
	int fd; /* of the drive, or its index among the registered files */
	unsigned int sqe_flags;
	uint8_t opcode[DIRECTIONS]; /* of requests that fit their buffer */
	uint32_t area_mask;         /* 0 where no buffers are registered: the index must be 0 */
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
	u->opcode[DIR_READ] = IORING_OP_READ;
	u->opcode[DIR_WRITE] = IORING_OP_WRITE;
	if (config->nr_areas &&
	    io_uring_register_buffers(&u->uring, config->area, config->nr_areas) == 0) {
		u->ring.features |= RING_FIXED_BUFFERS;
		u->opcode[DIR_READ] = IORING_OP_READ_FIXED;
		u->opcode[DIR_WRITE] = IORING_OP_WRITE_FIXED;
		u->area_mask = ~0U;
	}
}

/*
 * A file that cannot say "this would block" (zram, tmpfs, FUSE) has each request done by a kernel thread.
 * Woken by the first completion, we would take the CPU from these threads and find one completion a
 * round; a batch thread waits for its turn and finds all that is done. The read of one byte is only a
 * question: direct I/O refuses it before the device hears of it.
 */
static void give_way_to_kernel_threads(struct uring_ring *u, int fd)
{
	char byte;
	const struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	const struct sched_param none = {0};

	if (preadv2(fd, &iov, 1, 1, RWF_NOWAIT) >= 0 || errno != EOPNOTSUPP)
		return;
	u->ring.features |= RING_KERNEL_THREADS;
	/* Whoever chose another policy for us knows better. */
	if (sched_getscheduler(0) == SCHED_OTHER)
		(void)sched_setscheduler(0, SCHED_BATCH, &none); /* it only saves CPU time */
}

/* What is the same for all requests stays in the submission entries: the kernel does not change them. */
static void prepare_entries(struct uring_ring *u)
{
	for (unsigned int i = 0; i < u->uring.sq.ring_entries; i++) {
		struct io_uring_sqe *sqe = &u->uring.sq.sqes[i];

		memset(sqe, 0, sizeof(*sqe));
		sqe->flags = (uint8_t)u->sqe_flags;
		sqe->fd = u->fd;
	}
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
	give_way_to_kernel_threads(u, config->fd);
	prepare_entries(u);
	*ring = &u->ring;
	return 0;
}

/* io_uring_get_sqe() and io_uring_prep_*() without their checks and constant fields: there is a place
 * for each slot, and a plain entry is as good as a fresh one. */
static void uring_queue(struct ring *ring, const struct io *io)
{
	struct uring_ring *u = (struct uring_ring *)ring;
	struct io_uring_sq *sq = &u->uring.sq;
	struct io_uring_sqe *sqe = &sq->sqes[sq->sqe_tail++ & sq->ring_mask];

	sqe->off = io->offset;
	sqe->user_data = io->slot;
	if (__builtin_expect(io->nr_iov != 0, 0)) {
		sqe->opcode = io->dir == DIR_READ ? IORING_OP_READV : IORING_OP_WRITEV;
		sqe->addr = (uintptr_t)io->buffer->iov;
		sqe->len = io->nr_iov;
		sqe->buf_index = 0;
		return;
	}
	sqe->opcode = u->opcode[io->dir];
	sqe->addr = (uintptr_t)io->buffer->data;
	sqe->len = io->length;
	sqe->buf_index = (uint16_t)(io->buffer->area & u->area_mask);
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
	const struct io_uring_cq *cq = &((struct uring_ring *)ring)->uring.cq;
	const unsigned int head = *cq->khead;
	const uint32_t nr = io_uring_smp_load_acquire(cq->ktail) - head;

	for (uint32_t i = 0; i < nr; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & cq->ring_mask];

		out[i] = (struct completion){.slot = (uint32_t)cqe->user_data, .result = cqe->res};
	}
	io_uring_smp_store_release(cq->khead, head + nr);
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
