// SPDX-License-Identifier: MIT
/*
 * A second of a drive is complete when all its workers say that they are past it. Until then its row is
 * pending: when one worker waits for a stalled request for a minute, a minute of rows of the others is kept.
 */
#include "samples.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct slice *outbox_init(struct outbox *outbox)
{
	slice_clear(&outbox->slice[0]);
	return &outbox->slice[0];
}

/* The lowest slice that is neither handed over nor @current; NULL: none. */
static struct slice *free_slice(struct outbox *outbox, const struct slice *current)
{
	for (unsigned int i = 0; i < OUTBOX_SLICES; i++) {
		if (&outbox->slice[i] != current &&
		    !atomic_load_explicit(&outbox->full[i], memory_order_acquire))
			return &outbox->slice[i];
	}
	return NULL;
}

struct slice *outbox_publish(struct outbox *outbox, struct slice *slice)
{
	struct slice *next = free_slice(outbox, slice);

	if (!next) {
		slice_merge(&outbox->late, slice);
		outbox->late.second = slice->second;
		slice_clear(slice);
		return slice;
	}
	slice_merge(slice, &outbox->late);
	slice_clear(&outbox->late);
	atomic_store_explicit(&outbox->full[slice - outbox->slice], true, memory_order_release);
	slice_clear(next);
	return next;
}

void outbox_advance(struct outbox *outbox, uint32_t second)
{
	atomic_store_explicit(&outbox->progress, second, memory_order_release);
}

/* Rows of a drive that are not complete: those of seconds [next, next + capacity). */
struct pending {
	struct sampler_drive drive;
	uint32_t next;
	uint32_t end; /* one past the last second that something completed in */
	uint32_t capacity;
	struct slice **row; /* [second % capacity]; NULL: nothing yet */
};

struct sampler {
	const struct engine_hooks *hooks;
	struct histogram scratch;
	size_t nr;
	struct pending pending[];
};

struct sampler *sampler_new(const struct sampler_drive *drives, size_t nr,
			    const struct engine_hooks *hooks)
{
	struct sampler *sampler = calloc(1, sizeof(*sampler) + nr * sizeof(sampler->pending[0]));

	if (!sampler)
		return NULL;
	sampler->hooks = hooks;
	sampler->nr = nr;
	for (size_t i = 0; i < nr; i++)
		sampler->pending[i].drive = drives[i];
	return sampler;
}

void sampler_free(struct sampler *sampler)
{
	if (!sampler)
		return;
	for (size_t i = 0; i < sampler->nr; i++) {
		struct pending *p = &sampler->pending[i];

		for (uint32_t k = 0; k < p->capacity; k++)
			free(p->row[k]);
		free(p->row);
	}
	free(sampler);
}

static int grow(struct pending *p, uint32_t second)
{
	uint32_t capacity = p->capacity ? p->capacity : 4;
	struct slice **row;

	while (second - p->next >= capacity)
		capacity *= 2;
	row = calloc(capacity, sizeof(struct slice *));
	if (!row)
		return -ENOMEM;
	for (uint32_t k = 0; k < p->capacity; k++)
		row[(p->next + k) % capacity] = p->row[(p->next + k) % p->capacity];
	free(p->row);
	p->row = row;
	p->capacity = capacity;
	return 0;
}

/* NULL: no memory. */
static struct slice *row_of(struct pending *p, uint32_t second)
{
	struct slice **row;

	/* What a worker published late belongs to a row that has gone out: the next one takes it. */
	if (second < p->next)
		second = p->next;
	if (second - p->next >= p->capacity && grow(p, second))
		return NULL;
	p->end = second >= p->end ? second + 1 : p->end;
	row = &p->row[second % p->capacity];
	if (!*row)
		*row = calloc(1, sizeof(**row));
	return *row;
}

static int take_slice(struct pending *p, struct slice *slice)
{
	struct slice *row;

	if (!slice->dir[DIR_READ].ios && !slice->dir[DIR_WRITE].ios)
		return 0;
	row = row_of(p, slice->second);
	if (!row)
		return -ENOMEM;
	slice_merge(row, slice);
	slice_clear(slice);
	return 0;
}

static int take_slices(struct pending *p, struct outbox *outbox)
{
	for (unsigned int i = 0; i < OUTBOX_SLICES; i++) {
		if (!atomic_load_explicit(&outbox->full[i], memory_order_acquire))
			continue;
		if (take_slice(p, &outbox->slice[i]))
			return -ENOMEM;
		atomic_store_explicit(&outbox->full[i], false, memory_order_release);
	}
	return 0;
}

static void fill_direction(struct sample *sample, int dir, const struct slice_part *part,
			   struct histogram *scratch)
{
	if (!part->ios)
		return;
	histogram_reset(scratch);
	sample->dir[dir].ios = part->ios;
	sample->dir[dir].bytes = part->bytes;
	sample->dir[dir].latency_sum_ns = part->sum_ns;
	sample->dir[dir].latency_min_ns = part->min_ns;
	sample->dir[dir].latency_max_ns = part->max_ns;
	slice_add_to_histogram(part, scratch);
	sample->dir[dir].latency_p50_ns = histogram_percentile(scratch, 50.0);
	sample->dir[dir].latency_p99_ns = histogram_percentile(scratch, 99.0);
}

static void emit(struct sampler *sampler, struct pending *p)
{
	struct sample sample = {.drive = p->drive.drive, .second = p->next};
	struct slice *row = p->capacity ? p->row[p->next % p->capacity] : NULL;

	for (int dir = 0; row && dir < DIRECTIONS; dir++)
		fill_direction(&sample, dir, &row->dir[dir], &sampler->scratch);
	if (sampler->hooks && sampler->hooks->sample)
		sampler->hooks->sample(sampler->hooks->context, &sample);
	if (row)
		slice_clear(row);
	p->next++;
}

static int collect_drive(struct sampler *sampler, struct pending *p)
{
	uint32_t done = OUTBOX_CLOSED;
	int rc;

	if (!p->drive.nr)
		return 0;
	/* Progress first: what is published before it is then seen in the outboxes. */
	for (uint32_t w = 0; w < p->drive.nr; w++) {
		const uint32_t progress =
			atomic_load_explicit(&p->drive.outbox[w]->progress, memory_order_acquire);

		done = progress < done ? progress : done;
	}
	for (uint32_t w = 0; w < p->drive.nr; w++) {
		rc = take_slices(p, p->drive.outbox[w]);
		if (rc)
			return rc;
	}
	/* When all are closed only sampler_finish() knows where the rows end. */
	while (done != OUTBOX_CLOSED && p->next < done)
		emit(sampler, p);
	return 0;
}

int sampler_collect(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->nr; i++) {
		const int rc = collect_drive(sampler, &sampler->pending[i]);

		if (rc)
			return rc;
	}
	return 0;
}

int sampler_finish(struct sampler *sampler, size_t index, uint32_t seconds)
{
	struct pending *p = &sampler->pending[index];
	int rc = collect_drive(sampler, p);

	for (uint32_t w = 0; rc == 0 && w < p->drive.nr; w++)
		rc = take_slice(p, &p->drive.outbox[w]->late);
	while (rc == 0 && (p->next < seconds || p->next < p->end))
		emit(sampler, p);
	return rc;
}
