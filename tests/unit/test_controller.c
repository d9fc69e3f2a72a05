// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "target/controller.h"
#include "target/sysfs.h"

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

static void expect_both_ports(struct fixture *fixture)
{
	struct drive_controller *list;
	char disk[PATH_MAX];
	size_t nr;

	assert_int_equal(sysfs_block_by_name(&fixture->roots, "nvme1n1", disk), 0);
	assert_int_equal(controllers_find(disk, &list, &nr), 0);
	assert_int_equal(nr, 2);
	assert_string_equal(list[0].name, "nvme1");
	assert_string_equal(list[0].hidden_path, "nvme1c1n1");
	assert_string_equal(list[0].address, "0000:40:00.0");
	assert_string_equal(list[1].name, "nvme2");
	assert_string_equal(list[1].hidden_path, "nvme1c2n1");
	assert_string_equal(list[1].address, "0000:c0:00.0");
	controllers_free(list, nr);
}

static void both_controllers_of_a_dual_port_drive_are_found(void **state)
{
	fixture_dual_port(*state);
	expect_both_ports(*state);
}

/* Linux before 6.15 has no "multipath" directory. */
static void an_older_kernel_is_searched_by_nsid(void **state)
{
	static const char *const multipath =
		"sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1/multipath";
	char path[PATH_MAX];

	fixture_dual_port(*state);
	snprintf(path, sizeof(path), "%s/nvme1c1n1", multipath);
	fixture_remove(*state, path);
	snprintf(path, sizeof(path), "%s/nvme1c2n1", multipath);
	fixture_remove(*state, path);
	fixture_remove(*state, multipath);
	expect_both_ports(*state);
}

/* The digits say nvme5, the link says nvme0: the link is right. */
static void the_link_counts_and_not_the_number_in_the_name(void **state)
{
	struct fixture *fixture = *state;
	struct drive_controller *list;
	char disk[PATH_MAX];
	size_t nr;

	fixture_nvme(fixture, "nvme0", "nvme5n1", 1, "TESTSN0001");
	assert_int_equal(sysfs_block_by_name(&fixture->roots, "nvme5n1", disk), 0);
	assert_int_equal(controllers_find(disk, &list, &nr), 0);
	assert_int_equal(nr, 1);
	assert_string_equal(list[0].name, "nvme0");
	assert_null(list[0].hidden_path);
	controllers_free(list, nr);
}

static void a_loop_device_has_no_controller(void **state)
{
	struct fixture *fixture = *state;
	struct drive_controller *list;
	char disk[PATH_MAX];
	size_t nr = 9;

	fixture_disk(fixture, "sys/devices/virtual/block/loop0", 1, "2048\n");
	assert_int_equal(sysfs_block_by_name(&fixture->roots, "loop0", disk), 0);
	assert_int_equal(controllers_find(disk, &list, &nr), 0);
	assert_int_equal(nr, 0);
	controllers_free(list, nr);
}

static void a_hidden_path_leads_to_its_head(void **state)
{
	struct fixture *fixture = *state;
	char head[NAME_MAX + 1];

	fixture_dual_port(fixture);
	assert_int_equal(controller_head_of_path(&fixture->roots, "nvme1c2n1", head), 0);
	assert_string_equal(head, "nvme1n1");
	assert_int_equal(controller_head_of_path(&fixture->roots, "nvme9c9n9", head), -ENOENT);
}

static void a_controller_and_a_generic_node_lead_to_namespaces(void **state)
{
	struct fixture *fixture = *state;
	char dir[PATH_MAX], names[256];

	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_nvme(fixture, "nvme0", "nvme0n2", 2, "TESTSN0001");
	assert_int_equal(sysfs_resolve(fixture->sys, "class/nvme/nvme0", dir), 0);
	assert_int_equal(controller_namespaces(&fixture->roots, dir, names, sizeof(names)), 0);
	assert_string_equal(names, "nvme0n1, nvme0n2");
	strcat(dir, "/ng0n2");
	assert_int_equal(controller_namespaces(&fixture->roots, dir, names, sizeof(names)), 0);
	assert_string_equal(names, "nvme0n2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_controllers_of_a_dual_port_drive_are_found,
						setup, teardown),
		cmocka_unit_test_setup_teardown(an_older_kernel_is_searched_by_nsid, setup,
						teardown),
		cmocka_unit_test_setup_teardown(the_link_counts_and_not_the_number_in_the_name,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_loop_device_has_no_controller, setup, teardown),
		cmocka_unit_test_setup_teardown(a_hidden_path_leads_to_its_head, setup, teardown),
		cmocka_unit_test_setup_teardown(a_controller_and_a_generic_node_lead_to_namespaces,
						setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
