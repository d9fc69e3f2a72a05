// SPDX-License-Identifier: MIT
/*
 * NVMe passthrough: reads and writes as commands to the generic node, past the block layer. What the block
 * layer would do is done here: a request larger than the drive takes is cut into commands, and
 * completes when the last of them does. Requests whose commands find no room in the ring wait in a
 * line; only the first of the line can have been sent in part.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nvme_command.h"
#include "uring.h"

/* As many commands as a queue of the kernel's NVMe driver has room for. */
#define COMMANDS_MAX 1024U

/* What io_uring registers at most (IORING_MAX_REG_BUFFERS). */
#define PIECES_MAX 16384U

/* A request on its way. */
struct request {
	const struct io *io;
	uint32_t sent;      /* bytes that have commands */
	uint32_t in_flight; /* commands */
	int code;           /* of the first command that failed: errno, positive; 0: none has */
	uint16_t status;    /* and its NVMe status; 0: the kernel refused it */
};

/* Linux 6.1 counts all pages of a registered buffer as segments of a command that uses a part of it, and refuses
 * the command. So each piece that a command can use is registered by itself. */
struct pieces {
	struct iovec *piece;
	uint32_t nr;
	uint16_t
		*first; /* [slot * DIRECTIONS + direction]: the piece that the buffer begins with */
};

struct cmd_ring {
	struct uring uring;
	uint32_t max_bytes, block_shift;
	uint32_t depth, room;    /* requests and commands at most */
	uint32_t in_flight;      /* commands */
	struct request *request; /* [slot] */
	uint32_t *line;          /* slots in order, a circle of depth */
	uint32_t first_waiting, nr_waiting;
	struct pieces pieces;
	uint32_t piece_shift; /* log2 of max_bytes */
	uint32_t piece_mask;  /* 0 where none are registered: the index must be 0 */
};

/* What is the same for all commands stays in the entries: the kernel does not change them. */
static void prepare_entries(struct cmd_ring *c, uint32_t nsid, bool fixed)
{
	const struct io_uring_sq *sq = &c->uring.uring.sq;

	for (unsigned int i = 0; i < sq->ring_entries; i++) {
		struct io_uring_sqe *sqe = &sq->sqes[i * 2];
		struct nvme_uring_cmd *cmd = (void *)sqe->cmd;

		memset(sqe, 0, 2 * sizeof(*sqe));
		sqe->opcode = IORING_OP_URING_CMD;
		sqe->cmd_op = NVME_URING_CMD_IO;
		sqe->flags = (uint8_t)c->uring.sqe_flags;
		sqe->fd = c->uring.fd;
		sqe->uring_cmd_flags = fixed ? IORING_URING_CMD_FIXED : 0;
		cmd->nsid = nsid;
	}
	c->piece_mask = fixed ? ~0U : 0;
}

static uint32_t piece_of(const struct cmd_ring *c, const struct io *io, uint32_t at)
{
	return c->pieces.first[io->slot * DIRECTIONS + io->dir] +
	       (at % io->buffer->bytes >> c->piece_shift);
}

static void send_command(struct cmd_ring *c, struct request *r)
{
	struct io_uring_sq *sq = &c->uring.uring.sq;
	struct io_uring_sqe *sqe = &sq->sqes[(sq->sqe_tail++ & sq->ring_mask) * 2];
	const struct io *io = r->io;
	void *data;
	const uint32_t length = nvme_command_cut(io, r->sent, c->max_bytes, &data);

	sqe->user_data = io->slot;
	sqe->buf_index = (uint16_t)(piece_of(c, io, r->sent) & c->piece_mask);
	nvme_command_encode((void *)sqe->cmd, io->dir, io->offset + r->sent, data, length,
			    c->block_shift);
	r->sent += length;
	r->in_flight++;
	c->in_flight++;
}

/* True: all commands of the request are sent. */
static bool send_request(struct cmd_ring *c, struct request *r)
{
	while (r->sent < r->io->length && c->in_flight < c->room)
		send_command(c, r);
	return r->sent == r->io->length;
}

static void leave_line(struct cmd_ring *c)
{
	c->first_waiting = (c->first_waiting + 1) % c->depth;
	c->nr_waiting--;
}

static void cmd_queue(struct ring *ring, const struct io *io)
{
	struct cmd_ring *c = (struct cmd_ring *)ring;
	struct request *r = &c->request[io->slot];

	*r = (struct request){.io = io};
	if (c->nr_waiting == 0 && send_request(c, r))
		return;
	c->line[(c->first_waiting + c->nr_waiting++) % c->depth] = io->slot;
}

static int cmd_submit(struct ring *ring)
{
	struct cmd_ring *c = (struct cmd_ring *)ring;

	while (c->nr_waiting > 0 && send_request(c, &c->request[c->line[c->first_waiting]]))
		leave_line(c);
	return uring_submit(ring);
}

/* A command that failed fails its request, whose other commands need not be sent. */
static void note_failure(struct cmd_ring *c, struct request *r, int32_t result)
{
	if (r->code == 0 && result > 0)
		r->status = (uint16_t)result;
	if (r->code == 0)
		r->code = result < 0 ? -result : nvme_status_errno((uint16_t)result);
	if (r->sent < r->io->length) {
		assert(c->line[c->first_waiting] == r->io->slot);
		leave_line(c);
		r->sent = r->io->length;
	}
}

/* True: it was the request's last command; @out is its completion. */
static bool finish_command(struct cmd_ring *c, const struct io_uring_cqe *cqe,
			   struct completion *out)
{
	struct request *r = &c->request[cqe->user_data];

	c->in_flight--;
	r->in_flight--;
	if (__builtin_expect(cqe->res != 0, 0))
		note_failure(c, r, cqe->res);
	if (r->in_flight > 0 || r->sent < r->io->length)
		return false;
	out->slot = (uint32_t)cqe->user_data;
	out->result = r->code ? -r->code : (int32_t)r->io->length;
	return true;
}

static uint32_t cmd_reap(struct ring *ring, struct completion *out)
{
	struct cmd_ring *c = (struct cmd_ring *)ring;
	const struct io_uring_cq *cq = &c->uring.uring.cq;
	const unsigned int head = *cq->khead;
	const uint32_t nr = io_uring_smp_load_acquire(cq->ktail) - head;
	uint32_t nr_done = 0;

	for (uint32_t i = 0; i < nr; i++)
		nr_done += finish_command(c, &cq->cqes[((head + i) & cq->ring_mask) * 2],
					  &out[nr_done]);
	io_uring_smp_store_release(cq->khead, head + nr);
	return nr_done;
}

static uint16_t cmd_nvme_status(const struct ring *ring, uint32_t slot)
{
	return ((const struct cmd_ring *)ring)->request[slot].status;
}

static void cmd_close(struct ring *ring)
{
	struct cmd_ring *c = (struct cmd_ring *)ring;

	if (!c)
		return;
	free(c->request);
	free(c->line);
	free(c->pieces.piece);
	free(c->pieces.first);
	uring_close(ring);
}

static void add_pieces(struct pieces *pieces, const struct io_buffer *buffer, uint32_t max_bytes)
{
	for (uint32_t at = 0; at < buffer->bytes && pieces->nr < PIECES_MAX; at += max_bytes)
		pieces->piece[pieces->nr++] = (struct iovec){
			.iov_base = (char *)buffer->data + at,
			.iov_len = buffer->bytes - at < max_bytes ? buffer->bytes - at : max_bytes,
		};
}

/* PIECES_MAX pieces: they may not be all. 0 or -ENOMEM. */
static int cut_buffers(struct pieces *pieces, const struct ring_config *config)
{
	const struct io_buffer *buffer = config->buffer;
	const uint32_t nr = config->depth * DIRECTIONS;

	pieces->piece = calloc(PIECES_MAX, sizeof(*pieces->piece));
	pieces->first = calloc(nr, sizeof(*pieces->first));
	if (!pieces->piece || !pieces->first)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++) {
		const bool shared =
			i >= DIRECTIONS && buffer[i].data == buffer[i - DIRECTIONS].data;

		pieces->first[i] = shared ? pieces->first[i - DIRECTIONS] : (uint16_t)pieces->nr;
		if (!shared && buffer[i].data)
			add_pieces(pieces, &buffer[i], config->passthrough->max_bytes);
	}
	return 0;
}

/* One block read into the first piece; what the kernel or the drive answers. */
static int read_a_block(struct cmd_ring *c)
{
	const struct io_buffer buffer = {.data = c->pieces.piece->iov_base, .bytes = UINT32_MAX};
	const struct io io = {.length = 1U << c->block_shift, .dir = DIR_READ, .buffer = &buffer};
	struct completion done;
	struct request *r = &c->request[0];
	int rc;

	cmd_queue(&c->uring.ring, &io);
	do {
		rc = cmd_submit(&c->uring.ring);
	} while (rc == 0 && cmd_reap(&c->uring.ring, &done) == 0);
	return rc || r->status ? rc : -r->code;
}

/* Whether the kernel passes commands on, and takes registered buffers for them (EINVAL), can only be told by
 * one. A drive that cannot read the block is none of this function's business. */
static int try_out(struct cmd_ring *c, uint32_t nsid)
{
	const struct pieces *p = &c->pieces;
	const bool fixed = p->nr < PIECES_MAX && uring_register_buffers(&c->uring, p->piece, p->nr);
	void *data = p->piece->iov_base, *saved = malloc(1U << c->block_shift);
	int rc;

	if (!saved)
		return -ENOMEM;
	memcpy(saved, data, 1U << c->block_shift);
	prepare_entries(c, nsid, fixed);
	rc = read_a_block(c);
	if (rc == -EINVAL && fixed) {
		c->uring.ring.features &= ~(unsigned int)RING_FIXED_BUFFERS;
		prepare_entries(c, nsid, false);
		rc = read_a_block(c);
	}
	memcpy(data, saved, 1U << c->block_shift);
	free(saved);
	return rc;
}

static int open_failed(int code, struct error *err)
{
	switch (code) {
	case -EINVAL:
	case -EOPNOTSUPP:
	case -ENOTTY:
		return error_set(err, code,
				 "io_uring_cmd: this kernel passes no NVMe commands through "
				 "io_uring (Linux 5.19 and later do): %s",
				 strerror(-code));
	case -EACCES:
	case -EPERM:
		return error_set(err, code,
				 "io_uring_cmd: NVMe commands are not permitted: %s; run as root",
				 strerror(-code));
	default:
		return error_set(err, code, "io_uring_cmd: the drive takes no commands: %s",
				 strerror(-code));
	}
}

static int allocate(struct cmd_ring *c, const struct ring_config *config)
{
	c->request = calloc(c->depth, sizeof(*c->request));
	c->line = calloc(c->depth, sizeof(*c->line));
	return c->request && c->line ? cut_buffers(&c->pieces, config) : -ENOMEM;
}

static int cmd_open(struct ring **ring, const struct ring_config *config, struct error *err)
{
	const struct passthrough *way = config->passthrough;
	struct cmd_ring *c = calloc(1, sizeof(*c));
	uint64_t commands;
	int rc;

	if (!c)
		return error_set(err, -ENOMEM, "no memory for a ring");
	commands = config->depth * nvme_command_count(config->largest, way->max_bytes);
	c->depth = config->depth;
	c->max_bytes = way->max_bytes;
	c->piece_shift = (uint32_t)__builtin_ctz(way->max_bytes);
	c->block_shift = (uint32_t)__builtin_ctz(way->block_bytes);
	c->room = (uint32_t)(commands < COMMANDS_MAX ? commands : COMMANDS_MAX);
	c->room = c->room < c->depth ? c->depth : c->room;
	rc = allocate(c, config);
	if (rc)
		error_set(err, rc, "no memory for a ring of depth %u", c->depth);
	else
		rc = uring_set_up(&c->uring, config, way->fd, c->room,
				  IORING_SETUP_SQE128 | IORING_SETUP_CQE32, err);
	if (rc == 0) {
		rc = try_out(c, way->nsid);
		if (rc)
			open_failed(rc, err);
	}
	if (rc) {
		cmd_close(&c->uring.ring);
		return rc;
	}
	*ring = &c->uring.ring;
	return 0;
}

const struct ring_ops ring_uring_cmd = {
	.kind = ENGINE_IO_URING_CMD,
	.open = cmd_open,
	.queue = cmd_queue,
	.submit = cmd_submit,
	.reap = cmd_reap,
	.nvme_status = cmd_nvme_status,
	.close = cmd_close,
};
