/* SPDX-License-Identifier: MIT */
/* Lists of CPUs as the kernel and taskset write them: "0,5,8-15,1030". */
#ifndef SSDBENCH_CMD_CPU_LIST_H
#define SSDBENCH_CMD_CPU_LIST_H

#include <stddef.h>

#include "ssdbench/error.h"

/* Far above any machine; keeps a typing error from becoming a list of four billion. */
#define CPU_LIST_HIGHEST 65535U

/*
 * In the order as written, since worker k runs on the k-th; a CPU may come twice. 0, with *@cpus (the caller
 * frees it) and @nr set, or ERROR_USAGE: empty, not a list, a range that goes down, too high a number.
 */
int cpu_list_parse(const char *text, unsigned int **cpus, size_t *nr, struct error *err);

#endif
