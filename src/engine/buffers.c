// SPDX-License-Identifier: MIT
#include "buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Page size of O_DIRECT transfers, and what stamps are apart. */
#define PAGE_BYTES 4096ULL
/* Shorter buffers would make vectors of small pieces. */
#define SMALLEST_BYTES (64ULL << 10)
/* Larger ones save nothing: a request of 1 GiB is a vector of 64 then. */
#define SHARED_READ_BYTES (16ULL << 20)

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	value = value < low ? low : value;
	return value < high ? value : high;
}

int buffer_layout_plan(struct buffer_layout *layout, const struct buffer_need *need, uint64_t bound)
{
	const uint64_t slots = need->workers * need->depth;
	const uint64_t largest = round_up(need->largest, PAGE_BYTES);
	/* As short as the longest vector allows, in whole 64 KiB. */
	const uint64_t shortest =
		clamp(round_up((largest - 1) / BUFFER_VECTOR_MAX + 1, SMALLEST_BYTES), 0, largest);
	uint64_t left;

	*layout = (struct buffer_layout){.largest = largest, .area_bytes = REQUEST_MAX};
	layout->minimum_bytes = (need->reads ? need->workers * shortest : 0) +
				(need->writes ? slots * shortest : 0);
	if (slots * largest * (need->reads + need->writes) <= bound) {
		layout->read_bytes = need->reads ? largest : 0;
		layout->write_bytes = need->writes ? largest : 0;
		layout->total_bytes = slots * (layout->read_bytes + layout->write_bytes);
		return 0;
	}
	if (layout->minimum_bytes > bound)
		return -ENOMEM;
	left = bound;
	if (need->reads) {
		/* Leave the writes at least their smallest. */
		const uint64_t share =
			(left - (need->writes ? slots * shortest : 0)) / need->workers;

		layout->reads_shared = true;
		layout->read_bytes = clamp(share / SMALLEST_BYTES * SMALLEST_BYTES, shortest,
					   clamp(SHARED_READ_BYTES, shortest, largest));
		left -= layout->read_bytes * need->workers;
	}
	if (need->writes)
		layout->write_bytes =
			clamp(left / slots / SMALLEST_BYTES * SMALLEST_BYTES, shortest, largest);
	layout->total_bytes = layout->read_bytes * need->workers + layout->write_bytes * slots;
	return 0;
}

/* Cut [start, start + bytes) into areas of whole buffers (io_uring_register(2) takes 1 GiB at most). */
static void add_areas(struct buffers *b, char *start, uint64_t bytes, uint64_t buffer_bytes,
		      uint64_t most)
{
	uint64_t piece = buffer_bytes ? most / buffer_bytes * buffer_bytes : 0;

	for (; bytes > 0; start += piece, bytes -= piece) {
		piece = bytes < piece ? bytes : piece;
		b->area[b->nr_areas++] = (struct iovec){.iov_base = start, .iov_len = piece};
	}
}

static uint32_t area_of(const struct buffers *b, const char *data)
{
	uint32_t i = 0;

	while (data >= (char *)b->area[i].iov_base + b->area[i].iov_len)
		i++;
	return i;
}

static uint64_t vector_entries(uint64_t largest, uint64_t bytes)
{
	return bytes && bytes < largest ? (largest - 1) / bytes + 1 : 0;
}

static void set_buffer(const struct buffers *b, struct io_buffer *buffer, char *data,
		       uint64_t bytes, struct iovec **vector, uint64_t entries)
{
	buffer->data = data;
	buffer->bytes = (uint32_t)bytes;
	buffer->area = area_of(b, data);
	if (!entries)
		return;
	buffer->iov = *vector;
	for (uint64_t i = 0; i < entries; i++)
		buffer->iov[i] = (struct iovec){.iov_base = data, .iov_len = bytes};
	*vector += entries;
}

static void set_slots(struct buffers *b, const struct buffer_layout *layout, uint32_t depth,
		      char *writes)
{
	const uint64_t read_entries = vector_entries(layout->largest, layout->read_bytes);
	const uint64_t write_entries = vector_entries(layout->largest, layout->write_bytes);
	const uint64_t read_step = layout->reads_shared ? 0 : layout->read_bytes;
	struct iovec *vector = b->vectors;

	for (uint32_t slot = 0; slot < depth; slot++) {
		struct io_buffer *buffer = &b->buffer[slot * DIRECTIONS];

		if (layout->read_bytes)
			set_buffer(b, &buffer[DIR_READ], (char *)b->memory + slot * read_step,
				   layout->read_bytes, &vector, read_entries);
		if (layout->write_bytes)
			set_buffer(b, &buffer[DIR_WRITE], writes + slot * layout->write_bytes,
				   layout->write_bytes, &vector, write_entries);
	}
}

static void fill_random(char *data, uint64_t bytes, struct random *random)
{
	uint64_t *word = (uint64_t *)data;

	for (uint64_t i = 0; i < bytes / sizeof(*word); i++)
		word[i] = random_next(random);
}

static int map_memory(struct buffers *b)
{
	void *memory = mmap(NULL, b->memory_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		return -ENOMEM;
	b->memory = memory;
	return 0;
}

int buffers_init(struct buffers *b, const struct buffer_layout *layout, uint32_t depth,
		 struct random *random)
{
	const uint64_t reads = layout->read_bytes * (layout->reads_shared ? 1 : depth);
	const uint64_t writes = layout->write_bytes * depth;
	const uint64_t entries = vector_entries(layout->largest, layout->read_bytes) +
				 vector_entries(layout->largest, layout->write_bytes);
	/* A piece is more than half of area_bytes; one more for the rest of each kind. */
	const uint64_t areas = 2 * (reads + writes) / layout->area_bytes + 2;

	memset(b, 0, sizeof(*b));
	b->memory_bytes = reads + writes;
	b->buffer = calloc((size_t)depth * DIRECTIONS, sizeof(*b->buffer));
	b->vectors = calloc(entries * depth + 1, sizeof(*b->vectors));
	b->area = calloc(areas, sizeof(*b->area));
	if (!b->buffer || !b->vectors || !b->area || map_memory(b)) {
		buffers_fini(b);
		return -ENOMEM;
	}
	add_areas(b, b->memory, reads, layout->read_bytes, layout->area_bytes);
	add_areas(b, (char *)b->memory + reads, writes, layout->write_bytes, layout->area_bytes);
	set_slots(b, layout, depth, (char *)b->memory + reads);
	fill_random((char *)b->memory + reads, writes, random);
	return 0;
}

int buffers_init_null(struct buffers *b, uint32_t depth)
{
	memset(b, 0, sizeof(*b));
	b->buffer = calloc((size_t)depth * DIRECTIONS, sizeof(*b->buffer));
	if (!b->buffer)
		return -ENOMEM;
	for (uint32_t i = 0; i < depth * DIRECTIONS; i++)
		b->buffer[i].bytes = UINT32_MAX;
	return 0;
}

void buffers_fini(struct buffers *b)
{
	if (b->memory)
		munmap(b->memory, b->memory_bytes);
	free(b->vectors);
	free(b->area);
	free(b->buffer);
	memset(b, 0, sizeof(*b));
}
