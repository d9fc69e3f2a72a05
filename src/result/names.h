/* SPDX-License-Identifier: MIT */
#ifndef SSDBENCH_RESULT_NAMES_H
#define SSDBENCH_RESULT_NAMES_H

#include "ssdbench/result.h"

const char *offset_order_name(enum offset_order order); /* "sequential", "random", "once", "map" */
const char *direction_name(enum direction dir);         /* "read", "write" */

#endif
