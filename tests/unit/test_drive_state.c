// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <string.h>

#include "fake_admin.h"
#include "fixture.h"
#include "ssdbench/drive_state.h"
#include "target/facts.h"
#include "target/internal.h"

#define CONTROLLER "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/"
#define DRIVE      CONTROLLER "nvme0n1/"

struct scene {
	struct fixture *fixture;
	struct fake_admin fake;
	struct target target;
	struct drive_state state;
};

/* A target for the block device with the sysfs directory @dir, found but not open. */
static void make_target(struct scene *s, const char *dir)
{
	assert_int_equal(facts_read_block(&s->target.facts, fixture_path(s->fixture, dir), "drive",
					  "/dev/drive"),
			 0);
	s->target.roots = s->fixture->roots;
	s->target.fd = -1;
}

static int setup(void **state)
{
	static struct scene scene;

	scene = (struct scene){.fixture = fixture_new()};
	fixture_nvme(scene.fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	make_target(&scene, CONTROLLER "nvme0n1");
	fake_admin_init(&scene.fake);
	scene.target.admin = &scene.fake.admin;
	*state = &scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *s = *state;

	drive_state_fini(&s->state);
	drive_facts_free(s->target.facts);
	fixture_free(s->fixture);
	return 0;
}

static void settings_and_health_are_read(void **state)
{
	struct scene *s = *state;

	fixture_write(s->fixture, DRIVE "queue/nomerges", "0\n");
	fixture_write(s->fixture, DRIVE "queue/iostats", "1\n");
	fixture_write(s->fixture, DRIVE "queue/wbt_lat_usec", "2000\n");
	assert_int_equal(drive_state_read(&s->state, &s->target), 0);
	assert_int_equal(s->state.nomerges, 0);
	assert_int_equal(s->state.iostats, 1);
	assert_int_equal(s->state.wbt_latency_us, 2000);
	assert_null(s->state.in_use);
	assert_null(s->state.holds);
	assert_true(s->state.has_health);
	assert_int_equal(s->state.health.temperature_c, 40);
	assert_null(s->state.health_gap);
}

static void what_is_not_there_is_unknown(void **state)
{
	struct scene *s = *state;

	fixture_write(s->fixture, DRIVE "queue/wbt_lat_usec", "-1\n");
	s->fake.health_status = -EACCES;
	assert_int_equal(drive_state_read(&s->state, &s->target), 0);
	assert_int_equal(s->state.nomerges, -1);
	assert_int_equal(s->state.iostats, -1);
	assert_int_equal(s->state.wbt_latency_us, -1);
	assert_false(s->state.has_health);
	assert_non_null(strstr(s->state.health_gap, "Permission denied"));
}

static void a_user_is_named_without_the_words_around(void **state)
{
	struct scene *s = *state;

	fixture_write(s->fixture, "proc/self/mountinfo", "27 1 60:1 / / rw - ext4 /dev/root rw\n");
	assert_int_equal(drive_state_read(&s->state, &s->target), 0);
	assert_string_equal(s->state.in_use, "nvme0n1 is mounted at /; unmount it first");
}

static void a_target_open_for_writing_is_not_asked_again(void **state)
{
	struct scene *s = *state;

	fixture_write(s->fixture, "proc/self/mountinfo", "27 1 60:1 / / rw - ext4 /dev/root rw\n");
	s->target.fd = 0;
	s->target.access = TARGET_WRITE;
	assert_int_equal(drive_state_read(&s->state, &s->target), 0);
	assert_null(s->state.in_use);
}

#define STAT_1 "     100  7    2048   9     50  3    1000     4  0  5   6  0 0 0 0 0 0\n"

static void traffic_is_of_both_directions(void **state)
{
	struct scene *s = *state;
	struct drive_traffic traffic;

	assert_false(drive_traffic_read(&traffic, &s->target));
	fixture_write(s->fixture, DRIVE "stat", STAT_1);
	assert_true(drive_traffic_read(&traffic, &s->target));
	assert_int_equal(traffic.reads, 100);
	assert_int_equal(traffic.writes, 50);
	assert_int_equal(traffic.bytes, 3048 * 512);
}

static void a_disk_that_does_not_count_tells_nothing(void **state)
{
	struct scene *s = *state;
	struct drive_traffic traffic;

	fixture_write(s->fixture, DRIVE "stat", STAT_1);
	fixture_write(s->fixture, DRIVE "queue/iostats", "0\n");
	assert_false(drive_traffic_read(&traffic, &s->target));
}

static void the_paths_of_a_multipath_drive_are_added_up(void **state)
{
	struct scene *s = *state;
	struct drive_traffic traffic;

	fixture_dual_port(s->fixture);
	drive_facts_free(s->target.facts);
	make_target(s, "sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1");
	fixture_write(s->fixture, "sys/devices/pci0000:40/0000:40:00.0/nvme/nvme1/nvme1c1n1/stat",
		      STAT_1);
	fixture_write(s->fixture, "sys/devices/pci0000:c0/0000:c0:00.0/nvme/nvme2/nvme1c2n1/stat",
		      STAT_1);
	assert_true(drive_traffic_read(&traffic, &s->target));
	assert_int_equal(traffic.reads, 200);
	assert_int_equal(traffic.writes, 100);
}

static void a_null_target_has_no_state(void **state)
{
	struct scene *s = *state;
	struct drive_traffic traffic;

	drive_facts_free(s->target.facts);
	s->target.facts = facts_new(TARGET_NULL, "null:1GiB", "null");
	assert_int_equal(drive_state_read(&s->state, &s->target), 0);
	assert_int_equal(s->state.nomerges, -1);
	assert_false(s->state.has_health);
	assert_null(s->state.health_gap);
	assert_false(drive_traffic_read(&traffic, &s->target));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(settings_and_health_are_read),
		TEST(what_is_not_there_is_unknown),
		TEST(a_user_is_named_without_the_words_around),
		TEST(a_target_open_for_writing_is_not_asked_again),
		TEST(traffic_is_of_both_directions),
		TEST(a_disk_that_does_not_count_tells_nothing),
		TEST(the_paths_of_a_multipath_drive_are_added_up),
		TEST(a_null_target_has_no_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
