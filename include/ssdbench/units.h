/* SPDX-License-Identifier: MIT */
/*
 * Text <-> number for sizes, durations, capacities and percentages.
 *
 * Sizes: a decimal number and a unit, nothing between or around them. KiB MiB GiB TiB PiB are
 * powers of 1024; kB MB GB TB PB are powers of 1000 ("KB" too); a bare k m g t p (either case) is
 * a power of 1024, as in fio; B or no unit is bytes. A fraction is allowed where the product is a
 * whole number of bytes ("1.5MiB"), else it is an error, never rounded.
 * Durations: ns us ms s m (or min) h d; the unit is required, except for "0". "1.5h" is allowed.
 */
#ifndef SSDBENCH_UNITS_H
#define SSDBENCH_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "ssdbench/error.h"

#define NSEC_PER_SEC  1000000000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_USEC 1000ULL

/* Room for every text that the *_format functions write, NUL included. */
#define UNITS_TEXT_MAX 40

/* 0 and @bytes set, or -EINVAL with the reason: not a number, unknown unit (the list is named),
 * fraction of a byte, above UINT64_MAX, negative, blanks. @bytes is untouched on failure. */
int size_parse(const char *text, uint64_t *bytes, struct error *err);

/* 0 and @ns set, or -EINVAL with the reason. */
int duration_parse(const char *text, uint64_t *ns, struct error *err);

/*
 * "98.51" or "98.51%" to 9851 basis points; at most two decimals, 0 to 100.
 * 0 and @basis_points set, or -EINVAL with the reason.
 */
int percent_parse(const char *text, uint32_t *basis_points, struct error *err);

/* Exact text that size_parse() reads back to the same number: the largest binary unit that divides
 * it ("128KiB", "1GiB"), but decimal where that is a whole number of GB and the binary one no whole MiB
 * ("1TB"), and plain bytes where the binary one leaves 2^20 units or more, as with a drive's capacity
 * ("7681501126656B"). Returns @text. */
const char *size_format(uint64_t bytes, char text[UNITS_TEXT_MAX]);

/* Exact text that duration_parse() reads back, in the largest unit but minutes that divides it
 * ("300s", "3h", "1500ms", "2d"). Returns @text. */
const char *duration_format(uint64_t ns, char text[UNITS_TEXT_MAX]);

/* "98.51", "5", "0.1": basis points as a percentage without trailing zeros. Returns @text. */
const char *percent_format(uint32_t basis_points, char text[UNITS_TEXT_MAX]);

/* For people, rounded: "7.68 TB", "245.76 TB", "67.12 MB" (decimal, as drives are sold). */
const char *capacity_human(uint64_t bytes, char text[UNITS_TEXT_MAX]);

/* For people, rounded: "850 ms", "1.5 s", "45 s", "3 min 20 s", "2 h 05 min", "3 d 17 h"; a second
 * part of 0 is left out ("5 min"). */
const char *duration_human(uint64_t ns, char text[UNITS_TEXT_MAX]);

/* For people, rounded to three digits: a latency such as "850 ns", "12.3 us", "1.05 ms", "20.1 s";
 * "-" for a negative value or NaN. */
const char *latency_human(double ns, char text[UNITS_TEXT_MAX]);

#endif
