// SPDX-License-Identifier: MIT
/* The kernel's older asynchronous interface: io_submit and io_getevents, in batches. */
#include <errno.h>
#include <libaio.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"

struct aio_ring {
	struct ring ring;
	int fd;
	uint32_t depth;
	io_context_t context;
	uint32_t nr_queued;      /* taken, not yet sent */
	uint32_t nr_sent;        /* in the kernel */
	uint32_t nr_done;        /* here, not yet reaped */
	struct iocb *iocb;       /* one per slot */
	struct iocb **queued;    /* depth of them */
	struct completion *done; /* depth of them */
	struct io_event *event;  /* depth of them */
};

static void aio_close(struct ring *ring)
{
	struct aio_ring *a = (struct aio_ring *)ring;

	if (!a)
		return;
	if (a->context)
		io_destroy(a->context);
	free(a->iocb);
	free(a->queued);
	free(a->done);
	free(a->event);
	free(a);
}

static int aio_open(struct ring **ring, const struct ring_config *config, struct error *err)
{
	struct aio_ring *a = calloc(1, sizeof(*a));
	int rc;

	if (!a)
		goto no_memory;
	a->fd = config->fd;
	a->depth = config->depth;
	a->iocb = calloc(a->depth, sizeof(*a->iocb));
	a->queued = calloc(a->depth, sizeof(struct iocb *));
	a->done = calloc(a->depth, sizeof(*a->done));
	a->event = calloc(a->depth, sizeof(*a->event));
	if (!a->iocb || !a->queued || !a->done || !a->event)
		goto no_memory;
	rc = io_setup((int)a->depth, &a->context);
	if (rc < 0) {
		aio_close(&a->ring);
		if (rc == -EAGAIN)
			return error_set(err, rc,
					 "libaio: no room for %u more requests: raise "
					 "fs.aio-max-nr (sysctl -w fs.aio-max-nr=1048576)",
					 config->depth);
		return error_set(err, rc, "libaio: io_setup(%u): %s", config->depth, strerror(-rc));
	}
	*ring = &a->ring;
	return 0;
no_memory:
	aio_close(a ? &a->ring : NULL);
	return error_set(err, -ENOMEM, "no memory for a ring of depth %u", config->depth);
}

static void aio_queue(struct ring *ring, const struct io *io)
{
	struct aio_ring *a = (struct aio_ring *)ring;
	struct iocb *iocb = &a->iocb[io->slot];
	const bool read = io->dir == DIR_READ;

	iocb->data = (void *)(uintptr_t)io->slot;
	iocb->aio_fildes = a->fd;
	iocb->u.c.offset = (long long)io->offset;
	if (io->nr_iov) {
		iocb->aio_lio_opcode = read ? IO_CMD_PREADV : IO_CMD_PWRITEV;
		iocb->u.c.buf = io->buffer->iov;
		iocb->u.c.nbytes = io->nr_iov;
	} else {
		iocb->aio_lio_opcode = read ? IO_CMD_PREAD : IO_CMD_PWRITE;
		iocb->u.c.buf = io->buffer->data;
		iocb->u.c.nbytes = io->length;
	}
	a->queued[a->nr_queued++] = iocb;
}

static void complete(struct aio_ring *a, const struct iocb *iocb, int32_t result)
{
	a->done[a->nr_done++] = (struct completion){
		.slot = (uint32_t)(uintptr_t)iocb->data,
		.result = result,
	};
}

/* Sends what is queued. A request that the kernel refuses completes with its errno; what it has no
 * resources for just now (EAGAIN) stays queued. */
static void send_queued(struct aio_ring *a)
{
	uint32_t first = 0;

	while (first < a->nr_queued) {
		const int rc =
			io_submit(a->context, (long)(a->nr_queued - first), a->queued + first);

		if (rc > 0) {
			first += (uint32_t)rc;
			a->nr_sent += (uint32_t)rc;
		} else if (rc == -EAGAIN || rc == 0) {
			break;
		} else if (rc != -EINTR) {
			complete(a, a->queued[first], rc);
			first++;
		}
	}
	a->nr_queued -= first;
	if (first && a->nr_queued)
		memmove(a->queued, a->queued + first, a->nr_queued * sizeof(struct iocb *));
}

static int aio_submit(struct ring *ring)
{
	struct aio_ring *a = (struct aio_ring *)ring;
	int nr;

	if (a->nr_queued)
		send_queued(a);
	if (!a->nr_sent)
		return 0;
	nr = io_getevents(a->context, a->nr_done ? 0 : 1, (long)a->depth, a->event, NULL);
	if (nr < 0)
		return nr == -EINTR ? 0 : nr;
	for (int i = 0; i < nr; i++)
		complete(a, a->event[i].obj, (int32_t)(long)a->event[i].res);
	a->nr_sent -= (uint32_t)nr;
	return 0;
}

static uint32_t aio_reap(struct ring *ring, struct completion *out)
{
	struct aio_ring *a = (struct aio_ring *)ring;
	const uint32_t nr = a->nr_done;

	for (uint32_t i = 0; i < nr; i++)
		out[i] = a->done[i];
	a->nr_done = 0;
	return nr;
}

const struct ring_ops ring_aio = {
	.kind = ENGINE_LIBAIO,
	.open = aio_open,
	.queue = aio_queue,
	.submit = aio_submit,
	.reap = aio_reap,
	.close = aio_close,
};
