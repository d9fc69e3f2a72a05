/* SPDX-License-Identifier: MIT */
/*
 * Memory that requests are sent from and received into. Each slot has its own buffer where all of them fit
 * the bound. Where they do not (1 GiB requests at depth 40), a request larger than its buffer is sent as a
 * vector that names the same buffer again and again: reads of a worker all land in one buffer, since
 * nobody looks at them, and each write has a shorter one of its own, whose contents then repeat.
 */
#ifndef SSDBENCH_ENGINE_BUFFERS_H
#define SSDBENCH_ENGINE_BUFFERS_H

#include "ring.h"
#include "ssdbench/random.h"

/* UIO_MAXIOV: what the kernel takes in one vector */
#define BUFFER_VECTOR_MAX 1024U

/* What the buffers of all workers look like. Lengths are multiples of 4 KiB; 0: no such requests. */
struct buffer_layout {
	uint64_t largest;       /* request, rounded up to 4 KiB */
	uint64_t read_bytes;    /* of each read buffer */
	uint64_t write_bytes;   /* of each write buffer */
	bool reads_shared;      /* one read buffer for all slots of a worker */
	uint64_t area_bytes;    /* what a ring can register in one piece: 1 GiB */
	uint64_t total_bytes;   /* of all workers */
	uint64_t minimum_bytes; /* the least bound that would do, set on failure too */
};

struct buffer_need {
	uint64_t largest; /* request */
	bool reads, writes;
	uint64_t workers;
	uint64_t depth; /* of each worker */
};

/* 0, or -ENOMEM where @bound cannot hold even the smallest buffers. */
int buffer_layout_plan(struct buffer_layout *layout, const struct buffer_need *need,
		       uint64_t bound);

/* The buffers of one worker. */
struct buffers {
	void *memory; /* read buffers, then write buffers */
	uint64_t memory_bytes;
	struct iovec *vectors; /* of all slots */
	struct iovec *area;    /* the memory in pieces that a ring can register */
	unsigned int nr_areas;
	struct io_buffer *buffer; /* [slot * DIRECTIONS + direction] */
};

/*
 * Map and fill the memory of a worker with @depth slots: read buffers are touched, write buffers filled from
 * @random. 0 or -ENOMEM; release with buffers_fini().
 */
int buffers_init(struct buffers *buffers, const struct buffer_layout *layout, uint32_t depth,
		 struct random *random);
/* The same without memory, for a null target: every length fits, nothing may be touched. */
int buffers_init_null(struct buffers *buffers, uint32_t depth);
void buffers_fini(struct buffers *buffers);

/* How many vector entries a request of @length takes; 0: it fits. Sets the last one's length. */
static inline uint32_t buffer_cut(const struct io_buffer *buffer, uint32_t length)
{
	uint32_t nr;

	if (__builtin_expect(length <= buffer->bytes, 1))
		return 0;
	nr = (length - 1) / buffer->bytes + 1;
	buffer->iov[nr - 1].iov_len = length - (nr - 1) * buffer->bytes;
	return nr;
}

/* After such a request: its last entry is whole again. */
static inline void buffer_mend(const struct io_buffer *buffer, uint32_t nr_iov)
{
	if (__builtin_expect(nr_iov != 0, 0))
		buffer->iov[nr_iov - 1].iov_len = buffer->bytes;
}

#define STAMP_DISTANCE 4096U

/* 16 bytes at the start of each 4 KiB of write data; no two of a run are equal. */
struct stamp {
	uint64_t tag;      /* worker and run */
	uint64_t sequence; /* counts the worker's 4 KiB blocks */
};

/* Put the next stamps into what a request of @length sends. */
static inline void buffer_stamp(const struct io_buffer *buffer, uint32_t length,
				struct stamp *stamp)
{
	const uint32_t end = length < buffer->bytes ? length : buffer->bytes;
	struct stamp next = *stamp;

	for (uint32_t at = 0; at < end; at += STAMP_DISTANCE) {
		struct stamp *place = (struct stamp *)((char *)buffer->data + at);

		next.sequence++;
		*place = next;
	}
	*stamp = next;
}

#endif
