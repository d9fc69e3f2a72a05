// SPDX-License-Identifier: MIT
/* pread and pwrite: a ring of depth 1 whose submit does the transfer. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "ring.h"

struct sync_ring {
	struct ring ring;
	int fd;
	const struct io *io; /* queued; NULL: none */
	struct completion done;
	uint32_t nr_done;
};

static int sync_open(struct ring **ring, const struct ring_config *config, struct error *err)
{
	struct sync_ring *s = calloc(1, sizeof(*s));

	assert(config->depth == 1);
	if (!s)
		return error_set(err, -ENOMEM, "no memory for a ring");
	s->fd = config->fd;
	*ring = &s->ring;
	return 0;
}

static void sync_queue(struct ring *ring, const struct io *io)
{
	((struct sync_ring *)ring)->io = io;
}

static ssize_t transfer(int fd, const struct io *io)
{
	const off_t offset = (off_t)io->offset;

	if (io->nr_iov)
		return io->dir == DIR_READ ? preadv(fd, io->buffer->iov, (int)io->nr_iov, offset)
					   : pwritev(fd, io->buffer->iov, (int)io->nr_iov, offset);
	return io->dir == DIR_READ ? pread(fd, io->buffer->data, io->length, offset)
				   : pwrite(fd, io->buffer->data, io->length, offset);
}

static int sync_submit(struct ring *ring)
{
	struct sync_ring *s = (struct sync_ring *)ring;
	ssize_t result;

	if (!s->io)
		return 0;
	do {
		result = transfer(s->fd, s->io);
	} while (result < 0 && errno == EINTR);
	s->done.slot = s->io->slot;
	s->done.result = result < 0 ? -errno : (int32_t)result;
	s->nr_done = 1;
	s->io = NULL;
	return 0;
}

static uint32_t sync_reap(struct ring *ring, struct completion *out)
{
	struct sync_ring *s = (struct sync_ring *)ring;
	const uint32_t nr = s->nr_done;

	out[0] = s->done;
	s->nr_done = 0;
	return nr;
}

static void sync_close(struct ring *ring)
{
	free(ring);
}

const struct ring_ops ring_sync = {
	.kind = ENGINE_SYNC,
	.open = sync_open,
	.queue = sync_queue,
	.submit = sync_submit,
	.reap = sync_reap,
	.close = sync_close,
};
