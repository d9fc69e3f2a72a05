/* SPDX-License-Identifier: MIT */
/*
 * JSON values by the rules of ssdbench-result(5): null where unknown, never NaN or infinity, integers
 * where exact, valid UTF-8, the same in every locale. jansson's type is opaque here.
 * Each function returns a new reference that the caller releases with json_decref(); NULL when out of
 * memory. Those that take values take over the caller's reference, and pass a NULL on, so that an object is
 * built without a check at each member.
 */
#ifndef SSDBENCH_VALUE_H
#define SSDBENCH_VALUE_H

#include <stddef.h>
#include <stdint.h>

struct json_t;

/* Real numbers are written with this many digits: json_dumps(value, VALUE_DUMP). */
#define VALUE_DUMP (JSON_COMPACT | JSON_REAL_PRECISION(15))

/* A string, or null for NULL. Bytes that are not UTF-8 become U+FFFD. */
struct json_t *value_text(const char *text);

/* The same, with null for "" too. */
struct json_t *value_text_or_null(const char *text);

/* An integer. Above 2^63 - 1, the largest that JSON libraries hold: that bound. */
struct json_t *value_u64(uint64_t number);

/* The same for a counter of 128 bits, of which no digit may be lost: above 2^63 - 1 a string of digits. */
struct json_t *value_u128(unsigned __int128 number);

/* An integer, or null for 0, which stands for unknown in the facts. */
struct json_t *value_known(uint64_t number);

/* A real number rounded to thousandths, or null where it is not finite. */
struct json_t *value_figure(double figure);

/* "2026-11-30T12:18:53.123Z" from ns since 1970, or null for 0. */
struct json_t *value_time(uint64_t realtime_ns);

struct value_member {
	const char *key;
	struct json_t *value;
};

/* An object of @nr members, in this order. NULL, with all values released, where any value is NULL. */
struct json_t *value_object(const struct value_member *members, size_t nr);

#define VALUE_OBJECT(members) value_object(members, sizeof(members) / sizeof((members)[0]))

/* @list with @entry at its end. NULL, with both released, where either is NULL. */
struct json_t *value_append(struct json_t *list, struct json_t *entry);

#endif
