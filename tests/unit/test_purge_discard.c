// SPDX-License-Identifier: MIT
/* Discards that really give blocks back: of a loop device (root; skipped else) and of files. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loop.h"
#include "ssdbench/purge.h"

#define IMAGE_BYTES (8ULL << 20)

static char image[] =
	"/var/tmp/ssdbench-purge-loop-XXXXXX"; /* loop.c unlinks those that it makes */
static struct loop *loop;
static double last_fraction;

static int attach(void **state)
{
	int fd;

	(void)state;
	strcpy(image + strlen(image) - 6, "XXXXXX");
	fd = mkstemp(image);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, IMAGE_BYTES), 0);
	close(fd);
	loop = loop_new(0, image, false, 512);
	return 0;
}

static int detach(void **state)
{
	(void)state;
	loop_free(loop);
	return unlink(image);
}

static const char *node_or_skip(void)
{
	if (!loop) {
		print_message("skipped: no loop device can be had (needs root)\n");
		skip();
	}
	return loop->node;
}

static void on_progress(void *context, double fraction)
{
	(void)context;
	last_fraction = fraction;
}

static struct target *open_target(const char *word, const struct target_options *options)
{
	const struct target_options none = {0};
	struct error err = {0};
	struct target *target = NULL;

	if (target_find(&target, word, options ? options : &none, &err) ||
	    target_open(target, TARGET_WRITE, &word, 1, &err))
		fail_msg("%s", err.text);
	return target;
}

static int purge(struct target *target, enum purge_method method, struct purge_outcome *outcome,
		 struct error *err)
{
	const struct purge_request request = {
		.method = method,
		.targets = &target,
		.nr_targets = 1,
		.progress = on_progress,
	};

	last_fraction = 0;
	return target_purge(target, &request, outcome, err);
}

/* All of the target holds 0xa5 afterwards. */
static void write_pattern(const struct target *target)
{
	const int fd = target_fd(target);
	void *block = aligned_alloc(4096, 1 << 20);

	assert_non_null(block);
	memset(block, 0xa5, 1 << 20);
	for (uint64_t at = 0; at < IMAGE_BYTES; at += 1 << 20)
		assert_int_equal(pwrite(fd, block, 1 << 20, (off_t)at), 1 << 20);
	assert_int_equal(fsync(fd), 0);
	free(block);
}

/* Every byte reads as zero through the target's own descriptor, which still works. */
static void assert_zeros(const struct target *target)
{
	uint8_t *block = aligned_alloc(4096, 1 << 20);

	assert_non_null(block);
	for (uint64_t at = 0; at < IMAGE_BYTES; at += 1 << 20) {
		assert_int_equal(pread(target_fd(target), block, 1 << 20, (off_t)at), 1 << 20);
		assert_int_equal(block[0], 0);
		assert_memory_equal(block, block + 1, (1 << 20) - 1);
	}
	free(block);
}

static blkcnt_t blocks_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, IMAGE_BYTES);
	return st.st_blocks;
}

static void assert_no_data(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(lseek(fd, 0, SEEK_DATA), -1);
	assert_int_equal(errno, ENXIO);
	close(fd);
	assert_int_equal(blocks_of(path), 0);
}

static void a_discard_gives_all_blocks_of_a_device_back(void **state)
{
	struct target *target = open_target(node_or_skip(), NULL);
	struct purge_outcome outcome;
	struct error err = {0};

	(void)state;
	write_pattern(target);
	assert_true(blocks_of(image) >= (blkcnt_t)(IMAGE_BYTES / 512));
	if (purge(target, PURGE_DISCARD, &outcome, &err))
		fail_msg("%s", err.text);
	assert_int_equal(outcome.used, PURGE_DISCARD);
	assert_int_equal(outcome.nvme_status, -1);
	assert_true(outcome.duration_ns > 0);
	assert_true(last_fraction == 1.0);
	assert_no_data(image);
	assert_zeros(target);
	target_close(target);
}

static void auto_ends_with_a_discard_where_there_is_no_nvme(void **state)
{
	struct target *target = open_target(node_or_skip(), NULL);
	struct purge_outcome outcome;
	struct error err = {0};

	(void)state;
	write_pattern(target);
	assert_int_equal(purge(target, PURGE_AUTO, &outcome, &err), 0);
	assert_int_equal(outcome.used, PURGE_DISCARD);
	assert_non_null(strstr(outcome.fallback, "format: not an NVMe drive; sanitize-block: "));
	assert_no_data(image);
	target_close(target);
}

static void a_device_without_nvme_is_not_formatted(void **state)
{
	struct target *target = open_target(node_or_skip(), NULL);
	struct purge_outcome outcome;
	struct error err = {0};

	(void)state;
	write_pattern(target);
	assert_int_equal(purge(target, PURGE_FORMAT, &outcome, &err), -ENOTSUP);
	assert_non_null(strstr(err.text, "format: not an NVMe drive"));
	assert_int_equal(outcome.used, PURGE_NONE);
	assert_true(blocks_of(image) >= (blkcnt_t)(IMAGE_BYTES / 512));
	target_close(target);
}

static void a_file_gives_its_blocks_back_and_keeps_its_size(void **state)
{
	const struct target_options options = {.create_bytes = IMAGE_BYTES};
	char path[] = "/var/tmp/ssdbench-purge-XXXXXX";
	struct purge_outcome outcome;
	struct target *target;
	struct error err = {0};

	(void)state;
	close(mkstemp(path));
	assert_int_equal(unlink(path), 0);
	target = open_target(path, &options);
	write_pattern(target);
	if (purge(target, PURGE_AUTO, &outcome, &err))
		fail_msg("%s", err.text);
	assert_int_equal(outcome.used, PURGE_DISCARD);
	assert_no_data(path);
	assert_zeros(target);
	target_close(target);
	unlink(path);
}

static void a_null_target_has_nothing_to_lose(void **state)
{
	struct target *target = open_target("null:245.76TB", NULL);
	struct purge_outcome outcome;
	struct error err = {0};

	(void)state;
	assert_int_equal(purge(target, PURGE_AUTO, &outcome, &err), 0);
	assert_int_equal(outcome.used, PURGE_DISCARD);
	target_close(target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_discard_gives_all_blocks_of_a_device_back, attach,
						detach),
		cmocka_unit_test_setup_teardown(auto_ends_with_a_discard_where_there_is_no_nvme,
						attach, detach),
		cmocka_unit_test_setup_teardown(a_device_without_nvme_is_not_formatted, attach,
						detach),
		cmocka_unit_test(a_file_gives_its_blocks_back_and_keeps_its_size),
		cmocka_unit_test(a_null_target_has_nothing_to_lose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
