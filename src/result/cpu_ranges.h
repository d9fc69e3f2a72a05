/* SPDX-License-Identifier: MIT */
/* The kernel's lists of CPUs, such as "0-3,8,16-31". A list that is none names no CPU. */
#ifndef SSDBENCH_RESULT_CPU_RANGES_H
#define SSDBENCH_RESULT_CPU_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* How many CPUs the list names. */
uint32_t cpu_ranges_count(const char *list);

bool cpu_ranges_have(const char *list, uint64_t cpu);

/* How many CPUs both lists name; each names a CPU once. */
uint32_t cpu_ranges_common(const char *a, const char *b);

#endif
