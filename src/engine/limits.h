/* SPDX-License-Identifier: MIT */
/* What this machine, container and user allow, read once, against what the steps of a plan need. */
#ifndef SSDBENCH_ENGINE_LIMITS_H
#define SSDBENCH_ENGINE_LIMITS_H

#include "ssdbench/engine.h"

#define LIMIT_UNKNOWN UINT64_MAX /* could not be read, or there is none */

struct limits {
	uint64_t memory_bytes; /* MemAvailable */
	uint64_t
		cgroup_memory_bytes; /* what the tightest memory cgroup has left, caches counted as free */
	uint64_t cgroup_tasks;      /* what the tightest pids cgroup has left */
	uint64_t threads;           /* kernel.threads-max */
	uint64_t open_files;        /* soft RLIMIT_NOFILE */
	uint64_t aio_max, aio_used; /* fs.aio-max-nr, fs.aio-nr */
};

/* @proc, @cgroup: normally "/proc" and "/sys/fs/cgroup". */
void limits_read(struct limits *limits, const char *proc, const char *cgroup);

/* What the hungriest step needs of each. */
struct limits_need {
	uint64_t workers;
	uint64_t memory_bytes; /* buffers, maps and the workers' own */
	uint64_t open_files;
	uint64_t aio_requests; /* 0: libaio is not used */
};

/* 0, or ERROR_HARNESS with needed and allowed numbers and what lifts the limit. Pure. */
int limits_check(const struct limits *limits, const struct limits_need *need, struct error *err);

#endif
