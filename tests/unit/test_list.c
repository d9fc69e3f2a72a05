// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "ssdbench/target.h"

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

static void disks_come_in_order_without_hidden_and_empty_ones(void **state)
{
	struct fixture *fixture = *state;
	struct drive_entry *entries;
	size_t nr;

	fixture_nvme(fixture, "nvme10", "nvme10n1", 1, "TESTSN0010");
	fixture_nvme(fixture, "nvme3", "nvme3n1", 2, "TESTSN0003");
	fixture_dual_port(fixture);
	fixture_disk(fixture, "sys/devices/virtual/block/loop0", 3, "0\n");
	fixture_disk(fixture, "sys/devices/virtual/block/loop1", 4, "2048\n");
	fixture_disk(fixture, "sys/devices/virtual/block/zram0", 5, "0\n");
	assert_int_equal(drives_list(&entries, &nr, &fixture->roots, NULL), 0);
	assert_int_equal(nr, 4);
	assert_string_equal(entries[0].facts->name, "loop1");
	assert_string_equal(entries[1].facts->name, "nvme1n1");
	assert_int_equal(entries[1].facts->nr_controllers, 2);
	assert_string_equal(entries[2].facts->name, "nvme3n1");
	assert_string_equal(entries[3].facts->name, "nvme10n1");
	assert_string_equal(entries[3].facts->path, fixture_path(fixture, "dev/nvme10n1"));
	for (size_t i = 0; i < nr; i++)
		assert_null(entries[i].why_not);
	drives_list_free(entries, nr);
}

static void each_disk_says_why_it_is_no_target(void **state)
{
	struct fixture *fixture = *state;
	struct drive_entry *entries;
	size_t nr;

	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_nvme(fixture, "nvme0", "nvme0n2", 2, "TESTSN0001");
	fixture_nvme(fixture, "nvme0", "nvme0n3", 3, "TESTSN0001");
	fixture_write(fixture, "proc/self/mountinfo", "27 1 60:1 / / rw - ext4 /dev/root rw\n");
	fixture_write(fixture, "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n2/ro", "1\n");
	fixture_write(fixture, "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n3/size",
		      "0\n");
	assert_int_equal(drives_list(&entries, &nr, &fixture->roots, NULL), 0);
	assert_int_equal(nr, 3);
	assert_string_equal(entries[0].why_not, "nvme0n1 is mounted at /; unmount it first");
	assert_string_equal(entries[1].why_not, "read-only (ro=1)");
	assert_string_equal(entries[2].why_not,
			    "no capacity (namespace not attached or drive failed)");
	drives_list_free(entries, nr);
}

static void a_machine_without_sysfs_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct drive_entry *entries;
	struct error err = {0};
	size_t nr;

	fixture_remove(fixture, "sys/block");
	assert_int_equal(drives_list(&entries, &nr, &fixture->roots, &err), -ENOENT);
	assert_int_equal(err.kind, ERROR_HARNESS);
	assert_non_null(strstr(err.text, "sys/block"));
}

static void this_machine_can_be_listed(void **state)
{
	struct drive_entry *entries;
	struct error err = {0};
	size_t nr;

	(void)state;
	assert_int_equal(drives_list(&entries, &nr, &target_roots_default, &err), 0);
	for (size_t i = 0; i < nr; i++)
		print_message("%s: %s\n", entries[i].facts->name,
			      entries[i].why_not ? entries[i].why_not : "free");
	drives_list_free(entries, nr);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(disks_come_in_order_without_hidden_and_empty_ones),
		TEST(each_disk_says_why_it_is_no_target),
		TEST(a_machine_without_sysfs_is_an_error),
		TEST(this_machine_can_be_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
