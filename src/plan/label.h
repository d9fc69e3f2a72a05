/* SPDX-License-Identifier: MIT */
/* What a step is called. */
#ifndef SSDBENCH_PLAN_LABEL_H
#define SSDBENCH_PLAN_LABEL_H

#include "ssdbench/plan.h"

/*
 * "randwrite 128KiB iodepth=32 numjobs=4", "randrw 4KiB rwmixread=70 ...", "write 1MiB ... passes=2",
 * "idle 180s"; a size mix is "mix(4KiB-128KiB)". @twin: 0, or how many earlier steps of the phase have
 * the same text: then " #2" and so on makes it unique. Caller frees; NULL: out of memory.
 */
char *step_label(const struct step *step, unsigned int twin);

#endif
