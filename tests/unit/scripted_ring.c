// SPDX-License-Identifier: MIT
#include "scripted_ring.h"

#include <stdlib.h>
#include <time.h>

struct script script;

struct scripted {
	struct ring ring;
	uint64_t opened;
	uint32_t depth;
	struct {
		bool busy;
		uint64_t due;
		int32_t result;
	} slot[];
};

static int scripted_open(struct ring **ring, const struct ring_config *config, struct error *err)
{
	struct scripted *s = calloc(1, sizeof(*s) + config->depth * sizeof(s->slot[0]));

	if (!s || script.open_result) {
		free(s);
		return error_set(err, script.open_result, "scripted to fail");
	}
	s->depth = config->depth;
	s->opened = clock_monotonic_ns();
	*ring = &s->ring;
	return 0;
}

static void scripted_queue(struct ring *ring, const struct io *io)
{
	struct scripted *s = (struct scripted *)ring;
	const uint64_t now = clock_monotonic_ns();
	const uint64_t number = atomic_fetch_add(&script.requests, 1);

	s->slot[io->slot].busy = true;
	s->slot[io->slot].due = now + (script.delay ? script.delay(io, now - s->opened) : 0);
	s->slot[io->slot].result = script.result ? script.result(io, number) : (int32_t)io->length;
}

static int scripted_submit(struct ring *ring)
{
	struct scripted *s = (struct scripted *)ring;
	uint64_t first = UINT64_MAX;
	struct timespec ts;

	if (script.submit_result)
		return script.submit_result;
	for (uint32_t i = 0; i < s->depth; i++) {
		if (s->slot[i].busy && s->slot[i].due < first)
			first = s->slot[i].due;
	}
	ts.tv_sec = (time_t)(first / NSEC_PER_SEC);
	ts.tv_nsec = (long)(first % NSEC_PER_SEC);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	return 0;
}

static uint32_t scripted_reap(struct ring *ring, struct completion *out)
{
	struct scripted *s = (struct scripted *)ring;
	const uint64_t now = clock_monotonic_ns();
	uint32_t nr = 0;

	for (uint32_t i = 0; i < s->depth; i++) {
		if (!s->slot[i].busy || s->slot[i].due > now)
			continue;
		s->slot[i].busy = false;
		out[nr++] = (struct completion){.slot = i, .result = s->slot[i].result};
	}
	return nr;
}

static void scripted_close(struct ring *ring)
{
	free(ring);
}

const struct ring_ops scripted_ring = {
	.kind = ENGINE_NULL,
	.open = scripted_open,
	.queue = scripted_queue,
	.submit = scripted_submit,
	.reap = scripted_reap,
	.close = scripted_close,
};
