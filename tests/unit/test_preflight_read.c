// SPDX-License-Identifier: MIT
/* From a tree that stands in for /sys and /proc to findings. */
#include "test.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "ssdbench/preflight.h"
#include "target/facts.h"
#include "target/internal.h"

#define DEVICE "sys/devices/pci0000:00/0000:01:00.0/"
#define DRIVE  DEVICE "nvme/nvme0/nvme0n1/"

struct scene {
	struct fixture *fixture;
	struct target target;
	struct target *list[1];
	struct preflight preflight;
	struct findings findings;
};

static void write_link(struct fixture *fixture, const char *now, const char *most)
{
	fixture_link(fixture, DEVICE "nvme/nvme0/device", "sys/devices/pci0000:00/0000:01:00.0");
	fixture_write(fixture, DEVICE "current_link_speed", now);
	fixture_write(fixture, DEVICE "max_link_speed", most);
	fixture_write(fixture, DEVICE "current_link_width", "4\n");
	fixture_write(fixture, DEVICE "max_link_width", "4\n");
}

static int setup(void **state)
{
	static struct scene scene;
	struct fixture *fixture = fixture_new();

	scene = (struct scene){.fixture = fixture, .list = {&scene.target}};
	fixture_nvme(fixture, "nvme0", "nvme0n1", 1, "TESTSN0001");
	fixture_write(fixture, "sys/devices/system/cpu/online", "0-3\n");
	fixture_write(fixture, "sys/devices/system/node/node0/cpulist", "0-1\n");
	fixture_write(fixture, "proc/self/status", "Cpus_allowed_list:\t0-3\n");
	*state = &scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *s = *state;

	findings_fini(&s->findings);
	preflight_fini(&s->preflight);
	drive_facts_free(s->target.facts);
	fixture_free(s->fixture);
	return 0;
}

static void look(struct scene *s)
{
	const struct preflight_options options = {.no_uring = true};

	assert_int_equal(facts_read_block(&s->target.facts,
					  fixture_path(s->fixture, DEVICE "nvme/nvme0/nvme0n1"),
					  "/dev/nvme0n1", "/dev/nvme0n1"),
			 0);
	s->target.roots = s->fixture->roots;
	s->target.fd = -1;
	assert_int_equal(preflight_read(&s->preflight, &options, s->list, 1, &s->fixture->roots),
			 0);
	assert_int_equal(preflight_judge(&s->findings, &s->preflight), 0);
}

static const struct finding *find(const struct scene *s, const char *code)
{
	for (size_t i = 0; i < s->findings.nr; i++) {
		if (strcmp(s->findings.finding[i].code, code) == 0)
			return &s->findings.finding[i];
	}
	fail_msg("no finding %s", code);
	return NULL;
}

static void a_governor_other_than_performance_is_warned_of(void **state)
{
	struct scene *s = *state;

	fixture_write(s->fixture, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
		      "powersave\n");
	look(s);
	assert_int_equal(find(s, "cpu_governor")->level, FINDING_WARNING);
	assert_string_equal(find(s, "cpu_governor")->found, "powersave");
}

static void a_machine_without_cpufreq_is_not(void **state)
{
	struct scene *s = *state;

	look(s);
	assert_int_equal(find(s, "cpu_governor")->level, FINDING_OK);
	assert_string_equal(find(s, "cpu_governor")->found, "");
	assert_null(s->preflight.host.governor);
}

static void a_slow_link_is_one_warning(void **state)
{
	struct scene *s = *state;

	write_link(s->fixture, "16.0 GT/s PCIe\n", "32.0 GT/s PCIe\n");
	look(s);
	assert_int_equal(find(s, "pcie_link_speed")->level, FINDING_WARNING);
	assert_string_equal(find(s, "pcie_link_speed")->found, "16.0 GT/s");
	assert_string_equal(find(s, "pcie_link_speed")->wanted, "32.0 GT/s");
	assert_int_equal(find(s, "pcie_link_width")->level, FINDING_OK);
	assert_string_equal(find(s, "pcie_link_width")->found, "x4");
	assert_int_equal(findings_count(&s->findings, FINDING_WARNING), 1);
}

static void a_link_at_its_best_is_none(void **state)
{
	struct scene *s = *state;

	write_link(s->fixture, "32.0 GT/s PCIe\n", "32.0 GT/s PCIe\n");
	look(s);
	assert_int_equal(find(s, "pcie_link_speed")->level, FINDING_OK);
	assert_int_equal(findings_count(&s->findings, FINDING_WARNING), 0);
}

static void a_link_that_sysfs_does_not_tell_is_none(void **state)
{
	struct scene *s = *state;

	look(s);
	assert_int_equal(find(s, "pcie_link_speed")->level, FINDING_OK);
	assert_string_equal(find(s, "pcie_link_speed")->found, "");
	assert_int_equal(findings_count(&s->findings, FINDING_WARNING), 0);
}

static void a_drive_without_a_node_has_a_note(void **state)
{
	struct scene *s = *state;

	fixture_write(s->fixture, DEVICE "nvme/nvme0/numa_node", "-1\n");
	look(s);
	assert_int_equal(find(s, "numa_node")->level, FINDING_NOTE);
	assert_string_equal(find(s, "numa_node")->found, "");
}

static void cpus_of_another_node_have_one_too(void **state)
{
	struct scene *s = *state;

	look(s);
	assert_int_equal(find(s, "numa_node")->level, FINDING_NOTE);
	assert_string_equal(find(s, "numa_node")->wanted, "CPUs 0-1");
	assert_non_null(strstr(find(s, "numa_node")->text, "2 of 4 CPUs"));
}

static void a_health_that_cannot_be_read_has_its_reason(void **state)
{
	struct scene *s = *state;

	look(s);
	assert_int_equal(find(s, "health")->level, FINDING_NOTE);
}

/* Changes the counters while the drive is watched. The fixture belongs to the other thread. */
static void *do_io(void *path)
{
	FILE *stat;

	usleep(100000);
	stat = fopen(path, "we");
	if (stat) {
		fputs("5 0 40 0 100 0 800 0 0 0 0\n", stat);
		fclose(stat);
	}
	return NULL;
}

static void io_of_others_is_seen(void **state)
{
	struct scene *s = *state;
	pthread_t thread;
	char path[PATH_MAX];

	fixture_write(s->fixture, DRIVE "stat", "5 0 40 0 0 0 0 0 0 0 0\n");
	snprintf(path, sizeof(path), "%s", fixture_path(s->fixture, DRIVE "stat"));
	assert_int_equal(pthread_create(&thread, NULL, do_io, path), 0);
	look(s);
	pthread_join(thread, NULL);
	assert_int_equal(s->preflight.drive[0].others.reads, 0);
	assert_int_equal(s->preflight.drive[0].others.writes, 100);
	assert_int_equal(s->preflight.drive[0].others.bytes, 800 * 512);
	assert_in_range(s->preflight.drive[0].watched_ns, 400000000, 5000000000);
	assert_int_equal(find(s, "other_io")->level, FINDING_WARNING);
}

static void a_word_that_is_no_target_is_left_to_the_caller(void **state)
{
	struct scene *s = *state;
	const struct preflight_options options = {.no_uring = true};

	s->list[0] = NULL;
	assert_int_equal(preflight_read(&s->preflight, &options, s->list, 1, &s->fixture->roots),
			 0);
	assert_null(s->preflight.drive[0].facts);
	s->preflight.drive[0].name = "/dev/x";
	s->preflight.drive[0].refused = strdup("/dev/x: no such device");
	assert_int_equal(preflight_judge(&s->findings, &s->preflight), 0);
	assert_string_equal(find(s, "target")->text, "it can be no target: no such device");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_governor_other_than_performance_is_warned_of),
		TEST(a_machine_without_cpufreq_is_not),
		TEST(a_slow_link_is_one_warning),
		TEST(a_link_at_its_best_is_none),
		TEST(a_link_that_sysfs_does_not_tell_is_none),
		TEST(a_drive_without_a_node_has_a_note),
		TEST(cpus_of_another_node_have_one_too),
		TEST(a_health_that_cannot_be_read_has_its_reason),
		TEST(io_of_others_is_seen),
		TEST(a_word_that_is_no_target_is_left_to_the_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
