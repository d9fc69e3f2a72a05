/* SPDX-License-Identifier: MIT */
/*
 * A worker is a thread that keeps `depth` requests in flight on one drive. All it touches in its loop is its
 * own: ring, buffers, generator, counters. It looks at one shared word per round, the drive's halt.
 */
#ifndef SSDBENCH_ENGINE_WORKER_H
#define SSDBENCH_ENGINE_WORKER_H

#include <pthread.h>
#include <stdalign.h>

#include "buffers.h"
#include "requests.h"
#include "ring.h"
#include "samples.h"

/* Two cache lines: adjacent ones are fetched in pairs. */
#define OWN_LINES 128

/* When things happen, in ticks. Without a runtime window_end is UINT64_MAX. */
struct schedule {
	uint64_t start, ramp_end, window_end;
};

/* Ends the work on one drive before its time. */
struct halt {
	alignas(OWN_LINES) atomic_bool set;
	uint64_t ticks;          /* when; valid once set */
	atomic_bool claimed;     /* somebody sets it */
	_Atomic uint64_t errors; /* failed I/Os on this drive */
};

/* Set @halt now; the first caller wins. */
void halt_now(struct halt *halt, const struct clock *clock);

/* Workers gather here, start together and say when they are done. */
struct start_line {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	uint32_t ready, finished; /* threads */
	uint32_t failed;          /* of those that are ready or finished */
	bool go, abandoned;
	struct schedule schedule; /* valid once go */
};

/* What a worker is told; stays as it is while it runs. */
struct worker_config {
	const struct step *step;
	const struct engine_drive *drive;
	const struct buffer_layout *layout;
	const struct ring_ops *ops;
	uint32_t drive_index, job, jobs; /* of the drive */
	uint32_t depth;
	uint64_t seed, max_errors;
	bool iopoll, sqpoll;
	int cpu; /* -1: not pinned */
	const struct clock *clock;
	struct halt *halt;
	struct start_line *line;
};

/* Where a completion falls. */
enum window { WINDOW_RAMP, WINDOW_COUNTED, WINDOW_OVER };

struct worker {
	/* The loop's. */
	alignas(OWN_LINES) struct clock clock;
	const struct ring_ops *ops;
	struct ring *ring;
	struct io *io; /* depth of them */
	struct completion *done;
	struct slice *slice;
	uint64_t next_event; /* ticks; at a completion then worker_event() has work */
	enum window window;
	bool draining; /* submits no more */
	uint32_t in_flight;
	uint64_t moved[DIRECTIONS]; /* bytes, whole step */
	uint64_t ended;             /* ticks of the last completion */
	struct stamp stamp;
	const struct halt *halt;
	_Atomic uint64_t published_bytes; /* for the progress line */
	struct requests requests;
	uint64_t mix_count[DIRECTIONS][ALIAS_MAX];

	/* Around the loop. */
	alignas(OWN_LINES) struct worker_config config;
	struct schedule schedule;
	struct buffers buffers;
	struct outbox *outbox;
	struct io_totals totals[DIRECTIONS]; /* of the counted window */
	struct io_error error[ENGINE_ERRORS_MAX];
	uint32_t nr_error;
	uint64_t errors;
	bool exhausted; /* the generator had no more */
	double cpu_user_s, cpu_system_s;
	unsigned int features; /* of its ring */
	int failure;           /* negative errno; why in err */
	struct error err;
	pthread_t thread;
	bool has_thread;
};

/* Thread main; @argument is the struct worker. */
void *worker_main(void *argument);

/* Releases what worker_main() made, after the thread has been joined. */
void worker_fini(struct worker *worker);

#endif
