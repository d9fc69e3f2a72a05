/* SPDX-License-Identifier: MIT */
/* CPUs that threads may and shall run on; lists above CPU 1023 too. */
#ifndef SSDBENCH_ENGINE_AFFINITY_H
#define SSDBENCH_ENGINE_AFFINITY_H

#include <stddef.h>

#include "ssdbench/error.h"

/* Put the calling thread on @cpu. 0, or a negative errno with ERROR_HARNESS. */
int affinity_pin(unsigned int cpu, struct error *err);

/* 0 where this process may run on each of @cpus; ERROR_USAGE naming those it may not; ERROR_HARNESS. */
int affinity_check(const unsigned int *cpus, size_t nr, struct error *err);

/* How many CPUs the calling thread may run on; 0: unknown. */
unsigned int affinity_count(void);

#endif
