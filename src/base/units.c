// SPDX-License-Identifier: MIT
/*
 * Numbers with units, in integers only: no double on the way in, so "98.51" is 9851 and not 9850,
 * and no locale's decimal comma anywhere. A quantity (size, duration) is a table of units with the
 * words for its messages.
 */
#include "ssdbench/units.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NSEC_PER_MIN  (60 * NSEC_PER_SEC)
#define NSEC_PER_HOUR (60 * NSEC_PER_MIN)
#define NSEC_PER_DAY  (24 * NSEC_PER_HOUR)

struct unit {
	const char *name;
	uint64_t factor;
};

struct quantity {
	const char *noun;     /* "a size" */
	const char *smallest; /* what a factor of 1 counts */
	const char *example;
	const char *names;        /* of the units, for the message about an unknown one */
	const struct unit *units; /* ends with a NULL name */
};

static const struct unit size_units[] = {
	{"", 1},
	{"B", 1},
	{"KiB", 1ULL << 10},
	{"MiB", 1ULL << 20},
	{"GiB", 1ULL << 30},
	{"TiB", 1ULL << 40},
	{"PiB", 1ULL << 50},
	{"kB", 1000ULL},
	{"KB", 1000ULL},
	{"MB", 1000000ULL},
	{"GB", 1000000000ULL},
	{"TB", 1000000000000ULL},
	{"PB", 1000000000000000ULL},
	{"k", 1ULL << 10},
	{"m", 1ULL << 20},
	{"g", 1ULL << 30},
	{"t", 1ULL << 40},
	{"p", 1ULL << 50},
	{"K", 1ULL << 10},
	{"M", 1ULL << 20},
	{"G", 1ULL << 30},
	{"T", 1ULL << 40},
	{"P", 1ULL << 50},
	{NULL, 0},
};

static const struct quantity size_quantity = {
	.noun = "a size",
	.smallest = "bytes",
	.example = "128KiB",
	.names = "B, KiB, MiB, GiB, TiB, PiB, kB, MB, GB, TB or PB",
	.units = size_units,
};

static const struct unit duration_units[] = {
	{"ns", 1},           {"us", NSEC_PER_USEC}, {"ms", NSEC_PER_MSEC}, {"s", NSEC_PER_SEC},
	{"m", NSEC_PER_MIN}, {"min", NSEC_PER_MIN}, {"h", NSEC_PER_HOUR},  {"d", NSEC_PER_DAY},
	{NULL, 0},
};

static const struct quantity duration_quantity = {
	.noun = "a duration",
	.smallest = "nanoseconds",
	.example = "300s",
	.names = "ns, us, ms, s, min, h or d",
	.units = duration_units,
};

/* Digits, cut up but not yet multiplied by a unit. */
struct decimal {
	uint64_t whole;
	const char *fraction; /* the digits behind the point */
	size_t decimals;
	const char *rest; /* what follows the number */
};

static size_t count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

static int decimal_scan(struct decimal *decimal, const char *text, const char *noun,
			const char *example, struct error *err)
{
	const size_t digits = count_digits(text);
	struct decimal d = {0};

	if (text[strcspn(text, " \t\r\n\v\f")])
		return error_usage(err, "\"%s\": blanks are not allowed in %s; write it like %s",
				   text, noun, example);
	if (text[0] == '-')
		return error_usage(err, "\"%s\": %s cannot be negative", text, noun);
	if (digits == 0)
		return error_usage(err, "\"%s\": not a number; write %s like %s", text, noun,
				   example);
	for (size_t i = 0; i < digits; i++) {
		if (__builtin_mul_overflow(d.whole, 10U, &d.whole) ||
		    __builtin_add_overflow(d.whole, (unsigned int)(text[i] - '0'), &d.whole))
			return error_usage(err, "\"%s\": the number is above %" PRIu64, text,
					   UINT64_MAX);
	}
	d.rest = text + digits;
	if (*d.rest == '.') {
		d.fraction = d.rest + 1;
		d.decimals = count_digits(d.fraction);
		if (d.decimals == 0)
			return error_usage(err, "\"%s\": a digit must follow the point", text);
		d.rest = d.fraction + d.decimals;
	}
	*decimal = d;
	return 0;
}

/*
 * @decimal * @factor, exactly. From the last digit to the first: if the product is whole, then so
 * is the product of each tail of the fraction, hence no remainder may appear on the way. @factor
 * is below 2^60, so that ten of it fit.
 */
static bool decimal_multiply(const struct decimal *decimal, uint64_t factor, uint64_t *product,
			     bool *overflow)
{
	uint64_t part = 0;

	for (size_t i = decimal->decimals; i-- > 0;) {
		part += (uint64_t)(decimal->fraction[i] - '0') * factor;
		if (part % 10 != 0)
			return false;
		part /= 10;
	}
	*overflow = __builtin_mul_overflow(decimal->whole, factor, product) ||
		    __builtin_add_overflow(*product, part, product);
	return true;
}

static const struct unit *find_unit(const struct unit *unit, const char *name)
{
	while (unit->name && strcmp(unit->name, name) != 0)
		unit++;
	return unit->name ? unit : NULL;
}

static int quantity_parse(const struct quantity *q, const char *text, uint64_t *value,
			  struct error *err)
{
	const struct unit *unit;
	struct decimal decimal;
	uint64_t product;
	bool overflow;
	int ret;

	ret = decimal_scan(&decimal, text, q->noun, q->example, err);
	if (ret)
		return ret;
	unit = find_unit(q->units, decimal.rest);
	if (!unit && !*decimal.rest)
		return error_usage(err, "\"%s\": %s needs a unit; use %s", text, q->noun, q->names);
	if (!unit)
		return error_usage(err, "\"%s\": unknown unit \"%s\"; use %s", text, decimal.rest,
				   q->names);
	if (!decimal_multiply(&decimal, unit->factor, &product, &overflow))
		return error_usage(err, "\"%s\": not a whole number of %s", text, q->smallest);
	if (overflow)
		return error_usage(err, "\"%s\": above %" PRIu64 " %s", text, UINT64_MAX,
				   q->smallest);
	*value = product;
	return 0;
}

int size_parse(const char *text, uint64_t *bytes, struct error *err)
{
	return quantity_parse(&size_quantity, text, bytes, err);
}

int duration_parse(const char *text, uint64_t *ns, struct error *err)
{
	if (strcmp(text, "0") == 0) {
		*ns = 0;
		return 0;
	}
	return quantity_parse(&duration_quantity, text, ns, err);
}

int percent_parse(const char *text, uint32_t *basis_points, struct error *err)
{
	struct decimal decimal;
	uint64_t product;
	bool overflow;
	int ret;

	ret = decimal_scan(&decimal, text, "a percentage", "98.51", err);
	if (ret)
		return ret;
	if (*decimal.rest && strcmp(decimal.rest, "%") != 0)
		return error_usage(
			err, "\"%s\": \"%s\" is not part of a percentage; write it like 98.51",
			text, decimal.rest);
	if (decimal.decimals > 2)
		return error_usage(err, "\"%s\": a percentage has at most two decimals", text);
	if (!decimal_multiply(&decimal, 100, &product, &overflow) || overflow || product > 10000)
		return error_usage(err, "\"%s\": a percentage is at most 100", text);
	*basis_points = (uint32_t)product;
	return 0;
}

static const char *format_exact(uint64_t count, const char *unit, char text[UNITS_TEXT_MAX])
{
	snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 "%s", count, unit);
	return text;
}

const char *size_format(uint64_t bytes, char text[UNITS_TEXT_MAX])
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	const uint64_t gb = 1000000000ULL, tb = 1000 * gb;
	uint64_t count = bytes;
	size_t i = 0;

	if (bytes != 0 && bytes % gb == 0 && bytes % (1ULL << 20) != 0)
		return bytes % tb == 0 ? format_exact(bytes / tb, "TB", text)
				       : format_exact(bytes / gb, "GB", text);
	while (count != 0 && count % 1024 == 0 && i < 5) {
		count /= 1024;
		i++;
	}
	/* 7501465944KiB helps nobody: capacities are known by their bytes. */
	if (count >= 1U << 20)
		return format_exact(bytes, "B", text);
	return format_exact(count, names[i], text);
}

const char *duration_format(uint64_t ns, char text[UNITS_TEXT_MAX])
{
	/* No minutes: the runtime of a row is 300s to everyone, not 5min. */
	static const struct unit units[] = {
		{"d", NSEC_PER_DAY},   {"h", NSEC_PER_HOUR},  {"s", NSEC_PER_SEC},
		{"ms", NSEC_PER_MSEC}, {"us", NSEC_PER_USEC}, {"ns", 1},
	};
	const struct unit *unit = units;

	if (ns == 0)
		return format_exact(0, "s", text);
	while (ns % unit->factor != 0)
		unit++;
	return format_exact(ns / unit->factor, unit->name, text);
}

const char *percent_format(uint32_t basis_points, char text[UNITS_TEXT_MAX])
{
	const uint32_t whole = basis_points / 100, hundredths = basis_points % 100;

	if (hundredths == 0)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu32, whole);
	else if (hundredths % 10 == 0)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu32 ".%" PRIu32, whole, hundredths / 10);
	else
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu32 ".%02" PRIu32, whole, hundredths);
	return text;
}

/* @value / @divisor to the nearest integer, a half upward. */
static uint64_t divide_rounded(uint64_t value, uint64_t divisor)
{
	return value / divisor + (value % divisor >= divisor - divisor / 2);
}

const char *capacity_human(uint64_t bytes, char text[UNITS_TEXT_MAX])
{
	static const struct unit units[] = {
		{"kB", 1000ULL},          {"MB", 1000000ULL},          {"GB", 1000000000ULL},
		{"TB", 1000000000000ULL}, {"PB", 1000000000000000ULL},
	};
	const struct unit *unit = units, *last = &units[4];
	uint64_t hundredths;

	if (bytes < 1000) {
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 " B", bytes);
		return text;
	}
	/* Rounded first, so that 999,999,999,999 is 1.00 TB and not 1000.00 GB. */
	while (unit < last && divide_rounded(bytes, unit->factor / 100) >= 100000)
		unit++;
	hundredths = divide_rounded(bytes, unit->factor / 100);
	snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 ".%02" PRIu64 " %s", hundredths / 100,
		 hundredths % 100, unit->name);
	return text;
}

/* "3 min 20 s": @count small units, @per of them to a large one; a second part of 0 is left out. */
static void format_pair(uint64_t count, uint64_t per, const char *large, const char *small,
			char text[UNITS_TEXT_MAX])
{
	if (count % per == 0)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 " %s", count / per, large);
	else
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 " %s %02" PRIu64 " %s", count / per,
			 large, count % per, small);
}

const char *duration_human(uint64_t ns, char text[UNITS_TEXT_MAX])
{
	static const struct unit below_second[] = {
		{"ns", 1},
		{"us", NSEC_PER_USEC},
		{"ms", NSEC_PER_MSEC},
	};
	const uint64_t tenths = divide_rounded(ns, NSEC_PER_SEC / 10);
	const uint64_t seconds = divide_rounded(ns, NSEC_PER_SEC);
	const uint64_t minutes = divide_rounded(ns, NSEC_PER_MIN);

	for (size_t i = 0; i < 3; i++) {
		const uint64_t count = divide_rounded(ns, below_second[i].factor);

		if (count < 1000) {
			snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 " %s", count,
				 below_second[i].name);
			return text;
		}
	}
	if (tenths < 100 && tenths % 10 != 0)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 ".%" PRIu64 " s", tenths / 10,
			 tenths % 10);
	else if (seconds < 60)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 " s", seconds);
	else if (seconds < 3600)
		format_pair(seconds, 60, "min", "s", text);
	else if (minutes < 24 * 60)
		format_pair(minutes, 60, "h", "min", text);
	else
		format_pair(divide_rounded(ns, NSEC_PER_HOUR), 24, "d", "h", text);
	return text;
}

const char *latency_human(double ns, char text[UNITS_TEXT_MAX])
{
	static const char *const names[] = {"ns", "us", "ms", "s"};
	double value = ns;
	size_t i = 0;

	if (!(ns >= 0.0)) {
		snprintf(text, UNITS_TEXT_MAX, "-");
		return text;
	}
	/* The limits are where rounding to three digits would carry into a fourth. */
	while (value >= 999.5 && i < 3) {
		value /= 1000.0;
		i++;
	}
	if (ns == 0.0 || value >= 99.95) {
		snprintf(text, UNITS_TEXT_MAX, "%.0f %s", value, names[i]);
	} else if (value >= 9.995) {
		const long tenths = lround(value * 10.0);

		snprintf(text, UNITS_TEXT_MAX, "%ld.%ld %s", tenths / 10, tenths % 10, names[i]);
	} else {
		const long hundredths = lround(value * 100.0);

		snprintf(text, UNITS_TEXT_MAX, "%ld.%02ld %s", hundredths / 100, hundredths % 100,
			 names[i]);
	}
	return text;
}
