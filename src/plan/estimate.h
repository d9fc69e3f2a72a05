/* SPDX-License-Identifier: MIT */
/* How long a step takes and how many bytes it moves, as far as that can be known before it runs. */
#ifndef SSDBENCH_PLAN_ESTIMATE_H
#define SSDBENCH_PLAN_ESTIMATE_H

#include "ssdbench/plan.h"

/*
 * Fill in estimate_ns of @step and the bytes of its drives; @plan gives the rates and the number of drives.
 * A step that ends with its bytes has them exactly and takes bytes / rate, on the slowest drive. A
 * time-based step has its time exactly and moves at most time * rate: small requests or a low depth stay
 * below that, so bytes are an upper bound there.
 */
void step_estimate(struct step *step, const struct plan *plan);

#endif
