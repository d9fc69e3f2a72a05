// SPDX-License-Identifier: MIT
/* io_uring on a block device or file: one io_uring_enter per round both submits and waits. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "uring.h"

struct uring_ring {
	struct uring uring;
	uint8_t opcode[DIRECTIONS]; /* of requests that fit their buffer */
	uint32_t area_mask;         /* 0 where no buffers are registered: the index must be 0 */
};

/*
 * A file that cannot say "this would block" (zram, tmpfs, FUSE) has each request done by a kernel thread.
 * Woken by the first completion, we would take the CPU from these threads and find one completion a
 * round; a batch thread waits for its turn and finds all that is done. The read of one byte is only a
 * question: direct I/O refuses it before the device hears of it.
 */
static void give_way_to_kernel_threads(struct uring *u, int fd)
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
static void prepare_entries(const struct uring *u)
{
	for (unsigned int i = 0; i < u->uring.sq.ring_entries; i++) {
		struct io_uring_sqe *sqe = &u->uring.sq.sqes[i];

		memset(sqe, 0, sizeof(*sqe));
		sqe->flags = (uint8_t)u->sqe_flags;
		sqe->fd = u->fd;
	}
}

static int uring_open(struct ring **ring, const struct ring_config *config, struct error *err)
{
	struct uring_ring *u = calloc(1, sizeof(*u));
	int rc;

	if (!u)
		return error_set(err, -ENOMEM, "no memory for a ring");
	rc = uring_set_up(&u->uring, config, config->fd, config->depth, 0, err);
	if (rc < 0) {
		uring_close(&u->uring.ring);
		return rc;
	}
	u->opcode[DIR_READ] = IORING_OP_READ;
	u->opcode[DIR_WRITE] = IORING_OP_WRITE;
	if (uring_register_buffers(&u->uring, config->area, config->nr_areas)) {
		u->opcode[DIR_READ] = IORING_OP_READ_FIXED;
		u->opcode[DIR_WRITE] = IORING_OP_WRITE_FIXED;
		u->area_mask = ~0U;
	}
	give_way_to_kernel_threads(&u->uring, config->fd);
	prepare_entries(&u->uring);
	*ring = &u->uring.ring;
	return 0;
}

/* io_uring_get_sqe() and io_uring_prep_*() without their checks and constant fields: there is a place
 * for each slot, and a plain entry is as good as a fresh one. */
static void uring_queue(struct ring *ring, const struct io *io)
{
	struct uring_ring *u = (struct uring_ring *)ring;
	struct io_uring_sq *sq = &u->uring.uring.sq;
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

static uint32_t uring_reap(struct ring *ring, struct completion *out)
{
	const struct io_uring_cq *cq = &((struct uring *)ring)->uring.cq;
	const unsigned int head = *cq->khead;
	const uint32_t nr = io_uring_smp_load_acquire(cq->ktail) - head;

	for (uint32_t i = 0; i < nr; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & cq->ring_mask];

		out[i] = (struct completion){.slot = (uint32_t)cqe->user_data, .result = cqe->res};
	}
	io_uring_smp_store_release(cq->khead, head + nr);
	return nr;
}

const struct ring_ops ring_uring = {
	.kind = ENGINE_IO_URING,
	.open = uring_open,
	.queue = uring_queue,
	.submit = uring_submit,
	.reap = uring_reap,
	.close = uring_close,
};
