/* SPDX-License-Identifier: MIT */
#ifndef SSDBENCH_RESULT_GAPS_H
#define SSDBENCH_RESULT_GAPS_H

#include "ssdbench/result.h"

/* [{"key": ..., "reason": ...}]: what could not be read, and why. */
struct json_t *gaps_json(const struct fact_gap *gap, size_t nr);

#endif
