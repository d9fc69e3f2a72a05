// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "fixture.h"
#include "target/link.h"

#define PCI  "sys/devices/pci0000:00/0000:01:00.0"
#define CTRL PCI "/nvme/nvme0"

static int setup(void **state)
{
	struct fixture *fixture = fixture_new();

	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_link(fixture, CTRL "/device", PCI);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	fixture_free(*state);
	return 0;
}

static struct pcie_link read_link(struct fixture *fixture, const char *speed, const char *width,
				  const char *max_speed, const char *max_width, bool dual_port)
{
	struct pcie_link link;

	fixture_write(fixture, PCI "/current_link_speed", speed);
	fixture_write(fixture, PCI "/current_link_width", width);
	fixture_write(fixture, PCI "/max_link_speed", max_speed);
	fixture_write(fixture, PCI "/max_link_width", max_width);
	link_read(&link, fixture_path(fixture, CTRL));
	link_judge(&link, dual_port);
	return link;
}

static void a_slower_link_than_the_drives_is_seen(void **state)
{
	const struct pcie_link link =
		read_link(*state, "16.0 GT/s PCIe\n", "4\n", "32.0 GT/s PCIe\n", "4\n", false);

	assert_int_equal(link.speed_mt_per_s, 16000);
	assert_int_equal(link.max_speed_mt_per_s, 32000);
	assert_int_equal(link.width, 4);
	assert_int_equal(link.max_width, 4);
	assert_true(link.slow);
	assert_false(link.narrow);
}

static void equal_links_have_no_fault(void **state)
{
	const struct pcie_link link =
		read_link(*state, "32.0 GT/s PCIe\n", "4\n", "32.0 GT/s PCIe\n", "4\n", false);

	assert_false(link.slow);
	assert_false(link.narrow);
}

static void half_the_lanes_are_a_fault_but_on_a_dual_port_drive(void **state)
{
	struct pcie_link link =
		read_link(*state, "8.0 GT/s PCIe\n", "2\n", "8.0 GT/s PCIe\n", "4\n", false);

	assert_true(link.narrow);
	link_judge(&link, true);
	assert_false(link.narrow);
	link.width = 1;
	link_judge(&link, true);
	assert_true(link.narrow);
}

static void old_kernels_and_odd_speeds_are_read(void **state)
{
	const struct pcie_link link =
		read_link(*state, "2.5 GT/s\n", "1\n", "8 GT/s\n", "1\n", false);

	assert_int_equal(link.speed_mt_per_s, 2500);
	assert_int_equal(link.max_speed_mt_per_s, 8000);
}

static void what_the_kernel_does_not_know_is_unknown(void **state)
{
	const struct pcie_link link =
		read_link(*state, "Unknown\n", "63\n", "Unknown speed\n", "255\n", false);

	assert_int_equal(link.speed_mt_per_s, 0);
	assert_int_equal(link.width, 0);
	assert_int_equal(link.max_speed_mt_per_s, 0);
	assert_int_equal(link.max_width, 0);
	assert_false(link.slow);
	assert_false(link.narrow);
}

static void a_virtual_machine_without_the_files_has_no_link(void **state)
{
	struct fixture *fixture = *state;
	struct pcie_link link;

	link_read(&link, fixture_path(fixture, CTRL));
	assert_int_equal(link.speed_mt_per_s, 0);
	assert_int_equal(link.max_width, 0);
}

static uint32_t page_bytes(struct fixture *fixture, uint32_t high)
{
	uint32_t registers[1024] = {0x3fff, high};

	fixture_write_bytes(fixture, PCI "/resource0", registers, sizeof(registers));
	return controller_page_bytes(fixture_path(fixture, CTRL));
}

static void the_page_is_read_from_the_registers(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(controller_page_bytes(fixture_path(fixture, CTRL)), 0);
	assert_int_equal(page_bytes(fixture, 0x00400030), 4096);
	assert_int_equal(page_bytes(fixture, 0x00410030), 8192);
	assert_int_equal(page_bytes(fixture, UINT32_MAX), 0); /* pulled */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_slower_link_than_the_drives_is_seen),
		TEST(equal_links_have_no_fault),
		TEST(half_the_lanes_are_a_fault_but_on_a_dual_port_drive),
		TEST(old_kernels_and_odd_speeds_are_read),
		TEST(what_the_kernel_does_not_know_is_unknown),
		TEST(a_virtual_machine_without_the_files_has_no_link),
		TEST(the_page_is_read_from_the_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
