// SPDX-License-Identifier: MIT
/* Words: what each names, and the reason given where it names no target. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "ssdbench/target.h"

#define NVME0   "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0"
#define NVME0N1 NVME0 "/nvme0n1"

static int setup(void **state)
{
	*state = fixture_new();
	return 0;
}

static int teardown(void **state)
{
	fixture_free(*state);
	return 0;
}

/* The word is refused as @kind, and the reason has @part in it. */
static void expect_refused(struct fixture *fixture, const char *word,
			   const struct target_options *options, enum error_kind kind,
			   const char *part)
{
	struct target_options plain = {.roots = &fixture->roots};
	struct target *target = NULL;
	struct error err = {0};

	assert_true(target_find(&target, word, options ? options : &plain, &err) < 0);
	assert_null(target);
	if (err.kind != kind || !strstr(err.text, part))
		print_message("'%s' gave kind %u: %s\n", word, err.kind, err.text);
	assert_int_equal(err.kind, kind);
	assert_non_null(strstr(err.text, part));
}

static struct target *expect_found(struct fixture *fixture, const char *word,
				   const struct target_options *options)
{
	struct target_options plain = {.roots = &fixture->roots};
	struct target *target = NULL;
	struct error err = {0};

	if (target_find(&target, word, options ? options : &plain, &err))
		print_message("'%s': %s\n", word, err.text);
	assert_non_null(target);
	assert_int_equal(err.kind, ERROR_NONE);
	return target;
}

static void plain_drive(struct fixture *fixture)
{
	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_node(fixture, "nvme0n1", S_IFBLK, 1);
}

static void an_empty_word_is_a_usage_error(void **state)
{
	expect_refused(*state, "", NULL, ERROR_USAGE, "empty");
}

static void an_unknown_scheme_is_a_usage_error(void **state)
{
	expect_refused(*state, "nul:4GiB", NULL, ERROR_USAGE, "'nul' is no scheme");
}

static void a_null_target_has_the_size_that_its_word_says(void **state)
{
	struct target *target = expect_found(*state, "null:245.76TB", NULL);
	const struct drive_facts *facts = target_facts(target);

	assert_int_equal(facts->kind, TARGET_NULL);
	assert_int_equal(facts->capacity_bytes, 245760000000000);
	assert_int_equal(facts->logical_block_bytes, 512);
	assert_string_equal(facts->word, "null:245.76TB");
	assert_string_equal(facts->name, "null");
	assert_null(facts->path);
	assert_null(target_consent_word(target));
	assert_int_equal(target_open(target, TARGET_WRITE, NULL, 0, NULL), 0);
	assert_int_equal(target_fd(target), -1);
	assert_int_equal(target_recheck(target, NULL), 0);
	assert_int_equal(target_flush(target), 0);
	target_close(target);
}

static void wrong_sizes_are_usage_errors(void **state)
{
	struct target_options create = {.create_bytes = 4096};

	expect_refused(*state, "null:", NULL, ERROR_USAGE, "null:");
	expect_refused(*state, "null:0", NULL, ERROR_USAGE, "not 0");
	expect_refused(*state, "null:1000B", NULL, ERROR_USAGE, "multiple of 512");
	expect_refused(*state, "scratch:many", NULL, ERROR_USAGE, "scratch:many");
	expect_refused(*state, "scratch:-4GiB", NULL, ERROR_USAGE, "scratch:-4GiB");
	expect_refused(*state, "scratch:1KiB", NULL, ERROR_USAGE, "multiple of 4096");
	expect_refused(*state, "null:4GiB", &create, ERROR_USAGE, "--create");
	expect_refused(*state, "serial:TESTSN0001", &create, ERROR_USAGE, "--create");
}

static void an_absent_path_is_refused_and_never_created(void **state)
{
	struct fixture *fixture = *state;
	const char *path = fixture_path(fixture, "dev/nvme0n11");
	struct target_options create = {.roots = &fixture->roots, .create_bytes = 1 << 20};
	struct stat st;

	expect_refused(fixture, path, NULL, ERROR_REFUSED, "no such device");
	expect_refused(fixture, path, &create, ERROR_REFUSED, "no file is ever created inside");
	assert_int_equal(stat(path, &st), -1);
	assert_int_equal(errno, ENOENT);
}

static void a_blank_at_the_end_gets_a_hint(void **state)
{
	plain_drive(*state);
	expect_refused(*state, fixture_path(*state, "dev/nvme0n1 "), NULL, ERROR_REFUSED,
		       "ends with a blank");
	expect_refused(*state, " /dev/nvme0n1", NULL, ERROR_REFUSED, "begins or ends");
}

static void a_kernel_name_gets_the_path_as_a_hint(void **state)
{
	plain_drive(*state);
	expect_refused(*state, "nvme0n1", NULL, ERROR_REFUSED, "/dev/nvme0n1");
}

static void a_directory_is_refused(void **state)
{
	expect_refused(*state, fixture_path(*state, "dev/"), NULL, ERROR_REFUSED, "a directory");
}

static void a_file_inside_dev_is_refused(void **state)
{
	fixture_write(*state, "dev/nvme0n11", "left over by another program\n");
	expect_refused(*state, fixture_path(*state, "dev/nvme0n11"), NULL, ERROR_REFUSED,
		       "not a block device but a regular file inside");
}

static void a_fifo_is_refused(void **state)
{
	assert_int_equal(mkfifo(fixture_path(*state, "fifo"), 0600), 0);
	expect_refused(*state, fixture_path(*state, "fifo"), NULL, ERROR_REFUSED, "neither");
}

static void a_link_that_leads_nowhere_is_refused(void **state)
{
	fixture_link(*state, "by-id", "dev/gone");
	expect_refused(*state, fixture_path(*state, "by-id"), NULL, ERROR_REFUSED, "leads nowhere");
}

static void colons_in_a_path_are_literal(void **state)
{
	const char *word = fixture_path(*state, "dev/disk/by-path/pci-0000:01:00.0-nvme-1");
	struct target *target;

	plain_drive(*state);
	fixture_link(*state, "dev/disk/by-path/pci-0000:01:00.0-nvme-1", "dev/nvme0n1");
	target = expect_found(*state, word, NULL);
	assert_string_equal(target_facts(target)->word, word);
	assert_string_equal(target_facts(target)->path, fixture_path(*state, "dev/nvme0n1"));
	assert_string_equal(target_facts(target)->name, "nvme0n1");
	assert_int_equal(target_facts(target)->capacity_bytes, 978143920ULL * 512);
	assert_int_equal(target_offset_alignment(target), 512);
	assert_string_equal(target_consent_word(target), "TESTSN0001");
	target_close(target);
}

static void controller_and_generic_nodes_name_the_block_device(void **state)
{
	char hint[PATH_MAX];

	plain_drive(*state);
	fixture_node(*state, "nvme0", S_IFCHR, 100);
	fixture_node(*state, "ng0n1", S_IFCHR, 101);
	fixture_node(*state, "tty0", S_IFCHR, 102);
	fixture_link(*state, "sys/dev/char/60:100", NVME0);
	fixture_write(*state, NVME0 "/ng0n1/uevent", "");
	fixture_link(*state, "sys/dev/char/60:101", NVME0 "/ng0n1");
	snprintf(hint, sizeof(hint), "use %s", fixture_path(*state, "dev/nvme0n1"));
	expect_refused(*state, fixture_path(*state, "dev/nvme0"), NULL, ERROR_REFUSED, hint);
	expect_refused(*state, fixture_path(*state, "dev/ng0n1"), NULL, ERROR_REFUSED, hint);
	expect_refused(*state, fixture_path(*state, "dev/tty0"), NULL, ERROR_REFUSED,
		       "a character device");
}

static void a_hidden_path_names_its_head(void **state)
{
	char hint[PATH_MAX];

	fixture_dual_port(*state);
	snprintf(hint, sizeof(hint), "use %s", fixture_path(*state, "dev/nvme1n1"));
	expect_refused(*state, fixture_path(*state, "dev/nvme1c1n1"), NULL, ERROR_REFUSED, hint);
	expect_refused(*state, "nvme1c2n1", NULL, ERROR_REFUSED, hint);
}

static void a_partition_needs_a_word_of_permission(void **state)
{
	struct fixture *fixture = *state;
	const char *word = fixture_path(fixture, "dev/nvme0n1p1");
	struct target_options allowed = {.roots = &fixture->roots, .allow_partition = true};
	struct target *target;

	plain_drive(fixture);
	fixture_partition(fixture, NVME0N1 "/nvme0n1p1", 2, "2048\n", "40960\n");
	fixture_node(fixture, "nvme0n1p1", S_IFBLK, 2);
	expect_refused(fixture, word, NULL, ERROR_REFUSED, "--allow-partition");
	expect_refused(fixture, word, NULL, ERROR_REFUSED, fixture_path(fixture, "dev/nvme0n1"));
	target = expect_found(fixture, word, &allowed);
	assert_int_equal(target_facts(target)->partition_start_bytes, 1 << 20);
	assert_int_equal(target_facts(target)->capacity_bytes, 20 << 20);
	target_close(target);
}

static void unfit_drives_are_refused_with_their_reason(void **state)
{
	const char *word = fixture_path(*state, "dev/nvme0n1");

	plain_drive(*state);
	fixture_write(*state, NVME0N1 "/queue/zoned", "host-managed\n");
	expect_refused(*state, word, NULL, ERROR_REFUSED, "host-managed zoned: not supported");
	fixture_write(*state, NVME0N1 "/queue/zoned", "none\n");
	fixture_write(*state, NVME0N1 "/size", "0\n");
	expect_refused(*state, word, NULL, ERROR_REFUSED,
		       "no capacity (namespace not attached or drive failed)");
	fixture_write(*state, NVME0N1 "/metadata_bytes", "8\n");
	expect_refused(*state, word, NULL, ERROR_REFUSED, "512+8");
}

static void a_node_without_a_driver_is_refused(void **state)
{
	fixture_node(*state, "nvme7n1", S_IFBLK, 77);
	expect_refused(*state, fixture_path(*state, "dev/nvme7n1"), NULL, ERROR_REFUSED,
		       "the kernel knows no block device 60:77");
}

static void a_file_is_rounded_down_to_its_alignment(void **state)
{
	const char *path = fixture_path(*state, "image");
	struct target *target;
	uint64_t alignment;

	fixture_write(*state, "image", "");
	expect_refused(*state, path, NULL, ERROR_REFUSED, "no capacity");
	assert_int_equal(truncate(path, 67117056 + 100), 0);
	target = expect_found(*state, path, NULL);
	alignment = target_offset_alignment(target);
	assert_true(alignment >= 1 && alignment <= 65536);
	assert_int_equal(target_facts(target)->kind, TARGET_FILE);
	assert_int_equal(target_facts(target)->capacity_bytes,
			 (67117056 + 100) / alignment * alignment);
	assert_string_equal(target_facts(target)->name, "image");
	assert_string_equal(target_consent_word(target), target_facts(target)->path);
	target_close(target);
}

static void create_makes_no_file_before_it_is_opened(void **state)
{
	struct fixture *fixture = *state;
	const char *path = fixture_path(fixture, "new");
	struct target_options create = {.roots = &fixture->roots, .create_bytes = 1 << 20};
	struct target *target = expect_found(fixture, path, &create);
	struct stat st;

	assert_int_equal(target_facts(target)->capacity_bytes, 1 << 20);
	assert_string_equal(target_facts(target)->path, path);
	assert_null(target_consent_word(target));
	assert_int_equal(stat(path, &st), -1);
	target_close(target);

	fixture_write(fixture, "new", "mine");
	expect_refused(fixture, path, &create, ERROR_REFUSED, "exists already");
	expect_refused(fixture, fixture_path(fixture, "no/where"), &create, ERROR_REFUSED,
		       "no such directory");
}

static void nothing_that_find_does_leaves_a_descriptor(void **state)
{
	int before = open("/dev/null", O_RDONLY), after;

	close(before);
	plain_drive(*state);
	target_close(expect_found(*state, fixture_path(*state, "dev/nvme0n1"), NULL));
	expect_refused(*state, fixture_path(*state, "dev/nvme0n2"), NULL, ERROR_REFUSED, "no such");
	after = open("/dev/null", O_RDONLY);
	assert_int_equal(before, after);
	close(after);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_word_is_a_usage_error),
		TEST(an_unknown_scheme_is_a_usage_error),
		TEST(a_null_target_has_the_size_that_its_word_says),
		TEST(wrong_sizes_are_usage_errors),
		TEST(an_absent_path_is_refused_and_never_created),
		TEST(a_blank_at_the_end_gets_a_hint),
		TEST(a_kernel_name_gets_the_path_as_a_hint),
		TEST(a_directory_is_refused),
		TEST(a_file_inside_dev_is_refused),
		TEST(a_fifo_is_refused),
		TEST(a_link_that_leads_nowhere_is_refused),
		TEST(colons_in_a_path_are_literal),
		TEST(controller_and_generic_nodes_name_the_block_device),
		TEST(a_hidden_path_names_its_head),
		TEST(a_partition_needs_a_word_of_permission),
		TEST(unfit_drives_are_refused_with_their_reason),
		TEST(a_node_without_a_driver_is_refused),
		TEST(a_file_is_rounded_down_to_its_alignment),
		TEST(create_makes_no_file_before_it_is_opened),
		TEST(nothing_that_find_does_leaves_a_descriptor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
