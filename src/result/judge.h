/* SPDX-License-Identifier: MIT */
/* The parts of preflight_judge(). Each looks at one fact and adds at most one finding of a code. */
#ifndef SSDBENCH_RESULT_JUDGE_H
#define SSDBENCH_RESULT_JUDGE_H

#include "ssdbench/preflight.h"

/* A new finding without texts, borrowed until the next one is added; never NULL: what there is no memory for goes
 * to @findings->lost. */
struct finding *finding_add(struct findings *findings, size_t drive, const char *code,
			    enum finding_level level);

#define FINDING_TEXT(field, ...) ((void)snprintf(field, sizeof(field), __VA_ARGS__))

void judge_host(struct findings *findings, const struct preflight *preflight);

/* Of any block device or file. */
void judge_drive(struct findings *findings, const struct preflight *preflight, size_t index);

/* Of an NVMe drive: its link and queue, and what it tells of itself. */
void judge_nvme(struct findings *findings, const struct preflight *preflight, size_t index);
void judge_health(struct findings *findings, const struct preflight *preflight, size_t index);

#endif
