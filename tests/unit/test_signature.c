// SPDX-License-Identifier: MIT
/* Signatures written by hand into files, so that no mkfs is needed. */
#include "test.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/signature.h"

#define IMAGE_BYTES (16 << 20)

static int setup(void **state)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), IMAGE_BYTES), 0);
	*state = file;
	return 0;
}

static int teardown(void **state)
{
	fclose(*state);
	return 0;
}

static void put(FILE *file, long offset, const void *bytes, size_t len)
{
	assert_int_equal(pwrite(fileno(file), bytes, len, offset), (ssize_t)len);
}

static void expect(FILE *file, const char *part)
{
	char *what = NULL;

	assert_int_equal(signature_find(fileno(file), &what), 1);
	if (!strstr(what, part))
		print_message("found: %s\n", what);
	assert_non_null(strstr(what, part));
	free(what);
}

static void zeros_hold_nothing(void **state)
{
	char *what;

	assert_int_equal(signature_find(fileno(*state), &what), 0);
}

static void random_bytes_hold_nothing(void **state)
{
	static uint8_t noise[1 << 20];
	uint64_t x = 88172645463325252ULL;
	char *what;

	for (size_t i = 0; i < sizeof(noise); i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		noise[i] = (uint8_t)x;
	}
	put(*state, 0, noise, sizeof(noise));
	assert_int_equal(signature_find(fileno(*state), &what), 0);
}

static void swap_is_found_with_its_label(void **state)
{
	static const uint32_t header[] = {1, IMAGE_BYTES / 4096 - 1, 0};

	put(*state, 1024, header, sizeof(header));
	put(*state, 1052, "old-swap", 8);
	put(*state, 4086, "SWAPSPACE2", 10);
	expect(*state, "swap signature \"old-swap\"");
}

static void an_encrypted_volume_is_found(void **state)
{
	static const uint8_t luks1[] = {'L', 'U', 'K', 'S', 0xBA, 0xBE, 0, 1};

	put(*state, 0, luks1, sizeof(luks1));
	expect(*state, "crypto_LUKS encrypted volume");
}

static void a_partition_table_is_found(void **state)
{
	static const uint8_t entry[] = {0, 0, 2, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 0x20, 0, 0};
	static const uint8_t mark[] = {0x55, 0xAA};

	put(*state, 446, entry, sizeof(entry));
	put(*state, 510, mark, sizeof(mark));
	expect(*state, "dos partition table");
}

static void a_closed_descriptor_is_an_error(void **state)
{
	char *what;

	(void)state;
	assert_true(signature_find(-1, &what) < 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(zeros_hold_nothing),           TEST(random_bytes_hold_nothing),
		TEST(swap_is_found_with_its_label), TEST(an_encrypted_volume_is_found),
		TEST(a_partition_table_is_found),   TEST(a_closed_descriptor_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
