// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "target/facts.h"
#include "target/sysfs.h"

#define NVME0N1 "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1"

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

static struct drive_facts *read_facts(struct fixture *fixture, const char *name)
{
	struct drive_facts *facts;
	char dir[PATH_MAX];

	assert_int_equal(sysfs_block_by_name(&fixture->roots, name, dir), 0);
	assert_int_equal(facts_read_block(&facts, dir, name, name), 0);
	return facts;
}

static const char *gap_reason(const struct drive_facts *facts, const char *key)
{
	for (size_t i = 0; i < facts->nr_gaps; i++)
		if (!strcmp(facts->gap[i].key, key))
			return facts->gap[i].reason;
	return NULL;
}

static void size_is_in_sectors_and_nuse_in_logical_blocks(void **state)
{
	struct drive_facts *facts;

	fixture_nvme(*state, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_write(*state, NVME0N1 "/size", "978143920\n");
	fixture_write(*state, NVME0N1 "/queue/logical_block_size", "4096\n");
	fixture_write(*state, NVME0N1 "/nuse", "122267990\n");
	facts = read_facts(*state, "nvme0n1");
	assert_int_equal(facts->capacity_bytes, 500809687040);
	assert_int_equal(facts->logical_block_bytes, 4096);
	assert_int_equal(facts->nuse_blocks, 122267990);
	assert_int_equal(facts->nsze_blocks, 122267990);
	drive_facts_free(facts);
}

static void every_fact_of_a_plain_drive_is_read(void **state)
{
	struct drive_facts *facts;

	fixture_nvme(*state, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_write(*state, NVME0N1 "/queue/minimum_io_size", "16384\n");
	fixture_write(*state, NVME0N1 "/queue/optimal_io_size", "131072\n");
	facts = read_facts(*state, "nvme0n1");
	assert_string_equal(facts->name, "nvme0n1");
	assert_string_equal(facts->disk, "nvme0n1");
	assert_string_equal(facts->model, "ACME 3.2TB NVMe U.2 SSD");
	assert_string_equal(facts->serial, "TESTSN0001");
	assert_string_equal(facts->firmware, "TESTFW01");
	assert_string_equal(facts->wwid, "eui.0000000000000001a1b2c30000000001");
	assert_int_equal(facts->nsid, 1);
	assert_int_equal(facts->major, FIXTURE_MAJOR);
	assert_int_equal(facts->minor, 1);
	assert_int_equal(facts->physical_block_bytes, 4096);
	assert_int_equal(facts->indirection_unit_bytes, 16384);
	assert_int_equal(facts->optimal_io_bytes, 131072);
	assert_int_equal(facts->max_sectors_bytes, 128 * 1024);
	assert_int_equal(facts->max_hw_sectors_bytes, 2048 * 1024);
	assert_int_equal(facts->nr_requests, 1023);
	assert_string_equal(facts->scheduler, "none");
	assert_string_equal(facts->write_cache, "write back");
	assert_string_equal(facts->zoned, "none");
	assert_int_equal(facts->numa_node, 0);
	assert_true(facts->io_poll);
	assert_false(facts->rotational);
	assert_false(facts->read_only);
	assert_false(facts->ram_backed);
	assert_false(facts->is_partition);
	assert_int_equal(facts->nr_controllers, 1);
	assert_int_equal(facts->nr_gaps, 0);
	drive_facts_free(facts);
}

static void capacity_comes_from_the_size_whatever_the_model_says(void **state)
{
	struct drive_facts *facts;

	fixture_dual_port(*state);
	facts = read_facts(*state, "nvme1n1");
	assert_int_equal(facts->capacity_bytes, 5751791616);
	assert_string_equal(facts->model, "ACME 3.2TB NVMe U.2 SSD");
	assert_string_equal(facts->serial, "TESTSN0007");
	assert_int_equal(facts->nr_controllers, 2);
	assert_int_equal(facts->numa_node, 0);
	drive_facts_free(facts);
}

static void namespaces_of_one_serial_differ_by_nsid_and_wwid(void **state)
{
	struct drive_facts *one, *two;

	fixture_nvme(*state, "nvme0", "nvme0n1", 1, "TESTSN0010");
	fixture_nvme(*state, "nvme0", "nvme0n2", 2, "TESTSN0010");
	fixture_write(*state, "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n2/nsid", "2\n");
	fixture_write(*state, "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n2/wwid",
		      "eui.0000000000000001a1b2c30000000002\n");
	one = read_facts(*state, "nvme0n1");
	two = read_facts(*state, "nvme0n2");
	assert_string_equal(one->serial, two->serial);
	assert_int_equal(one->nsid, 1);
	assert_int_equal(two->nsid, 2);
	assert_string_not_equal(one->wwid, two->wwid);
	drive_facts_free(one);
	drive_facts_free(two);
}

static void metadata_stands_beside_the_data_bytes(void **state)
{
	struct drive_facts *facts;
	char *why;

	fixture_nvme(*state, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_write(*state, NVME0N1 "/queue/logical_block_size", "4096\n");
	fixture_write(*state, NVME0N1 "/metadata_bytes", "8\n");
	fixture_write(*state, NVME0N1 "/integrity/format", "T10-DIF-TYPE1-CRC\n");
	facts = read_facts(*state, "nvme0n1");
	assert_int_equal(facts->logical_block_bytes, 4096);
	assert_int_equal(facts->metadata_bytes, 8);
	assert_int_equal(facts_unfit(facts, &why), 0);
	assert_null(why);
	drive_facts_free(facts);

	/* What the kernel makes of a format that its block layer cannot carry. */
	fixture_write(*state, NVME0N1 "/size", "0\n");
	facts = read_facts(*state, "nvme0n1");
	assert_int_equal(facts_unfit(facts, &why), 0);
	assert_non_null(strstr(why, "4096+8"));
	free(why);
	drive_facts_free(facts);
}

static void no_capacity_and_zones_make_a_drive_unfit(void **state)
{
	struct drive_facts *facts;
	char *why;

	fixture_nvme(*state, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_write(*state, NVME0N1 "/queue/zoned", "host-managed\n");
	facts = read_facts(*state, "nvme0n1");
	assert_int_equal(facts_unfit(facts, &why), 0);
	assert_string_equal(why, "host-managed zoned: not supported");
	free(why);
	drive_facts_free(facts);

	fixture_write(*state, NVME0N1 "/queue/zoned", "none\n");
	fixture_write(*state, NVME0N1 "/size", "0\n");
	facts = read_facts(*state, "nvme0n1");
	assert_int_equal(facts_unfit(facts, &why), 0);
	assert_string_equal(why, "no capacity (namespace not attached or drive failed)");
	free(why);
	drive_facts_free(facts);
}

static void numa_node_minus_one_stays_unknown(void **state)
{
	struct drive_facts *facts;

	fixture_nvme(*state, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_write(*state, "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/numa_node", "-1\n");
	facts = read_facts(*state, "nvme0n1");
	assert_int_equal(facts->numa_node, -1);
	assert_non_null(gap_reason(facts, "numa_node"));
	drive_facts_free(facts);
}

static void ports_on_two_nodes_have_no_common_one(void **state)
{
	struct drive_facts *facts;

	fixture_dual_port(*state);
	fixture_write(*state, "sys/devices/pci0000:c0/0000:c0:00.0/nvme/nvme2/numa_node", "1\n");
	facts = read_facts(*state, "nvme1n1");
	assert_int_equal(facts->numa_node, -1);
	drive_facts_free(facts);
}

static void bytes_that_are_not_utf8_are_replaced_and_kept_as_hex(void **state)
{
	static const char raw[] = "TESTDRIVE\xFF\xFE                             \n";
	struct drive_facts *facts;

	fixture_nvme(*state, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_write(*state, "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/model", raw);
	facts = read_facts(*state, "nvme0n1");
	assert_string_equal(facts->model, "TESTDRIVE\xEF\xBF\xBD\xEF\xBF\xBD");
	assert_non_null(strstr(gap_reason(facts, "model"), "544553544452495645fffe"));
	drive_facts_free(facts);
}

static void what_is_not_there_is_a_gap_with_its_reason(void **state)
{
	struct drive_facts *facts;

	fixture_nvme(*state, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_remove(*state, "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/firmware_rev");
	fixture_remove(*state, NVME0N1 "/queue/max_sectors_kb");
	fixture_write(*state, "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/serial", "    \n");
	fixture_write(*state, NVME0N1 "/nsid", "many\n");
	facts = read_facts(*state, "nvme0n1");
	assert_null(facts->firmware);
	assert_string_equal(gap_reason(facts, "firmware"), "not in sysfs (device/firmware_rev)");
	assert_int_equal(facts->max_sectors_bytes, 0);
	assert_non_null(gap_reason(facts, "max_sectors_bytes"));
	assert_null(facts->serial);
	assert_string_equal(gap_reason(facts, "serial"), "device/serial is empty");
	assert_int_equal(facts->nsid, 0);
	assert_non_null(gap_reason(facts, "nsid"));
	drive_facts_free(facts);
}

static void a_loop_device_says_that_it_has_no_serial(void **state)
{
	struct drive_facts *facts;

	fixture_disk(*state, "sys/devices/virtual/block/loop0", 1, "131088\n");
	fixture_disk(*state, "sys/devices/virtual/block/zram0", 2, "2048\n");
	facts = read_facts(*state, "loop0");
	assert_string_equal(facts->model, "loop");
	assert_string_equal(gap_reason(facts, "serial"), "a loop device has none");
	assert_int_equal(facts->capacity_bytes, 67117056);
	assert_false(facts->ram_backed);
	drive_facts_free(facts);
	facts = read_facts(*state, "zram0");
	assert_string_equal(facts->model, "zram");
	assert_true(facts->ram_backed);
	drive_facts_free(facts);
}

static void a_partition_has_its_own_extent_and_the_drive_s_identity(void **state)
{
	struct fixture *fixture = *state;
	struct drive_facts *facts;
	char dir[PATH_MAX];

	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_partition(fixture, NVME0N1 "/nvme0n1p1", 2, "2048\n", "40960\n");
	assert_int_equal(sysfs_resolve(fixture->sys, "dev/block/60:2", dir), 0);
	assert_int_equal(facts_read_block(&facts, dir, "p", "p"), 0);
	assert_true(facts->is_partition);
	assert_string_equal(facts->name, "nvme0n1p1");
	assert_string_equal(facts->disk, "nvme0n1");
	assert_int_equal(facts->partition_start_bytes, 2048 * 512);
	assert_int_equal(facts->capacity_bytes, 40960 * 512);
	assert_string_equal(facts->serial, "TESTSN0001");
	assert_int_equal(facts->nsze_blocks, 978143920);
	drive_facts_free(facts);
}

static void a_device_without_a_size_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct drive_facts *facts;
	char dir[PATH_MAX];

	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_remove(fixture, NVME0N1 "/size");
	assert_int_equal(sysfs_block_by_name(&fixture->roots, "nvme0n1", dir), 0);
	assert_int_equal(facts_read_block(&facts, dir, "x", "x"), -ENOENT);
}

static void virtual_kinds_are_told_by_their_whole_name(void **state)
{
	(void)state;
	assert_string_equal(facts_virtual_kind("loop12"), "loop");
	assert_string_equal(facts_virtual_kind("zram0"), "zram");
	assert_string_equal(facts_virtual_kind("ram15"), "ram");
	assert_null(facts_virtual_kind("nvme0n1"));
	assert_null(facts_virtual_kind("rampage"));
}

static void an_imagined_drive_has_a_capacity_and_gaps(void **state)
{
	struct drive_facts *facts = drive_facts_imagine(245760000000000);

	(void)state;
	assert_int_equal(facts->capacity_bytes, 245760000000000);
	assert_int_equal(facts->logical_block_bytes, 512);
	assert_int_equal(facts->numa_node, -1);
	assert_null(facts->serial);
	assert_non_null(gap_reason(facts, "serial"));
	drive_facts_free(facts);
	drive_facts_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(size_is_in_sectors_and_nuse_in_logical_blocks),
		TEST(every_fact_of_a_plain_drive_is_read),
		TEST(capacity_comes_from_the_size_whatever_the_model_says),
		TEST(namespaces_of_one_serial_differ_by_nsid_and_wwid),
		TEST(metadata_stands_beside_the_data_bytes),
		TEST(no_capacity_and_zones_make_a_drive_unfit),
		TEST(numa_node_minus_one_stays_unknown),
		TEST(ports_on_two_nodes_have_no_common_one),
		TEST(bytes_that_are_not_utf8_are_replaced_and_kept_as_hex),
		TEST(what_is_not_there_is_a_gap_with_its_reason),
		TEST(a_loop_device_says_that_it_has_no_serial),
		TEST(a_partition_has_its_own_extent_and_the_drive_s_identity),
		TEST(a_device_without_a_size_is_an_error),
		TEST(virtual_kinds_are_told_by_their_whole_name),
		TEST(an_imagined_drive_has_a_capacity_and_gaps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
