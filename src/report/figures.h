/* SPDX-License-Identifier: MIT */
/* Figures as people read them. The decimal sign is always '.'. */
#ifndef SSDBENCH_REPORT_FIGURES_H
#define SSDBENCH_REPORT_FIGURES_H

#include "ssdbench/result.h"
#include "ssdbench/units.h"

/* Three digits where there are fewer before the point, else all of them: "8.12", "81.2", "812", "68123". */
const char *figure_format(double value, char text[UNITS_TEXT_MAX]);

/* Bytes per second as decimal megabytes: "812" (MB/s). */
const char *bandwidth_format(double bytes_per_s, char text[UNITS_TEXT_MAX]);

/* What a step asks for, without depth and jobs: "randwrite 128KiB", "randrw 4KiB rwmixread=70". Cut where
 * @text ends. Returns @text. */
const char *request_format(const struct step *step, char *text, size_t size);

/* Bytes written / capacity: "2.00", "0.004", "<0.001", "0". */
const char *drive_writes_format(uint64_t bytes, uint64_t capacity, char text[UNITS_TEXT_MAX]);

#endif
