/* SPDX-License-Identifier: MIT */
/* How large a profile may be. They bound memory and time of parsing and keep sums of durations in
 * 64 bits: PROFILE_ROWS_MAX rows of three durations of a week each are 1.8e19 ns. */
#ifndef SSDBENCH_PROFILE_LIMITS_H
#define SSDBENCH_PROFILE_LIMITS_H

#include "ssdbench/units.h"

#define PROFILE_TEXT_MAX        (1U << 20) /* bytes of a file */
#define PROFILE_NAME_MAX        64
#define PROFILE_TITLE_MAX       200
#define PROFILE_NOTE_MAX        4000
#define PROFILE_SOURCES_MAX     100
#define PROFILE_PARAMETERS_MAX  100
#define PROFILE_PHASES_MAX      1000
#define PROFILE_ROWS_MAX        10000 /* of all phases together */
#define PROFILE_GATES_MAX       32
#define PROFILE_CONDITIONS_MAX  16
#define PROFILE_EXPRESSION_MAX  500   /* bytes of a gate or a condition */
#define PROFILE_IODEPTH_MAX     32768 /* IORING_MAX_ENTRIES of Linux */
#define PROFILE_NUMJOBS_MAX     1024
#define PROFILE_PASSES_MAX      1000
#define PROFILE_DURATION_MAX_NS (7 * 86400 * NSEC_PER_SEC)
#define PROFILE_SECTOR          512ULL /* smallest logical block that Linux has */
#define PROFILE_REQUEST_MAX     (1ULL << 30)

#endif
