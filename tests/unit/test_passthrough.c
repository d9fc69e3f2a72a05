// SPDX-License-Identifier: MIT
/* Which targets NVMe commands can be passed to, by what sysfs tells. Opening is tested on real controllers. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

static void plain_drive(struct fixture *fixture)
{
	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_node(fixture, "nvme0n1", S_IFBLK, 1);
}

/* A generic node below @parent; the class's directory need not be there. */
static void generic_node(struct fixture *fixture, const char *parent, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/dev", parent, name);
	fixture_write(fixture, path, "60:9\n");
	fixture_write(fixture, "sys/class/nvme-generic/.keep", "");
	snprintf(path, sizeof(path), "%s/%s/subsystem", parent, name);
	fixture_link(fixture, path, "sys/class/nvme-generic");
}

static int check(struct fixture *fixture, const char *word, struct error *err)
{
	const struct target_options options = {.roots = &fixture->roots, .allow_partition = true};
	struct target *target;
	int ret;

	if (target_find(&target, word, &options, err))
		fail_msg("%s", err->text);
	ret = target_check_passthrough(target, err);
	assert_null(target_passthrough(target));
	target_close(target);
	return ret;
}

static void refuses(struct fixture *fixture, const char *word, int code, enum error_kind kind,
		    const char *part)
{
	struct error err = {0};

	assert_int_equal(check(fixture, word, &err), code);
	assert_int_equal(err.kind, kind);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void a_namespace_with_a_generic_node_of_any_number_will_do(void **state)
{
	struct error err = {0};

	plain_drive(*state);
	generic_node(*state, NVME0, "ng3n7");
	assert_int_equal(check(*state, fixture_path(*state, "dev/nvme0n1"), &err), 0);
	assert_int_equal(err.kind, ERROR_NONE);
}

static void a_namespace_without_generic_nodes_is_an_old_kernels(void **state)
{
	plain_drive(*state);
	refuses(*state, fixture_path(*state, "dev/nvme0n1"), -ENOENT, ERROR_HARNESS, "Linux 5.19");
}

static void what_is_no_namespace_is_told_another_engine(void **state)
{
	struct fixture *fixture = *state;
	char text[8193] = "";

	fixture_disk(fixture, "sys/devices/virtual/block/sda", 3, "2048\n");
	fixture_node(fixture, "sda", S_IFBLK, 3);
	memset(text, 'x', sizeof(text) - 1);
	fixture_write(fixture, "file", text);
	refuses(fixture, fixture_path(fixture, "dev/sda"), -EINVAL, ERROR_USAGE,
		"use another engine");
	refuses(fixture, fixture_path(fixture, "file"), -EINVAL, ERROR_USAGE, "use another engine");
	refuses(fixture, "scratch:64KiB", -EINVAL, ERROR_USAGE, "use another engine");
}

/* Its engine is null whatever was asked for. */
static void a_null_target_has_nothing_to_pass_through(void **state)
{
	struct error err = {0};

	assert_int_equal(check(*state, "null:1GiB", &err), 0);
}

static void a_partition_would_not_bound_commands(void **state)
{
	plain_drive(*state);
	generic_node(*state, NVME0, "ng0n1");
	fixture_partition(*state, NVME0N1 "/nvme0n1p1", 2, "2048\n", "40960\n");
	fixture_node(*state, "nvme0n1p1", S_IFBLK, 2);
	refuses(*state, fixture_path(*state, "dev/nvme0n1p1"), -EINVAL, ERROR_USAGE,
		"the whole of nvme0n1");
}

static void metadata_is_not_carried(void **state)
{
	plain_drive(*state);
	generic_node(*state, NVME0, "ng0n1");
	fixture_write(*state, NVME0N1 "/metadata_bytes", "8\n");
	refuses(*state, fixture_path(*state, "dev/nvme0n1"), -EINVAL, ERROR_USAGE,
		"metadata (8 bytes");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_namespace_with_a_generic_node_of_any_number_will_do),
		TEST(a_namespace_without_generic_nodes_is_an_old_kernels),
		TEST(what_is_no_namespace_is_told_another_engine),
		TEST(a_null_target_has_nothing_to_pass_through),
		TEST(a_partition_would_not_bound_commands),
		TEST(metadata_is_not_carried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
