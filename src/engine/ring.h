/* SPDX-License-Identifier: MIT */
/*
 * A ring takes requests to a drive and brings back completions: one table of five functions per way
 * into the kernel, so that the worker's loop has no `if (uring)`. One thread opens, uses and closes a ring.
 */
#ifndef SSDBENCH_ENGINE_RING_H
#define SSDBENCH_ENGINE_RING_H

#include <stdint.h>
#include <sys/uio.h>

#include "ssdbench/engine.h"

/* The kernel moves a little less than 2 GiB per call; profiles end at 1 GiB. */
#define REQUEST_MAX (1ULL << 30)

/* What a slot may send from or receive into, for one direction. */
struct io_buffer {
	void *data;
	struct iovec *iov; /* NULL: `data` holds the largest request */
	uint32_t bytes;    /* length of data */
	uint32_t area;     /* which registered area data lies in */
};

/* A slot: one request in flight. The worker fills it, the ring only reads it. */
struct io {
	uint64_t queued; /* ticks */
	uint64_t offset; /* on the drive, bytes */
	uint32_t length; /* bytes */
	uint32_t nr_iov; /* 0: one transfer from buffer->data; else through buffer->iov */
	const struct io_buffer *buffer;  /* buffers[dir] */
	const struct io_buffer *buffers; /* [DIRECTIONS] */
	uint32_t slot;                   /* its own number */
	enum direction dir;
};

struct completion {
	uint32_t slot;
	int32_t result; /* bytes, or a negative errno */
};

/* What a ring really uses; bits of ring->features. */
enum ring_feature {
	RING_FIXED_BUFFERS = 1 << 0,
	RING_FIXED_FILE = 1 << 1,
	RING_REGISTERED_FD = 1 << 2,
	RING_SINGLE_ISSUER = 1 << 3,
	RING_DEFER_TASKRUN = 1 << 4,
	RING_COOP_TASKRUN = 1 << 5,
	RING_IOPOLL = 1 << 6,
	RING_SQPOLL = 1 << 7,
	RING_KERNEL_THREADS = 1 << 8, /* each request blocks one: the file knows no RWF_NOWAIT */
};

struct ring_config {
	int fd;
	const struct passthrough *passthrough; /* io_uring_cmd only: used instead of fd; borrowed */
	uint32_t depth;
	uint64_t largest; /* request, bytes */
	bool iopoll, sqpoll;
	struct iovec
		*area; /* memory that holds all buffers, in pieces of at most 1 GiB; borrowed */
	unsigned int nr_areas;
	const struct io_buffer *buffer; /* [slot * DIRECTIONS + direction]; borrowed */
};

/* What all rings begin with. */
struct ring {
	unsigned int features; /* enum ring_feature */
};

struct ring_ops {
	enum engine_kind kind;
	/* 0 and *@ring set (release with close), or a negative errno with ERROR_HARNESS. */
	int (*open)(struct ring **ring, const struct ring_config *config, struct error *err);
	/* Take a request, to be sent by the next submit. At most depth may be in flight; @io stays as it is
	 * until its completion has been reaped. Cannot fail: a refused request completes with its errno. */
	void (*queue)(struct ring *ring, const struct io *io);
	/* Send all that is queued and wait for one completion or more, in one system call where the kernel
	 * can. May come back early without one. 0, or a negative errno: the ring is unusable. */
	int (*submit)(struct ring *ring);
	/* All completions that are there, @out has room for depth. Does not wait. */
	uint32_t (*reap)(struct ring *ring, struct completion *out);
	/* The NVMe status that a slot's last request failed with, as the drive gave it; 0: none. NULL where
	 * no ring of the kind knows. Valid until the slot is queued again. */
	uint16_t (*nvme_status)(const struct ring *ring, uint32_t slot);
	/* NULL is allowed. */
	void (*close)(struct ring *ring);
};

extern const struct ring_ops ring_uring, ring_uring_cmd, ring_aio, ring_sync, ring_null;

/* 0 where io_uring can be had at all, else the negative errno of its set-up. */
int ring_uring_probe(void);
/* The same for rings that can carry NVMe commands. */
int ring_uring_cmd_probe(void);

/* "fixed_buffers fixed_file ..." Returns @text. */
const char *ring_features_text(unsigned int features, char *text, size_t size);

#endif
