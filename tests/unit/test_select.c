// SPDX-License-Identifier: MIT
/* Drives named by serial number or wwid: the right one, whatever its node is called today. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "fixture.h"
#include "ssdbench/target.h"

#define NVME "sys/devices/pci0000:00/0000:01:00.0/nvme/"

/*
 * nvme0n1 and nvme1n1 are two plain drives; nvme5 has two namespaces of different size; nvme6 and nvme7 both have
 * the serial number 1.
 */
static int setup(void **state)
{
	struct fixture *fixture = fixture_new();

	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_nvme(fixture, "nvme1", "nvme1n1", 2, "TESTSN0002");
	fixture_nvme(fixture, "nvme5", "nvme5n1", 51, "TESTSN0010");
	fixture_nvme(fixture, "nvme5", "nvme5n2", 52, "TESTSN0010");
	fixture_nvme(fixture, "nvme6", "nvme6n1", 61, "1");
	fixture_nvme(fixture, "nvme7", "nvme7n1", 71, "1");
	fixture_write(fixture, NVME "nvme1/nvme1n1/wwid", "eui.0000000000000002\n");
	fixture_write(fixture, NVME "nvme5/nvme5n1/wwid", "eui.0000000000000051\n");
	fixture_write(fixture, NVME "nvme5/nvme5n2/wwid", "eui.0000000000000052\n");
	fixture_write(fixture, NVME "nvme5/nvme5n2/nsid", "2\n");
	fixture_write(fixture, NVME "nvme5/nvme5n2/size", "2097152\n");
	fixture_write(fixture, NVME "nvme6/nvme6n1/wwid", "nvme.1af4-31-1\n");
	fixture_write(fixture, NVME "nvme7/nvme7n1/wwid", "nvme.1af4-31-1\n");
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	fixture_free(*state);
	return 0;
}

static void make_nodes(struct fixture *fixture)
{
	fixture_node(fixture, "nvme0n1", S_IFBLK, 1);
	fixture_node(fixture, "nvme1n1", S_IFBLK, 2);
	fixture_node(fixture, "nvme5n1", S_IFBLK, 51);
	fixture_node(fixture, "nvme5n2", S_IFBLK, 52);
}

static struct target *expect_selected(struct fixture *fixture, const char *word, const char *name)
{
	struct target_options options = {.roots = &fixture->roots};
	struct target *target = NULL;
	struct error err = {0};

	if (target_find(&target, word, &options, &err))
		fail_msg("'%s': %s", word, err.text);
	assert_string_equal(target_facts(target)->name, name);
	assert_string_equal(target_facts(target)->word, word);
	return target;
}

static void expect_name(struct fixture *fixture, const char *word, const char *name)
{
	target_close(expect_selected(fixture, word, name));
}

static void expect_refused(struct fixture *fixture, const char *word, enum error_kind kind,
			   const char *part)
{
	struct target_options options = {.roots = &fixture->roots};
	struct target *target = NULL;
	struct error err = {0};

	assert_true(target_find(&target, word, &options, &err) < 0);
	assert_null(target);
	if (err.kind != kind || !strstr(err.text, part))
		print_message("'%s' gave kind %u: %s\n", word, err.kind, err.text);
	assert_int_equal(err.kind, kind);
	assert_non_null(strstr(err.text, part));
}

static void a_serial_number_or_a_wwid_names_a_drive(void **state)
{
	make_nodes(*state);
	expect_name(*state, "serial:TESTSN0002", "nvme1n1");
	expect_name(*state, "serial:TESTSN0002@1", "nvme1n1");
	expect_name(*state, "wwid:eui.0000000000000002", "nvme1n1");
}

static void the_nsid_tells_namespaces_apart(void **state)
{
	make_nodes(*state);
	expect_name(*state, "serial:TESTSN0010@1", "nvme5n1");
	expect_name(*state, "serial:TESTSN0010@2", "nvme5n2");
	expect_name(*state, "wwid:eui.0000000000000052", "nvme5n2");
}

static void an_ambiguous_serial_number_is_refused_with_the_candidates(void **state)
{
	struct fixture *fixture = *state;
	char part[512];

	snprintf(part, sizeof(part),
		 "serial:TESTSN0010: 2 drives answer to this: "
		 "%s/nvme5n1 (nsid 1, wwid eui.0000000000000051, 500.81 GB), "
		 "%s/nvme5n2 (nsid 2, wwid eui.0000000000000052, 1.07 GB)",
		 fixture->dev, fixture->dev);
	expect_refused(fixture, "serial:TESTSN0010", ERROR_REFUSED, part);
}

static void two_drives_with_one_serial_number_and_nsid_stay_ambiguous(void **state)
{
	expect_refused(*state, "serial:1", ERROR_REFUSED, "2 drives");
	expect_refused(*state, "serial:1@1", ERROR_REFUSED, "nvme7n1 (nsid 1, wwid nvme.1af4-31-1");
	expect_refused(*state, "wwid:nvme.1af4-31-1", ERROR_REFUSED, "2 drives");
}

static void many_candidates_are_counted(void **state)
{
	struct fixture *fixture = *state;

	fixture_nvme(fixture, "nvme21", "nvme21n1", 121, "1");
	fixture_nvme(fixture, "nvme22", "nvme22n1", 122, "1");
	fixture_nvme(fixture, "nvme23", "nvme23n1", 123, "1");
	fixture_nvme(fixture, "nvme24", "nvme24n1", 124, "1");
	expect_refused(fixture, "serial:1", ERROR_REFUSED, "6 drives");
	expect_refused(fixture, "serial:1", ERROR_REFUSED, " and 2 more");
}

static void what_no_drive_has_is_refused(void **state)
{
	expect_refused(*state, "serial:TESTSN0099", ERROR_REFUSED, "no drive has this serial");
	expect_refused(*state, "serial:TESTSN0001@2", ERROR_REFUSED, "no drive has this serial");
	expect_refused(*state, "serial:TESTSN", ERROR_REFUSED, "no drive has this serial");
	expect_refused(*state, "wwid:eui.00", ERROR_REFUSED, "no drive has this wwid");
	expect_refused(*state, "serial:", ERROR_USAGE, "unset variable");
	expect_refused(*state, "wwid:", ERROR_USAGE, "unset variable");
}

static void a_serial_number_with_an_at_sign_is_found(void **state)
{
	struct fixture *fixture = *state;

	make_nodes(fixture);
	fixture_write(fixture, NVME "nvme1/serial", "A@7\n");
	expect_name(fixture, "serial:A@7", "nvme1n1");
	expect_name(fixture, "serial:A@7@1", "nvme1n1");
}

/* The node may be left from another device. */
static void a_node_that_leads_elsewhere_is_refused(void **state)
{
	struct fixture *fixture = *state;

	fixture_node(fixture, "nvme0n1", S_IFBLK, 2);
	expect_refused(fixture, "serial:TESTSN0001", ERROR_REFUSED, "leads to another device");
	expect_refused(fixture, "serial:TESTSN0002", ERROR_REFUSED, "cannot be used");
}

static void swap_names(struct fixture *fixture)
{
	fixture_write(fixture, NVME "nvme0/serial", "TESTSN0002\n");
	fixture_write(fixture, NVME "nvme1/serial", "TESTSN0001\n");
}

static void a_serial_number_follows_its_drive_when_names_change_places(void **state)
{
	struct fixture *fixture = *state;

	make_nodes(fixture);
	expect_name(fixture, "serial:TESTSN0001", "nvme0n1");
	swap_names(fixture);
	expect_name(fixture, "serial:TESTSN0001", "nvme1n1");
	expect_name(fixture, "serial:TESTSN0002", "nvme0n1");
}

static void expect_recheck_refused(struct target *target, const char *part)
{
	struct error err = {0};

	assert_true(target_recheck(target, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	if (!strstr(err.text, part))
		fail_msg("%s", err.text);
	target_close(target);
}

static void a_recheck_refuses_a_path_that_leads_to_another_serial_number(void **state)
{
	struct fixture *fixture = *state;
	struct target *target;

	make_nodes(fixture);
	target = expect_selected(fixture, fixture_path(fixture, "dev/nvme0n1"), "nvme0n1");
	swap_names(fixture);
	expect_recheck_refused(target, "another serial than at the start: TESTSN0002");
}

/* What is open is the old device, whatever the serial number names now. */
static void a_recheck_refuses_a_serial_number_on_another_node(void **state)
{
	struct fixture *fixture = *state;
	struct target *target;

	make_nodes(fixture);
	fixture_write(fixture, NVME "nvme1/nvme1n1/wwid", "eui.0000000000000001a1b2c30000000001\n");
	target = expect_selected(fixture, "serial:TESTSN0001", "nvme0n1");
	swap_names(fixture);
	expect_recheck_refused(target, "another device");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_serial_number_or_a_wwid_names_a_drive),
		TEST(the_nsid_tells_namespaces_apart),
		TEST(an_ambiguous_serial_number_is_refused_with_the_candidates),
		TEST(two_drives_with_one_serial_number_and_nsid_stay_ambiguous),
		TEST(many_candidates_are_counted),
		TEST(what_no_drive_has_is_refused),
		TEST(a_serial_number_with_an_at_sign_is_found),
		TEST(a_node_that_leads_elsewhere_is_refused),
		TEST(a_serial_number_follows_its_drive_when_names_change_places),
		TEST(a_recheck_refuses_a_path_that_leads_to_another_serial_number),
		TEST(a_recheck_refuses_a_serial_number_on_another_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
