// SPDX-License-Identifier: MIT
/* Opening real block devices: loop devices that the test makes itself (root; skipped else). */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop.h"
#include "ssdbench/target.h"

#define IMAGE_BYTES (64ULL << 20)

/* Where tests mount; unmounted and removed whatever happens. */
static char mount_point[] = "/var/tmp/ssdbench-mount-XXXXXX";

static int setup(void **state)
{
	*state = loop_new(IMAGE_BYTES, NULL, false, 512);
	if (!*state)
		print_message("skipped: no loop device can be had (needs root)\n");
	return 0;
}

static int teardown(void **state)
{
	(void)umount2(mount_point, MNT_DETACH); /* most tests mount nothing */
	loop_free(*state);
	return 0;
}

static struct loop *get_loop(void **state)
{
	if (!*state)
		skip();
	return *state;
}

static struct target *find(const char *word)
{
	struct target_options options = {.allow_partition = true};
	struct error err = {0};
	struct target *target;

	if (target_find(&target, word, &options, &err))
		print_message("%s\n", err.text);
	assert_int_equal(err.kind, ERROR_NONE);
	return target;
}

/* Opening @word for writing with full consent is refused, and the reason has @part in it. */
static void expect_refused(const char *word, const char *part)
{
	struct target *target = find(word);
	struct error err = {0};

	assert_true(target_open(target, TARGET_WRITE, &word, 1, &err) < 0);
	if (!strstr(err.text, part))
		print_message("%s\n", err.text);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_non_null(strstr(err.text, part));
	assert_int_equal(target_fd(target), -1);
	target_close(target);
}

static void expect_opens(const char *word, enum target_access access)
{
	struct target *target = find(word);
	struct error err = {0};

	if (target_open(target, access, &word, 1, &err))
		print_message("%s\n", err.text);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_true(fcntl(target_fd(target), F_GETFL) & O_DIRECT);
	assert_true(fcntl(target_fd(target), F_GETFD) & FD_CLOEXEC);
	assert_int_equal(target_recheck(target, &err), 0);
	assert_int_equal(target_flush(target), 0);
	target_close(target);
}

static void an_empty_device_still_needs_consent(void **state)
{
	const struct loop *loop = get_loop(state);
	static const char *const wrong[] = {"/dev/loop", "", "/dev/null"};
	struct target *target = find(loop->node);
	struct error err = {0};
	char option[128];

	assert_int_equal(target_facts(target)->capacity_bytes, IMAGE_BYTES);
	assert_string_equal(target_facts(target)->model, "loop");
	assert_string_equal(target_consent_word(target), loop->node);
	assert_true(target_open(target, TARGET_WRITE, wrong, 3, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	snprintf(option, sizeof(option), "add --destroy %s", loop->node);
	assert_non_null(strstr(err.text, option));
	target_close(target);
	expect_opens(loop->node, TARGET_WRITE);
}

static void a_link_is_consent_for_what_it_leads_to(void **state)
{
	const struct loop *loop = get_loop(state);
	char link[] = "/var/tmp/ssdbench-pci-0000:01:00.0-nvme-1-XXXXXX";
	struct stat st;

	assert_non_null(mkdtemp(link));
	assert_int_equal(rmdir(link), 0);
	assert_int_equal(symlink(loop->node, link), 0);
	expect_opens(link, TARGET_WRITE);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(unlink(link), 0);
}

static void a_signature_is_named_until_consent_is_given(void **state)
{
	const struct loop *loop = get_loop(state);
	struct target *target;
	struct error err = {0};

	loop_command("mkfs.ext4 -q -L keepme %s", loop->node);
	target = find(loop->node);
	assert_true(target_open(target, TARGET_WRITE, NULL, 0, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_non_null(strstr(err.text, "ext4 file system \"keepme\""));
	target_close(target);
	expect_opens(loop->node, TARGET_WRITE);
}

static void a_mounted_device_is_refused_and_still_readable(void **state)
{
	const struct loop *loop = get_loop(state);

	loop_command("mkfs.ext4 -q %s", loop->node);
	assert_int_equal(mount(loop->node, mount_point, "ext4", MS_RDONLY, "noload"), 0);
	expect_refused(loop->node, mount_point);
	expect_opens(loop->node, TARGET_READ);
}

static void a_disk_with_a_mounted_partition_is_refused(void **state)
{
	const struct loop *loop = get_loop(state);
	char partition[80];

	snprintf(partition, sizeof(partition), "%sp1", loop->node);
	loop_command("addpart %s 1 2048 40960", loop->node);
	loop_command("mkfs.ext4 -q %s", partition);
	assert_int_equal(mount(partition, mount_point, "ext4", 0, NULL), 0);
	expect_refused(loop->node, "p1 is mounted at ");
	assert_int_equal(umount(mount_point), 0);
	expect_opens(partition, TARGET_WRITE);
	expect_opens(loop->node, TARGET_WRITE);
	loop_command("delpart %s 1", loop->node);
}

static void active_swap_is_refused(void **state)
{
	const struct loop *loop = get_loop(state);
	char line[128];

	loop_command("mkswap -q %s 2>/dev/null || mkswap %s > /dev/null", loop->node, loop->node);
	snprintf(line, sizeof(line), "swapon %s 2> /dev/null", loop->node);
	if (system(line)) {
		print_message("skipped: swap cannot be switched on here\n");
		skip();
	}
	expect_refused(loop->node, "active swap");
	loop_command("swapoff %s", loop->node);
}

static void a_read_only_device_is_refused_and_still_readable(void **state)
{
	struct loop *loop;

	(void)get_loop(state);
	loop = loop_new(1 << 20, NULL, true, 512);
	assert_non_null(loop);
	expect_refused(loop->node, "device is read-only (ro=1)");
	expect_opens(loop->node, TARGET_READ);
	loop_free(loop);
}

static void the_file_and_the_device_below_a_loop_device_are_refused(void **state)
{
	const struct loop *loop = get_loop(state);
	struct loop *above = loop_new(0, loop->node, false, 512);

	assert_non_null(above);
	expect_refused(loop->node, above->node);
	loop_command("mkfs.ext4 -q %s", above->node);
	assert_int_equal(mount(above->node, mount_point, "ext4", 0, NULL), 0);
	expect_refused(loop->node, above->node);
	loop_free(above);
}

static pid_t start_opener(const char *node, int flags)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves none behind */
		if (open(node, flags) >= 0 && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void stop_opener(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_second_writer_is_refused_with_the_pid_of_the_first(void **state)
{
	const struct loop *loop = get_loop(state);
	char words[64];
	pid_t pid;

	pid = start_opener(loop->node, O_RDWR | O_EXCL);
	snprintf(words, sizeof(words), "pid %d (test_open)", pid);
	expect_refused(loop->node, words);
	stop_opener(pid);
	pid = start_opener(loop->node, O_RDONLY | O_EXCL);
	snprintf(words, sizeof(words), "pid %d (test_open)", pid);
	expect_refused(loop->node, words);
	stop_opener(pid);
	expect_opens(loop->node, TARGET_WRITE);
}

static void an_open_writer_keeps_mounts_away(void **state)
{
	const struct loop *loop = get_loop(state);
	struct target *target;
	const char *word = loop->node;

	loop_command("mkfs.ext4 -q %s", loop->node);
	target = find(word);
	assert_int_equal(target_open(target, TARGET_WRITE, &word, 1, NULL), 0);
	assert_int_equal(mount(loop->node, mount_point, "ext4", 0, NULL), -1);
	assert_int_equal(errno, EBUSY);
	target_close(target);
}

static void a_recheck_sees_that_the_device_was_exchanged(void **state)
{
	const struct loop *loop = get_loop(state);
	struct loop *other = loop_new(1 << 20, NULL, false, 512);
	char link[] = "/var/tmp/ssdbench-link-XXXXXX";
	const char *word = link;
	struct error err = {0};
	struct target *target;

	assert_non_null(other);
	assert_non_null(mkdtemp(link));
	assert_int_equal(rmdir(link), 0);
	assert_int_equal(symlink(loop->node, link), 0);
	target = find(word);
	assert_int_equal(target_open(target, TARGET_WRITE, &word, 1, &err), 0);
	assert_int_equal(target_recheck(target, &err), 0);
	assert_int_equal(unlink(link), 0);
	assert_true(target_recheck(target, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	error_clear(&err);
	assert_int_equal(symlink(other->node, link), 0);
	assert_true(target_recheck(target, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_non_null(strstr(err.text, "than at the start"));
	assert_int_equal(unlink(link), 0);
	target_close(target);
	loop_free(other);
}

static void a_recheck_sees_a_loop_device_that_was_put_on_top(void **state)
{
	const struct loop *loop = get_loop(state);
	struct error err = {0};
	struct target *target;
	const char *word = loop->node;
	struct loop *above;

	target = find(word);
	assert_int_equal(target_open(target, TARGET_WRITE, &word, 1, &err), 0);
	above = loop_new(0, loop->node, false, 512);
	if (above) {
		assert_true(target_recheck(target, &err) < 0);
		assert_int_equal(err.kind, ERROR_REFUSED);
		loop_free(above);
	}
	target_close(target);
}

static void tiny_and_empty_devices_are_told_apart(void **state)
{
	struct target_options options = {0};
	struct loop *tiny, *empty;
	struct error err = {0};
	struct target *target;

	(void)get_loop(state);
	tiny = loop_new(4096, NULL, false, 4096);
	assert_non_null(tiny);
	target = find(tiny->node);
	assert_int_equal(target_facts(target)->capacity_bytes, 4096);
	assert_int_equal(target_facts(target)->logical_block_bytes, 4096);
	assert_int_equal(target_offset_alignment(target), 4096);
	target_close(target);
	loop_free(tiny);
	empty = loop_new(0, NULL, false, 512);
	assert_non_null(empty);
	assert_true(target_find(&target, empty->node, &options, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_non_null(strstr(err.text, "no capacity"));
	loop_free(empty);
}

static int make_mount_point(void **state)
{
	(void)state;
	return mkdtemp(mount_point) ? 0 : -1;
}

static int remove_mount_point(void **state)
{
	(void)state;
	return rmdir(mount_point);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_device_still_needs_consent),
		TEST(a_link_is_consent_for_what_it_leads_to),
		TEST(a_signature_is_named_until_consent_is_given),
		TEST(a_mounted_device_is_refused_and_still_readable),
		TEST(a_disk_with_a_mounted_partition_is_refused),
		TEST(active_swap_is_refused),
		TEST(a_read_only_device_is_refused_and_still_readable),
		TEST(the_file_and_the_device_below_a_loop_device_are_refused),
		TEST(a_second_writer_is_refused_with_the_pid_of_the_first),
		TEST(an_open_writer_keeps_mounts_away),
		TEST(a_recheck_sees_that_the_device_was_exchanged),
		TEST(a_recheck_sees_a_loop_device_that_was_put_on_top),
		TEST(tiny_and_empty_devices_are_told_apart),
	};
	return cmocka_run_group_tests(tests, make_mount_point, remove_mount_point);
}
