// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "ssdbench/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct good {
	const char *text;
	uint64_t value;
};

struct bad {
	const char *text;
	const char *reason; /* the whole message */
};

static void sizes_are_read_exactly(void **state)
{
	static const struct good sizes[] = {
		{"0", 0},
		{"512", 512},
		{"4096B", 4096},
		{"128KiB", 131072},
		{"128kB", 128000},
		{"128KB", 128000},
		{"128k", 131072},
		{"128K", 131072},
		{"8MiB", 8388608},
		{"8m", 8388608},
		{"8M", 8388608},
		{"8MB", 8000000},
		{"1GiB", 1073741824},
		{"1g", 1073741824},
		{"1GB", 1000000000},
		{"1TiB", 1099511627776},
		{"1t", 1099511627776},
		{"2PiB", 2251799813685248},
		{"2p", 2251799813685248},
		{"2PB", 2000000000000000},
		{"1.5MiB", 1572864},
		{"7.68TB", 7680000000000},
		{"122.88TB", 122880000000000},
		{"245.76TB", 245760000000000},
		{"0.001kB", 1},
		{"1.000000000000000000000000000000KiB", 1024},
		{"0.00000000000000088817841970012523233890533447265625PiB", 1},
		{"0007", 7},
		{"18446744073709551615", UINT64_MAX},
		{"16383.9990234375PiB", 18446742974197923840ULL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct error err = {0};
		uint64_t bytes = 1;

		assert_int_equal(size_parse(sizes[i].text, &bytes, &err), 0);
		assert_int_equal(bytes, sizes[i].value);
		assert_int_equal(err.kind, ERROR_NONE);
	}
}

static void assert_refused(int (*parse)(const char *, uint64_t *, struct error *),
			   const struct bad *bad)
{
	struct error err = {0};
	uint64_t value = 4711;

	assert_int_equal(parse(bad->text, &value, &err), -EINVAL);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, bad->reason);
	assert_int_equal(value, 4711);
	assert_int_equal(parse(bad->text, &value, NULL), -EINVAL);
}

static void wrong_sizes_say_what_is_wrong(void **state)
{
	static const struct bad sizes[] = {
		{"", "\"\": not a number; write a size like 128KiB"},
		{"KiB", "\"KiB\": not a number; write a size like 128KiB"},
		{".5k", "\".5k\": not a number; write a size like 128KiB"},
		{"+5", "\"+5\": not a number; write a size like 128KiB"},
		{"-5k", "\"-5k\": a size cannot be negative"},
		{"1 GiB", "\"1 GiB\": blanks are not allowed in a size; write it like 128KiB"},
		{"5k\n", "\"5k?\": blanks are not allowed in a size; write it like 128KiB"},
		{"10x",
		 "\"10x\": unknown unit \"x\"; use B, KiB, MiB, GiB, TiB, PiB, kB, MB, GB, TB "
		 "or PB"},
		{"0x10",
		 "\"0x10\": unknown unit \"x10\"; use B, KiB, MiB, GiB, TiB, PiB, kB, MB, GB, "
		 "TB or PB"},
		{"1,5k",
		 "\"1,5k\": unknown unit \",5k\"; use B, KiB, MiB, GiB, TiB, PiB, kB, MB, GB, "
		 "TB or PB"},
		{"4kib",
		 "\"4kib\": unknown unit \"kib\"; use B, KiB, MiB, GiB, TiB, PiB, kB, MB, GB, "
		 "TB or PB"},
		{"1.k", "\"1.k\": a digit must follow the point"},
		{"1.5", "\"1.5\": not a whole number of bytes"},
		{"1.3KiB", "\"1.3KiB\": not a whole number of bytes"},
		{"0.0005kB", "\"0.0005kB\": not a whole number of bytes"},
		{"18446744073709551616",
		 "\"18446744073709551616\": the number is above 18446744073709551615"},
		{"16384PiB", "\"16384PiB\": above 18446744073709551615 bytes"},
		{"18446744073709551.616kB",
		 "\"18446744073709551.616kB\": above 18446744073709551615 bytes"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++)
		assert_refused(size_parse, &sizes[i]);
}

static void durations_are_read_exactly(void **state)
{
	static const struct good durations[] = {
		{"0", 0},
		{"0s", 0},
		{"1ns", 1},
		{"5us", 5000},
		{"1500ms", 1500000000},
		{"300s", 300000000000},
		{"5m", 300000000000},
		{"5min", 300000000000},
		{"3h", 10800000000000},
		{"1.5h", 5400000000000},
		{"2d", 172800000000000},
		{"0.000000001s", 1},
		{"18446744073709551615ns", UINT64_MAX},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(durations); i++) {
		uint64_t ns = 1;

		assert_int_equal(duration_parse(durations[i].text, &ns, NULL), 0);
		assert_int_equal(ns, durations[i].value);
	}
}

static void wrong_durations_say_what_is_wrong(void **state)
{
	static const struct bad durations[] = {
		{"300", "\"300\": a duration needs a unit; use ns, us, ms, s, min, h or d"},
		{"5sec", "\"5sec\": unknown unit \"sec\"; use ns, us, ms, s, min, h or d"},
		{"5S", "\"5S\": unknown unit \"S\"; use ns, us, ms, s, min, h or d"},
		{"-1s", "\"-1s\": a duration cannot be negative"},
		{"1 h", "\"1 h\": blanks are not allowed in a duration; write it like 300s"},
		{"0.5ns", "\"0.5ns\": not a whole number of nanoseconds"},
		{"213504d", "\"213504d\": above 18446744073709551615 nanoseconds"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(durations); i++)
		assert_refused(duration_parse, &durations[i]);
}

static void percentages_are_basis_points(void **state)
{
	static const struct good percentages[] = {
		{"0", 0},       {"98.51", 9851},    {"98.51%", 9851}, {"0.1", 10},
		{"0.10", 10},   {"83.21", 8321},    {"0.54", 54},     {"5%", 500},
		{"100", 10000}, {"100.00%", 10000},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(percentages); i++) {
		uint32_t basis_points = 1;

		assert_int_equal(percent_parse(percentages[i].text, &basis_points, NULL), 0);
		assert_int_equal(basis_points, percentages[i].value);
	}
}

static void wrong_percentages_say_what_is_wrong(void **state)
{
	static const struct bad percentages[] = {
		{"", "\"\": not a number; write a percentage like 98.51"},
		{"98.515", "\"98.515\": a percentage has at most two decimals"},
		{"100.01", "\"100.01\": a percentage is at most 100"},
		{"18446744073709551615", "\"18446744073709551615\": a percentage is at most 100"},
		{"-1", "\"-1\": a percentage cannot be negative"},
		{"5pc", "\"5pc\": \"pc\" is not part of a percentage; write it like 98.51"},
		{"5%%", "\"5%%\": \"%%\" is not part of a percentage; write it like 98.51"},
		{"5 %", "\"5 %\": blanks are not allowed in a percentage; write it like 98.51"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(percentages); i++) {
		struct error err = {0};
		uint32_t basis_points = 4711;

		assert_int_equal(percent_parse(percentages[i].text, &basis_points, &err), -EINVAL);
		assert_string_equal(err.text, percentages[i].reason);
		assert_int_equal(basis_points, 4711);
	}
}

static void sizes_are_written_as_people_wrote_them(void **state)
{
	static const struct good sizes[] = {
		{"0B", 0},
		{"1B", 1},
		{"512B", 512},
		{"4KiB", 4096},
		{"128KiB", 131072},
		{"125KiB", 128000},
		{"100000B", 100000},
		{"1536KiB", 1572864},
		{"1GiB", 1073741824},
		{"7681501126656B", 7681501126656}, /* 7501465944 KiB */
		{"1GB", 1000000000},
		{"1TB", 1000000000000},
		{"500000MiB", 524288000000}, /* not 524288 MB */
		{"1048575KiB", 1073740800},
		{"1073742848B", 1073742848}, /* 1048577 KiB */
		{"8PiB", 9007199254740992},
		{"18446744073709551615B", UINT64_MAX},
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++)
		assert_string_equal(size_format(sizes[i].value, text), sizes[i].text);
}

static void durations_are_written_as_people_wrote_them(void **state)
{
	static const struct good durations[] = {
		{"0s", 0},
		{"1ns", 1},
		{"1500ms", 1500000000},
		{"300s", 300000000000},
		{"5400s", 5400000000000},
		{"3h", 10800000000000},
		{"2d", 172800000000000},
		{"18446744073709551615ns", UINT64_MAX},
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(durations); i++)
		assert_string_equal(duration_format(durations[i].value, text), durations[i].text);
}

static void what_is_written_is_read_back(void **state)
{
	char text[UNITS_TEXT_MAX];
	uint64_t value = 1, back;
	uint32_t basis_points;

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		value = value * 6364136223846793005ULL + 1442695040888963407ULL;
		const uint64_t some = (value >> (i % 64)) << (i % 41);

		assert_int_equal(size_parse(size_format(some, text), &back, NULL), 0);
		assert_int_equal(back, some);
		assert_int_equal(duration_parse(duration_format(some, text), &back, NULL), 0);
		assert_int_equal(back, some);
	}
	for (uint32_t i = 0; i <= 10000; i++) {
		assert_int_equal(percent_parse(percent_format(i, text), &basis_points, NULL), 0);
		assert_int_equal(basis_points, i);
	}
}

static void percentages_have_no_trailing_zeros(void **state)
{
	char text[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(percent_format(9851, text), "98.51");
	assert_string_equal(percent_format(500, text), "5");
	assert_string_equal(percent_format(10, text), "0.1");
	assert_string_equal(percent_format(1, text), "0.01");
	assert_string_equal(percent_format(10000, text), "100");
	assert_string_equal(percent_format(0, text), "0");
}

static void capacities_read_as_drives_are_sold(void **state)
{
	static const struct good capacities[] = {
		{"0 B", 0},
		{"999 B", 999},
		{"4.10 kB", 4096},
		{"67.12 MB", 67123456},
		{"7.68 TB", 7681501126656},
		{"122.88 TB", 122880000000000},
		{"245.76 TB", 245760000000000},
		{"1.00 TB", 999999999999},
		{"999.99 GB", 999994999999},
		{"18446.74 PB", UINT64_MAX},
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(capacities); i++)
		assert_string_equal(capacity_human(capacities[i].value, text), capacities[i].text);
}

static void durations_for_people_are_rounded(void **state)
{
	static const struct good durations[] = {
		{"0 ns", 0},
		{"850 us", 850000},
		{"850 ms", 850000000},
		{"1 s", 999600000},
		{"1.5 s", 1500000000},
		{"45 s", 45000000000},
		{"1 min", 59600000000},
		{"3 min 20 s", 200000000000},
		{"3 min 05 s", 185000000000},
		{"5 min", 300000000000},
		{"1 h", 3599600000000},
		{"2 h 05 min", 7500000000000},
		{"3 h", 10800000000000},
		{"1 d", 86399000000000},
		{"3 d 17 h", 320400000000000},
		{"213503 d 23 h", UINT64_MAX - 1000000000000},
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(durations); i++)
		assert_string_equal(duration_human(durations[i].value, text), durations[i].text);
}

static void latencies_have_three_digits(void **state)
{
	static const struct {
		double ns;
		const char *text;
	} latencies[] = {
		{0.0, "0 ns"},
		{1.0, "1.00 ns"},
		{850.0, "850 ns"},
		{999.4, "999 ns"},
		{999.5, "1.00 us"},
		{12345.0, "12.3 us"},
		{1050000.0, "1.05 ms"},
		{9995000.0, "10.0 ms"},
		{99950000.0, "100 ms"},
		{20.1e9, "20.1 s"},
		{94e9, "94.0 s"},
		{1234e9, "1234 s"},
		{-1.0, "-"},
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(latencies); i++)
		assert_string_equal(latency_human(latencies[i].ns, text), latencies[i].text);
	assert_string_equal(latency_human(NAN, text), "-");
}

static void the_locale_changes_nothing(void **state)
{
	char text[UNITS_TEXT_MAX];
	uint64_t bytes;

	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		skip(); /* no locale with a decimal comma on this machine */
	assert_int_equal(size_parse("1.5MiB", &bytes, NULL), 0);
	assert_int_equal(bytes, 1572864);
	assert_string_equal(latency_human(1050000.0, text), "1.05 ms");
	assert_string_equal(capacity_human(7681501126656, text), "7.68 TB");
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_read_exactly),
		cmocka_unit_test(wrong_sizes_say_what_is_wrong),
		cmocka_unit_test(durations_are_read_exactly),
		cmocka_unit_test(wrong_durations_say_what_is_wrong),
		cmocka_unit_test(percentages_are_basis_points),
		cmocka_unit_test(wrong_percentages_say_what_is_wrong),
		cmocka_unit_test(sizes_are_written_as_people_wrote_them),
		cmocka_unit_test(durations_are_written_as_people_wrote_them),
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(percentages_have_no_trailing_zeros),
		cmocka_unit_test(capacities_read_as_drives_are_sold),
		cmocka_unit_test(durations_for_people_are_rounded),
		cmocka_unit_test(latencies_have_three_digits),
		cmocka_unit_test(the_locale_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
