/* SPDX-License-Identifier: MIT */
/*
 * The engine turns one step of a plan into one engine_result. It knows no JSON and no report, prints
 * nothing, and allocates, locks and prints nothing between the step's first submission and last completion.
 * docs/architecture.md has a page on its loop.
 */
#ifndef SSDBENCH_ENGINE_H
#define SSDBENCH_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ssdbench/alias.h"
#include "ssdbench/clock.h"
#include "ssdbench/error.h"
#include "ssdbench/histogram.h"
#include "ssdbench/plan.h"

/* fio's names, except auto. */
enum engine_kind {
	ENGINE_AUTO, /* sync at depth 1, else io_uring, else libaio; null on a null target */
	ENGINE_IO_URING,
	ENGINE_IO_URING_CMD, /* NVMe commands past the block layer; only where it is asked for */
	ENGINE_LIBAIO,
	ENGINE_SYNC, /* pread/pwrite: one thread (and sequential part) for each unit of depth */
	ENGINE_NULL, /* completes at once; only for a null target */
	ENGINE_KINDS,
};

enum direction { DIR_READ, DIR_WRITE, DIRECTIONS };

#define ENGINE_MEMORY_DEFAULT (512ULL << 20)

/* The same for all steps of a run. */
struct engine_config {
	enum engine_kind kind;
	bool iopoll, sqpoll;      /* io_uring and io_uring_cmd only; an error elsewhere */
	const unsigned int *cpus; /* --cpus: worker k runs on cpus[k % nr]; nr 0: not pinned */
	size_t nr_cpus;
	uint64_t seed;
	uint64_t memory_bytes;     /* bound of all buffers; 0: ENGINE_MEMORY_DEFAULT */
	uint64_t max_errors;       /* stop a drive's step after more failed I/Os than this */
	const struct clock *clock; /* borrowed */
	const atomic_int *stop;    /* set by the signal handler: not 0 means end now; borrowed */
};

/* A drive for one step. */
struct engine_drive {
	int fd; /* O_DIRECT; -1: null target */
	/* For ENGINE_IO_URING_CMD; borrowed. NULL: cannot be reached that way. */
	const struct passthrough *passthrough;
	bool no_poll_queues; /* known to have none: iopoll is left out, and the result says so */
	uint32_t alignment;  /* of offsets and lengths for O_DIRECT */
	const char *name;    /* for messages; borrowed */
	struct span span;
	bool skip;
};

/*
 * One second of one drive. Each drive's rows come in order of their second, each second once, zero rows too, as
 * soon as all workers of the drive are past it: a stalled drive's rows come late, but hold what completed in
 * their second. The last row of a time-based step ends with its window (the drain is in none), that of a step
 * that ends with its bytes holds the last completion.
 */
struct sample {
	uint32_t drive;
	uint32_t second; /* from the start of the step, ramp included */
	struct {
		uint64_t ios, bytes;
		uint64_t latency_sum_ns;
		uint64_t latency_min_ns, latency_max_ns, latency_p50_ns,
			latency_p99_ns; /* 0 where ios is 0 */
	} dir[DIRECTIONS];
};

struct engine_hooks {
	void *context;
	/* Each finished second, from the thread that called engine_run(). NULL: not wanted. */
	void (*sample)(void *context, const struct sample *sample);
	/* About four times a second: bytes done so far on all drives, ns since the start. NULL allowed. */
	void (*progress)(void *context, uint64_t bytes, uint64_t elapsed_ns);
};

#define ENGINE_ERRORS_MAX 8

/* Failed I/Os of one kind on one drive. */
struct io_error {
	int code; /* positive errno; ENODATA also for a transfer of 0 bytes */
	enum direction dir;
	uint64_t count;
	uint64_t first_offset; /* bytes */
	uint64_t first_ns;     /* since the start of the step */
	uint64_t first_length; /* asked */
	/* What the kernel answered: negative errno or bytes (short); NVMe status where nvme_status is not 0. */
	int64_t first_result;
	uint16_t nvme_status; /* status code type and status code; 0: the error came without one */
};

struct io_totals {
	uint64_t ios; /* requests completed within the counted window */
	uint64_t bytes;
	struct histogram latency;
};

struct engine_drive_result {
	bool ran;
	/* Length of this drive's window: shorter than others where it ended before them. */
	uint64_t counted_ns;
	struct io_totals dir[DIRECTIONS];
	/* Requests drawn per size of the mix, whole step. */
	uint64_t mix_count[DIRECTIONS][ALIAS_MAX];
	uint64_t written_bytes, read_bytes;       /* whole step: ramp and drain included */
	uint64_t ended_ns;                        /* last completion, since the start of the step */
	uint64_t errors;                          /* failed I/Os */
	struct io_error error[ENGINE_ERRORS_MAX]; /* the first kinds seen */
	uint32_t nr_error;
	bool complete; /* a step that ends with its bytes did them all */
};

struct engine_result {
	enum engine_kind used;
	char reason[256];   /* why not the one asked for or the first choice; "" else */
	char features[256]; /* "fixed_buffers fixed_files defer_taskrun ..." */
	const char *clock;  /* "tsc" or "clock_monotonic" */
	uint64_t started_realtime_ns;
	uint64_t counted_ns;   /* the longest of the drives' windows */
	uint64_t ramp_ns;      /* before it */
	uint64_t drain_ns;     /* from its end to the last completion */
	uint64_t buffer_bytes; /* physical memory of the buffers */
	uint64_t
		data_repeats_bytes; /* write data repeats within one request after so much; 0: it does not */
	uint64_t shared_buffers; /* 1: reads of all slots land in one window (large requests) */
	double cpu_user_s, cpu_system_s; /* of all workers */
	double busiest_worker;           /* CPU seconds / wall seconds of the busiest worker */
	double busy_cpus; /* CPU seconds of all workers / seconds of all CPUs that they may use */
	int64_t clock_drift_ns; /* how far the clock moved from CLOCK_MONOTONIC during the step */
	bool interrupted;       /* by config->stop */
	size_t nr_drives;
	struct engine_drive_result *drive;
};

/* Before a run: can this config run these steps here? Computes memory, locked memory, open files, aio
 * contexts and CPUs that the largest step needs against the limits and answers with the sysctl or
 * ulimit that lifts them (ERROR_HARNESS), or ERROR_USAGE for CPUs outside the allowed set and
 * unknown combinations. */
int engine_check(const struct engine_config *config, const struct plan *plan, struct error *err);

/*
 * Whether io_uring can be had, by trying. 0, or the negative errno with why in @why: the sysctl where
 * <proc>/sys/kernel/io_uring_disabled says so, else that a sandbox blocks it.
 */
int engine_probe_uring(const char *proc, char *why, size_t size);

/*
 * Run @step on @nr drives at once. 0 also when I/Os failed or it was interrupted (the result says so):
 * a drive that misbehaves is a result. Negative errno and @err when the harness could not measure.
 * @result is filled on 0; release it with engine_result_fini().
 */
int engine_run(struct engine_result *result, const struct engine_config *config,
	       const struct step *step, const struct engine_drive *drives, size_t nr,
	       const struct engine_hooks *hooks, struct error *err);

void engine_result_fini(struct engine_result *result);

const char *engine_kind_name(enum engine_kind kind); /* "auto", "io_uring", ... */
/* The kind of that name, or -1. */
int engine_kind_parse(const char *name);

#endif
