// SPDX-License-Identifier: MIT
/* What uses a target, told from trees; test_open.c asks the kernel itself. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "target/inuse.h"
#include "target/sysfs.h"

#define DISK "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1"

static int setup(void **state)
{
	fixture_nvme((*state = fixture_new()), "nvme0", "nvme0n1", 1, "TESTSN0001");
	return 0;
}

static int teardown(void **state)
{
	fixture_free(*state);
	return 0;
}

static int look(struct fixture *fixture, const char *entry, char **why)
{
	struct footprint footprint;
	char dir[PATH_MAX];
	int ret;

	assert_int_equal(sysfs_resolve(fixture->sys, entry, dir), 0);
	assert_int_equal(footprint_of_block(&footprint, &fixture->roots, dir), 0);
	ret = inuse_find(why, &fixture->roots, &footprint);
	footprint_fini(&footprint);
	return ret;
}

static void expect_free(struct fixture *fixture, const char *entry)
{
	char *why;

	assert_int_equal(look(fixture, entry, &why), 0);
	assert_null(why);
}

static void expect_used(struct fixture *fixture, const char *entry, const char *sentence)
{
	char *why;

	assert_int_equal(look(fixture, entry, &why), 1);
	assert_string_equal(why, sentence);
	free(why);
}

static void an_idle_drive_is_free(void **state)
{
	expect_free(*state, "block/nvme0n1");
}

static void a_mounted_disk_is_used(void **state)
{
	fixture_write(*state, "proc/self/mountinfo",
		      "27 1 60:1 / /mnt/a\\040b rw,relatime - ext4 /dev/anything rw\n");
	expect_used(*state, "block/nvme0n1", "nvme0n1 is mounted at /mnt/a b; unmount it first");
}

static void a_mounted_partition_makes_the_disk_used(void **state)
{
	fixture_partition(*state, DISK "/nvme0n1p1", 2, "2048\n", "40960\n");
	fixture_partition(*state, DISK "/nvme0n1p2", 3, "43008\n", "40960\n");
	fixture_write(*state, "proc/self/mountinfo",
		      "27 1 60:3 / /mnt rw,relatime - ext4 /dev/nvme0n1p2 rw\n");
	expect_used(*state, "block/nvme0n1", "nvme0n1p2 is mounted at /mnt; unmount it first");
	expect_used(*state, "dev/block/60:3", "nvme0n1p2 is mounted at /mnt; unmount it first");
	/* The partition beside it has no byte of what is mounted. */
	expect_free(*state, "dev/block/60:2");
}

static void a_mounted_disk_makes_its_partition_used(void **state)
{
	fixture_partition(*state, DISK "/nvme0n1p1", 2, "2048\n", "40960\n");
	fixture_write(*state, "proc/self/mountinfo",
		      "27 1 60:1 / /mnt rw,relatime - ext4 /dev/nvme0n1 rw\n");
	expect_used(*state, "dev/block/60:2", "nvme0n1 is mounted at /mnt; unmount it first");
}

/* btrfs has a device number of its own; its source tells. */
static void the_source_of_a_mount_counts_too(void **state)
{
	char line[PATH_MAX];

	fixture_node(*state, "nvme0n1", S_IFBLK, 1);
	snprintf(line, sizeof(line), "27 1 0:45 /@ /data rw - btrfs %s rw\n",
		 fixture_path(*state, "dev/nvme0n1"));
	fixture_write(*state, "proc/self/mountinfo", line);
	expect_used(*state, "block/nvme0n1", "nvme0n1 is mounted at /data; unmount it first");
}

static void a_mount_that_only_another_process_sees_counts(void **state)
{
	fixture_write(*state, "proc/4711/comm", "containerd\n");
	fixture_write(*state, "proc/4711/mountinfo",
		      "27 1 60:1 / /inside rw,relatime - xfs /dev/nvme0n1 rw\n");
	expect_used(*state, "block/nvme0n1",
		    "nvme0n1 is mounted at /inside in the mount namespace of pid 4711 "
		    "(containerd); unmount it first");
}

static void an_unreadable_mount_table_is_no_permission(void **state)
{
	char *why;

	fixture_remove(*state, "proc/self/mountinfo");
	assert_true(look(*state, "block/nvme0n1", &why) < 0);
	assert_non_null(strstr(why, "cannot tell what is mounted"));
	free(why);
}

static void active_swap_is_used(void **state)
{
	char line[PATH_MAX + 128], sentence[PATH_MAX + 128];

	fixture_node(*state, "nvme0n1", S_IFBLK, 1);
	snprintf(line, sizeof(line),
		 "Filename\tType\tSize\tUsed\tPriority\n%s partition\t65532\t0\t-2\n",
		 fixture_path(*state, "dev/nvme0n1"));
	fixture_write(*state, "proc/swaps", line);
	snprintf(sentence, sizeof(sentence), "nvme0n1 is active swap; swapoff %s first",
		 fixture_path(*state, "dev/nvme0n1"));
	expect_used(*state, "block/nvme0n1", sentence);
}

static void a_kernel_without_swap_is_no_error(void **state)
{
	fixture_remove(*state, "proc/swaps");
	expect_free(*state, "block/nvme0n1");
}

static void a_holder_is_named_with_its_own_name(void **state)
{
	char uuid[80], sentence[256];

	fixture_disk(*state, "sys/devices/virtual/block/dm-0", 9, "2048\n");
	fixture_write(*state, "sys/devices/virtual/block/dm-0/dm/name", "vg_test-lv_data\n");
	snprintf(uuid, sizeof(uuid), "LVM-%064d", 7);
	fixture_write(*state, "sys/devices/virtual/block/dm-0/dm/uuid", uuid);
	fixture_link(*state, DISK "/holders/dm-0", "sys/devices/virtual/block/dm-0");
	snprintf(sentence, sizeof(sentence),
		 "nvme0n1 is held by dm-0 vg_test-lv_data (%s); remove that first", uuid);
	expect_used(*state, "block/nvme0n1", sentence);
}

static void a_holder_of_a_partition_counts(void **state)
{
	fixture_partition(*state, DISK "/nvme0n1p1", 2, "2048\n", "40960\n");
	fixture_disk(*state, "sys/devices/virtual/block/md0", 9, "2048\n");
	fixture_link(*state, DISK "/nvme0n1p1/holders/md0", "sys/devices/virtual/block/md0");
	expect_used(*state, "block/nvme0n1", "nvme0n1p1 is held by md0; remove that first");
}

static void add_loop(struct fixture *fixture, const char *name, unsigned int minor,
		     const char *base)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "sys/devices/virtual/block/%s", name);
	fixture_disk(fixture, path, minor, "2048\n");
	snprintf(path, sizeof(path), "sys/devices/virtual/block/%s/loop/backing_file", name);
	fixture_write(fixture, path, fixture_path(fixture, base));
}

static void the_base_of_a_loop_device_is_used(void **state)
{
	char sentence[PATH_MAX];

	fixture_node(*state, "nvme0n1", S_IFBLK, 1);
	add_loop(*state, "loop3", 33, "dev/nvme0n1");
	snprintf(sentence, sizeof(sentence),
		 "nvme0n1 is the base of the loop device %s; detach it first (losetup -d %s)",
		 fixture_path(*state, "dev/loop3"), fixture_path(*state, "dev/loop3"));
	expect_used(*state, "block/nvme0n1", sentence);
	/* The loop device itself is what stands on top: free. */
	expect_free(*state, "block/loop3");
}

/* Writing to the loop device writes to the mounted disk below it. */
static void a_loop_device_on_a_mounted_disk_is_used(void **state)
{
	fixture_node(*state, "nvme0n1", S_IFBLK, 1);
	add_loop(*state, "loop3", 33, "dev/nvme0n1");
	fixture_write(*state, "proc/self/mountinfo",
		      "27 1 60:1 / /mnt rw,relatime - ext4 /dev/nvme0n1 rw\n");
	expect_used(*state, "block/loop3", "nvme0n1 is mounted at /mnt; unmount it first");
}

static void two_loop_devices_on_one_file_are_one_target(void **state)
{
	char *why;

	fixture_write(*state, "image", "x");
	add_loop(*state, "loop3", 33, "image");
	expect_free(*state, "block/loop3");
	add_loop(*state, "loop4", 34, "image");
	assert_int_equal(look(*state, "block/loop3", &why), 1);
	assert_non_null(strstr(why, "image is the base of the loop device"));
	assert_non_null(strstr(why, "loop4"));
	free(why);
}

static void loops_in_a_circle_end(void **state)
{
	struct fixture *fixture = *state;
	struct footprint footprint;
	char dir[PATH_MAX];

	fixture_node(fixture, "loop3", S_IFBLK, 33);
	add_loop(fixture, "loop3", 33, "dev/loop3");
	assert_int_equal(sysfs_block_by_name(&fixture->roots, "loop3", dir), 0);
	assert_true(footprint_of_block(&footprint, &fixture->roots, dir) < 0);
	footprint_fini(&footprint);
}

static void a_process_that_writes_is_named_and_a_reader_is_not(void **state)
{
	fixture_node(*state, "nvme0n1", S_IFBLK, 1);
	fixture_write(*state, "proc/4711/comm", "qemu-system-x86\n");
	fixture_link(*state, "proc/4711/fd/9", "dev/nvme0n1");
	fixture_write(*state, "proc/4711/fdinfo/9", "pos:\t0\nflags:\t0140000\nmnt_id:\t24\n");
	expect_free(*state, "block/nvme0n1");
	fixture_write(*state, "proc/4711/fdinfo/9", "pos:\t0\nflags:\t0140002\nmnt_id:\t24\n");
	expect_used(*state, "block/nvme0n1",
		    "nvme0n1 is open for writing by pid 4711 (qemu-system-x86)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_idle_drive_is_free),
		TEST(a_mounted_disk_is_used),
		TEST(a_mounted_partition_makes_the_disk_used),
		TEST(a_mounted_disk_makes_its_partition_used),
		TEST(the_source_of_a_mount_counts_too),
		TEST(a_mount_that_only_another_process_sees_counts),
		TEST(an_unreadable_mount_table_is_no_permission),
		TEST(active_swap_is_used),
		TEST(a_kernel_without_swap_is_no_error),
		TEST(a_holder_is_named_with_its_own_name),
		TEST(a_holder_of_a_partition_counts),
		TEST(the_base_of_a_loop_device_is_used),
		TEST(a_loop_device_on_a_mounted_disk_is_used),
		TEST(two_loop_devices_on_one_file_are_one_target),
		TEST(loops_in_a_circle_end),
		TEST(a_process_that_writes_is_named_and_a_reader_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
