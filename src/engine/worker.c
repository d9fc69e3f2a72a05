// SPDX-License-Identifier: MIT
/*
 * The loop: one submit sends what is queued and waits for at least one completion, then everything that is
 * there is taken, and each slot refilled as it comes. Time is read once per request: the tick at which a
 * request is queued is also the completion of the next one of the batch, which was there already. What does
 * not happen at each completion hides behind one comparison with next_event.
 */
#include "worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "affinity.h"
#include "nvme_command.h"

void halt_now(struct halt *halt, const struct clock *clock)
{
	if (atomic_exchange(&halt->claimed, true))
		return;
	halt->ticks = clock_ticks(clock);
	atomic_store_explicit(&halt->set, true, memory_order_release);
}

/* The tick at which second @second of the step begins. */
static uint64_t second_ticks(const struct worker *w, uint64_t second)
{
	return w->schedule.start + clock_span_ticks(&w->clock, second * NSEC_PER_SEC);
}

static uint32_t second_of(const struct worker *w, uint64_t tick)
{
	uint64_t second =
		tick > w->schedule.start
			? clock_span_ns(&w->clock, tick - w->schedule.start) / NSEC_PER_SEC
			: 0;

	/* Both conversions round; the boundaries in ticks decide. */
	while (second > 0 && tick < second_ticks(w, second))
		second--;
	while (tick >= second_ticks(w, second + 1))
		second++;
	return (uint32_t)second;
}

static void close_slice(struct worker *w)
{
	slice_settle(w->slice);
	for (int dir = 0; w->window == WINDOW_COUNTED && dir < DIRECTIONS; dir++) {
		const struct slice_part *part = &w->slice->dir[dir];

		w->totals[dir].ios += part->ios;
		w->totals[dir].bytes += part->bytes;
		slice_add_to_histogram(part, &w->totals[dir].latency);
	}
	w->slice = outbox_publish(w->outbox, w->slice);
}

/* Which window and second @tick falls in, and when that ends. */
static void enter_window(struct worker *w, uint64_t tick)
{
	const struct schedule *s = &w->schedule;

	if (tick >= s->window_end) {
		w->window = WINDOW_OVER;
		w->draining = true;
		w->next_event = UINT64_MAX;
		return;
	}
	w->window = tick < s->ramp_end ? WINDOW_RAMP : WINDOW_COUNTED;
	w->slice->second = second_of(w, tick);
	w->next_event = second_ticks(w, (uint64_t)w->slice->second + 1);
	if (w->window == WINDOW_RAMP && s->ramp_end < w->next_event)
		w->next_event = s->ramp_end;
	if (s->window_end < w->next_event)
		w->next_event = s->window_end;
}

static void __attribute__((noinline)) worker_event(struct worker *w, uint64_t tick)
{
	close_slice(w);
	enter_window(w, tick);
	if (w->window != WINDOW_OVER)
		outbox_advance(w->outbox, w->slice->second);
}

static void __attribute__((noinline)) worker_halt(struct worker *w)
{
	w->draining = true;
	if (w->halt->ticks < w->schedule.window_end)
		w->schedule.window_end = w->halt->ticks;
	if (w->window != WINDOW_OVER && w->schedule.window_end < w->next_event)
		w->next_event = w->schedule.window_end;
}

/* The entry that counts such errors; NULL: there are too many kinds already. */
static struct io_error *error_of(struct worker *w, const struct io *io, int32_t result,
				 uint64_t tick)
{
	const int code = result < 0 ? -result : ENODATA;
	const uint16_t answer = w->ops->nvme_status ? w->ops->nvme_status(w->ring, io->slot) : 0;
	const uint16_t status = answer & NVME_STATUS_MASK;

	for (uint32_t i = 0; i < w->nr_error; i++) {
		if (w->error[i].code == code && w->error[i].dir == io->dir &&
		    w->error[i].nvme_status == status)
			return &w->error[i];
	}
	if (w->nr_error == ENGINE_ERRORS_MAX)
		return NULL;
	w->error[w->nr_error] = (struct io_error){
		.code = code,
		.dir = io->dir,
		.first_offset = io->offset,
		.first_ns = clock_span_ns(&w->clock, tick - w->schedule.start),
		.first_length = io->length,
		.first_result = answer ? answer : result,
		.nvme_status = status,
	};
	return &w->error[w->nr_error++];
}

static void __attribute__((noinline))
worker_error(struct worker *w, const struct io *io, int32_t result, uint64_t tick)
{
	struct io_error *error;

	if (result == -EOPNOTSUPP && w->config.iopoll) {
		/* Not the drive's fault: nothing can be polled there. */
		w->failure =
			error_set(&w->err, result,
				  "%s cannot be polled: it has no poll queues (NVMe: boot with "
				  "nvme.poll_queues=N)",
				  w->config.drive->name);
		w->draining = true;
		return;
	}
	w->errors++;
	error = error_of(w, io, result, tick);
	if (error)
		error->count++;
	if (atomic_fetch_add(&w->config.halt->errors, 1) >= w->config.max_errors) {
		halt_now(w->config.halt, &w->clock);
		w->draining = true;
	}
}

static inline __attribute__((always_inline)) void complete(struct worker *w, const struct io *io,
							   int32_t result, uint64_t tick)
{
	if (__builtin_expect(tick >= w->next_event, 0))
		worker_event(w, tick);
	buffer_mend(io->buffer, io->nr_iov);
	if (__builtin_expect((uint32_t)result != io->length, 0)) {
		worker_error(w, io, result, tick);
		return;
	}
	w->moved[io->dir] += io->length;
	if (w->window != WINDOW_OVER)
		slice_add(&w->slice->dir[io->dir], io->length,
			  clock_span_ns(&w->clock, tick - io->queued));
}

/* Queue the next request in a slot; returns the tick at which it was. */
static inline __attribute__((always_inline)) uint64_t refill(struct worker *w, struct io *io)
{
	struct request request;

	if (w->draining || !requests_next(&w->requests, &request)) {
		w->exhausted |= !w->draining;
		w->draining = true;
		w->in_flight--;
		return clock_ticks(&w->clock);
	}
	w->mix_count[request.dir][request.place.size]++;
	io->dir = request.dir;
	io->offset = request.place.offset;
	io->length = request.place.length;
	io->buffer = &io->buffers[request.dir];
	io->nr_iov = buffer_cut(io->buffer, io->length);
	if (request.dir == DIR_WRITE && io->buffer->data)
		buffer_stamp(io->buffer, io->length, &w->stamp);
	io->queued = clock_ticks(&w->clock);
	w->ops->queue(w->ring, io);
	return io->queued;
}

/* Take all completions that are there and refill their slots. */
static void worker_round(struct worker *w)
{
	const uint32_t nr = w->ops->reap(w->ring, w->done);
	uint64_t tick = clock_ticks(&w->clock);

	if (atomic_load_explicit(&w->halt->set, memory_order_acquire))
		worker_halt(w);
	for (uint32_t i = 0; i < nr; i++) {
		struct io *io = &w->io[w->done[i].slot];

		complete(w, io, w->done[i].result, tick);
		w->ended = tick;
		tick = refill(w, io);
	}
	atomic_store_explicit(&w->published_bytes, w->moved[DIR_READ] + w->moved[DIR_WRITE],
			      memory_order_relaxed);
}

static void worker_loop(struct worker *w)
{
	w->in_flight = w->config.depth;
	for (uint32_t slot = 0; slot < w->config.depth; slot++)
		refill(w, &w->io[slot]);
	while (w->in_flight > 0) {
		const int rc = w->ops->submit(w->ring);

		if (rc < 0) {
			w->failure = error_set(&w->err, rc, "%s: %s: the %s ring failed: %s",
					       w->config.step->label, w->config.drive->name,
					       engine_kind_name(w->ops->kind), strerror(-rc));
			return;
		}
		worker_round(w);
	}
}

static int allocate(struct worker *w)
{
	const struct worker_config *c = &w->config;

	w->io = calloc(c->depth, sizeof(*w->io));
	w->done = calloc(c->depth, sizeof(*w->done));
	if (!w->io || !w->done)
		return -ENOMEM;
	return 0;
}

static int prepare_buffers(struct worker *w)
{
	const struct worker_config *c = &w->config;
	struct random random;

	/* Another stream than that of the offsets: data must not tell where it goes. */
	random_seed(&random, ~c->seed, c->step->index, c->drive_index, c->job);
	w->stamp.tag = random_next(&random);
	if (c->ops->kind == ENGINE_NULL)
		return buffers_init_null(&w->buffers, c->depth);
	return buffers_init(&w->buffers, c->layout, c->depth, &random);
}

static int prepare(struct worker *w)
{
	const struct worker_config *c = &w->config;
	struct ring_config ring = {
		.fd = c->drive->fd,
		.passthrough = c->drive->passthrough,
		.depth = c->depth,
		.largest = size_mix_max(c->step->mix),
		.iopoll = c->iopoll,
		.sqpoll = c->sqpoll,
	};
	int rc;

	if (c->cpu >= 0) {
		rc = affinity_pin((unsigned int)c->cpu, &w->err);
		if (rc)
			return rc;
	}
	if (allocate(w) || prepare_buffers(w))
		return error_set(&w->err, -ENOMEM, "no memory for the buffers of a worker");
	for (uint32_t slot = 0; slot < c->depth; slot++) {
		w->io[slot].slot = slot;
		w->io[slot].buffers = &w->buffers.buffer[slot * DIRECTIONS];
	}
	rc = requests_init(&w->requests, c->step, &c->drive->span, c->seed, c->drive_index, c->job,
			   c->jobs, &w->err);
	if (rc)
		return rc;
	ring.area = w->buffers.area;
	ring.nr_areas = w->buffers.nr_areas;
	ring.buffer = w->buffers.buffer;
	rc = c->ops->open(&w->ring, &ring, &w->err);
	if (rc == 0)
		w->features = w->ring->features;
	return rc;
}

static double seconds_of(struct timeval end, struct timeval begin)
{
	return (double)(end.tv_sec - begin.tv_sec) + 1e-6 * (double)(end.tv_usec - begin.tv_usec);
}

/* Sleep until shortly before @tick, then watch the clock: all workers begin on the same one. */
static void wait_until(const struct clock *clock, uint64_t tick)
{
	const uint64_t early = clock_ns(clock, tick) - 100 * NSEC_PER_USEC;
	const struct timespec ts = {
		.tv_sec = (time_t)(early / NSEC_PER_SEC),
		.tv_nsec = (long)(early % NSEC_PER_SEC),
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	while (clock_ticks(clock) < tick)
		;
}

/* False: some worker could not be prepared. */
static bool wait_for_start(struct worker *w)
{
	struct start_line *line = w->config.line;
	bool go;

	pthread_mutex_lock(&line->mutex);
	line->ready++;
	line->failed += w->failure != 0;
	pthread_cond_broadcast(&line->changed);
	while (!line->go && !line->abandoned)
		pthread_cond_wait(&line->changed, &line->mutex);
	go = line->go;
	w->schedule = line->schedule;
	pthread_mutex_unlock(&line->mutex);
	if (go)
		wait_until(&w->clock, w->schedule.start);
	return go;
}

static void run(struct worker *w)
{
	struct rusage begin, end;

	getrusage(RUSAGE_THREAD, &begin);
	w->ended = w->schedule.start;
	enter_window(w, w->schedule.start);
	worker_loop(w);
	if (w->window != WINDOW_OVER)
		close_slice(w);
	outbox_advance(w->outbox, OUTBOX_CLOSED);
	getrusage(RUSAGE_THREAD, &end);
	w->cpu_user_s = seconds_of(end.ru_utime, begin.ru_utime);
	w->cpu_system_s = seconds_of(end.ru_stime, begin.ru_stime);
}

void *worker_main(void *argument)
{
	struct worker *w = argument;
	struct start_line *line = w->config.line;

	w->clock = *w->config.clock;
	w->halt = w->config.halt;
	w->ops = w->config.ops;
	w->slice = outbox_init(w->outbox);
	/* The rest of an empty histogram is zero, and stays untouched memory until it is used. */
	for (int dir = 0; dir < DIRECTIONS; dir++)
		w->totals[dir].latency.min = UINT64_MAX;
	w->failure = prepare(w);
	if (wait_for_start(w))
		run(w);
	/* In the thread that opened it, as a single issuer must. */
	w->ops->close(w->ring);
	w->ring = NULL;
	pthread_mutex_lock(&line->mutex);
	line->finished++;
	line->failed += w->failure != 0;
	pthread_cond_broadcast(&line->changed);
	pthread_mutex_unlock(&line->mutex);
	return NULL;
}

void worker_fini(struct worker *w)
{
	requests_fini(&w->requests);
	buffers_fini(&w->buffers);
	free(w->io);
	free(w->done);
}
