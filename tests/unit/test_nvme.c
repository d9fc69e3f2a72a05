// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fake_admin.h"
#include "fixture.h"
#include "target/facts.h"
#include "target/nvme.h"
#include "target/sysfs.h"

struct setting {
	struct fake_admin fake;
	struct fixture *fixture;
	struct drive_facts *facts;
};

static int setup(void **state)
{
	struct setting *s = calloc(1, sizeof(*s));
	char dir[PATH_MAX];

	assert_non_null(s);
	fake_admin_init(&s->fake);
	s->fixture = fixture_new();
	fixture_nvme(s->fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	assert_int_equal(sysfs_block_by_name(&s->fixture->roots, "nvme0n1", dir), 0);
	assert_int_equal(facts_read_block(&s->facts, dir, "nvme0n1", "nvme0n1"), 0);
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	struct setting *s = *state;

	drive_facts_free(s->facts);
	fixture_free(s->fixture);
	free(s);
	return 0;
}

static void read_facts(struct setting *s, uint32_t page_bytes)
{
	assert_int_equal(nvme_facts_read(s->facts, &s->fake.admin, page_bytes), 0);
}

static void forget(char **field)
{
	free(*field);
	*field = NULL;
}

static void a_drive_tells_of_itself(void **state)
{
	struct setting *s = *state;

	s->fake.power = 1;
	s->fake.write_cache = 0;
	s->fake.autonomous_power = 1;
	read_facts(s, 4096);
	assert_true(s->facts->nvme->has_controller);
	assert_true(s->facts->nvme->has_namespace);
	assert_int_equal(s->fake.namespace_nsid, 1);
	assert_string_equal(s->facts->nvme->nqn, "nqn.2014-08.org.example:TESTSN0001");
	assert_int_equal(s->facts->nvme->max_transfer_bytes, 131072);
	assert_int_equal(s->facts->nvme->power_state_now, 1);
	assert_int_equal(s->facts->nvme->write_cache_on, 0);
	assert_int_equal(s->facts->nvme->apst_on, 1);
	assert_null(facts_gap_reason(s->facts, "nvme.min_page_bytes"));
}

static void an_assumed_page_is_said(void **state)
{
	struct setting *s = *state;

	read_facts(s, 0);
	assert_int_equal(s->facts->nvme->max_transfer_bytes, 131072);
	assert_non_null(strstr(facts_gap_reason(s->facts, "nvme.min_page_bytes"), "takes 4096"));
}

static void features_that_the_drive_lacks_are_not_asked_for(void **state)
{
	struct setting *s = *state;

	s->fake.controller[525] = 0;
	s->fake.controller[265] = 0;
	read_facts(s, 4096);
	assert_int_equal(s->fake.commands, 3); /* two of Identify, the power state */
	assert_int_equal(s->facts->nvme->write_cache_on, -1);
	assert_int_equal(s->facts->nvme->apst_on, -1);
}

static void strings_that_sysfs_lacks_come_from_the_drive(void **state)
{
	struct setting *s = *state;

	forget(&s->facts->model);
	forget(&s->facts->serial);
	forget(&s->facts->firmware);
	assert_int_equal(facts_gap(s->facts, "model", "not in sysfs"), 0);
	read_facts(s, 4096);
	assert_string_equal(s->facts->model, "ACME 3.2TB NVMe U.2 SSD");
	assert_string_equal(s->facts->serial, "TESTSN0001");
	assert_string_equal(s->facts->firmware, "TESTFW01");
	assert_null(facts_gap_reason(s->facts, "model"));
}

static void full_and_empty_fields_end_where_they_end(void **state)
{
	static const char model[] = "0123456789012345678901234567890123456789";
	struct setting *s = *state;

	forget(&s->facts->model);
	forget(&s->facts->serial);
	forget(&s->facts->firmware);
	put_text(s->fake.controller + 24, 40, model);
	memset(s->fake.controller + 4, 0, 20);
	put_text(s->fake.controller + 64, 8, "ABCDEFGH");
	memset(s->fake.controller + 768, 0, 256);
	read_facts(s, 4096);
	assert_string_equal(s->facts->model, model);
	assert_null(s->facts->serial);
	assert_non_null(strstr(facts_gap_reason(s->facts, "serial"), "empty"));
	assert_string_equal(s->facts->firmware, "ABCDEFGH");
	assert_null(s->facts->nvme->nqn);
	assert_non_null(facts_gap_reason(s->facts, "nvme.nqn"));
}

static void bytes_that_are_not_utf8_are_replaced_and_kept_as_hex(void **state)
{
	struct setting *s = *state;

	forget(&s->facts->model);
	put_text(s->fake.controller + 24, 40, "TESTDRIVE\xff\xfe");
	read_facts(s, 4096);
	assert_string_equal(s->facts->model, "TESTDRIVE\xef\xbf\xbd\xef\xbf\xbd");
	assert_non_null(strstr(facts_gap_reason(s->facts, "model"), "544553544452495645fffe"));
}

static void the_preferred_write_size_is_the_indirection_unit(void **state)
{
	struct setting *s = *state;

	assert_int_equal(s->facts->indirection_unit_bytes, 0);
	s->fake.ns[24] = 0x10;
	put_u16(s->fake.ns + 64, 31);
	read_facts(s, 4096);
	assert_int_equal(s->facts->indirection_unit_bytes, 32 * 512);
	assert_null(facts_gap_reason(s->facts, "indirection_unit_bytes"));
}

/* As on kernels before 6.8. */
static void metadata_and_use_come_from_the_drive_where_sysfs_lacks_them(void **state)
{
	struct setting *s = *state;

	s->facts->metadata_bytes = 0;
	s->facts->nuse_blocks = 0;
	assert_int_equal(facts_gap(s->facts, "metadata_bytes", "not in sysfs"), 0);
	assert_int_equal(facts_gap(s->facts, "nuse_blocks", "not in sysfs"), 0);
	s->fake.ns[26] = 2;
	read_facts(s, 4096);
	assert_int_equal(s->facts->metadata_bytes, 8);
	assert_int_equal(s->facts->nuse_blocks, 1000);
	assert_null(facts_gap_reason(s->facts, "metadata_bytes"));
	assert_null(facts_gap_reason(s->facts, "nuse_blocks"));
}

static void what_is_not_permitted_is_a_gap_with_the_reason(void **state)
{
	struct setting *s = *state;

	s->fake.controller_status = -EACCES;
	s->fake.namespace_status = -EACCES;
	read_facts(s, 4096);
	assert_false(s->facts->nvme->has_controller);
	assert_false(s->facts->nvme->has_namespace);
	assert_non_null(strstr(facts_gap_reason(s->facts, "nvme"), "CAP_SYS_ADMIN"));
	assert_non_null(facts_gap_reason(s->facts, "nvme.namespace"));
	assert_string_equal(s->facts->serial, "TESTSN0001");
}

static void what_the_drive_refuses_is_a_gap_with_its_status(void **state)
{
	struct setting *s = *state;

	s->fake.namespace_status = 0x400b;
	s->fake.feature_status = 0x4002;
	read_facts(s, 4096);
	assert_true(s->facts->nvme->has_controller);
	assert_non_null(strstr(facts_gap_reason(s->facts, "nvme.namespace"), "0x00b"));
	assert_non_null(strstr(facts_gap_reason(s->facts, "nvme.power_state"), "invalid field"));
	assert_int_equal(s->facts->nvme->power_state_now, -1);
}

static void a_controller_without_a_node_is_a_gap(void **state)
{
	struct setting *s = *state;
	struct admin *admin;

	assert_int_equal(nvme_identify_drive(s->facts, &s->fixture->roots, &admin), 0);
	assert_null(admin);
	assert_null(s->facts->nvme);
	assert_non_null(strstr(facts_gap_reason(s->facts, "nvme"), "/dev/nvme0: No such file"));
}

/* A node that is left from another controller must not be asked. */
static void a_node_with_another_number_is_a_gap(void **state)
{
	struct setting *s = *state;
	struct admin *admin;

	fixture_write(s->fixture, "dev/nvme0", "not a node");
	assert_int_equal(nvme_identify_drive(s->facts, &s->fixture->roots, &admin), 0);
	assert_null(admin);
	assert_non_null(strstr(facts_gap_reason(s->facts, "nvme"), "not the controller nvme0"));
}

static void health_is_read_without_ocp_where_there_is_none(void **state)
{
	struct setting *s = *state;
	struct drive_health health;
	struct error err = {0};

	assert_int_equal(nvme_health_read(&health, &s->fake.admin, &err), 0);
	assert_int_equal(health.temperature_c, 40);
	assert_false(health.has_ocp);
	assert_true(health.realtime_ns > 0);
	assert_int_equal(nvme_health_read(&health, &s->fake.admin, &err), 0);
	assert_int_equal(s->fake.ocp_commands,
			 1); /* a refusal is an entry in the drive's error log */
}

static void health_has_ocps_part_where_the_drive_has_it(void **state)
{
	struct setting *s = *state;
	struct drive_health health;
	struct error err = {0};

	fake_admin_add_ocp(&s->fake, 1000, 2000);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(nvme_health_read(&health, &s->fake.admin, &err), 0);
		assert_true(health.has_ocp);
		assert_true(health.physical_written_bytes == 1000);
	}
	assert_int_equal(s->fake.ocp_commands, 2);
}

static void health_that_cannot_be_read_says_why(void **state)
{
	struct setting *s = *state;
	struct drive_health health;
	struct error err = {0};

	s->fake.health_status = -ENODEV;
	assert_int_equal(nvme_health_read(&health, &s->fake.admin, &err), -ENODEV);
	assert_non_null(strstr(err.text, "No such device"));
	err = (struct error){0};
	s->fake.health_status = 0x006;
	assert_int_equal(nvme_health_read(&health, &s->fake.admin, &err), -EIO);
	assert_non_null(strstr(err.text, "0x006 (internal error)"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_drive_tells_of_itself),
		TEST(an_assumed_page_is_said),
		TEST(features_that_the_drive_lacks_are_not_asked_for),
		TEST(strings_that_sysfs_lacks_come_from_the_drive),
		TEST(full_and_empty_fields_end_where_they_end),
		TEST(bytes_that_are_not_utf8_are_replaced_and_kept_as_hex),
		TEST(the_preferred_write_size_is_the_indirection_unit),
		TEST(metadata_and_use_come_from_the_drive_where_sysfs_lacks_them),
		TEST(what_is_not_permitted_is_a_gap_with_the_reason),
		TEST(what_the_drive_refuses_is_a_gap_with_its_status),
		TEST(a_controller_without_a_node_is_a_gap),
		TEST(a_node_with_another_number_is_a_gap),
		TEST(health_is_read_without_ocp_where_there_is_none),
		TEST(health_has_ocps_part_where_the_drive_has_it),
		TEST(health_that_cannot_be_read_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
