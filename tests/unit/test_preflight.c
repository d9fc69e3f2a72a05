// SPDX-License-Identifier: MIT
/*
 * The judging is pure: each line of the tables changes one fact of a host and a drive with which all is
 * well, and says what is found then. Whatever else is found is a failure.
 */
#include "test.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "ssdbench/preflight.h"

#define WELL_LIMIT_C 70

/* A host and an NVMe drive that nothing speaks against. Strings are literals: nothing is released. */
struct scene {
	struct drive_controller controller[2];
	struct nvme_facts nvme;
	struct drive_facts facts;
	struct preflight_drive drive;
	struct preflight preflight;
};

static char *text(const char *literal)
{
	return (char *)(uintptr_t)literal;
}

static void scene_init(struct scene *scene)
{
	*scene = (struct scene){
		.controller[0] = {.name = text("nvme0"),
				  .address = text("0000:40:00.0"),
				  .transport = text("pcie"),
				  .link = {.speed_mt_per_s = 32000,
					   .max_speed_mt_per_s = 32000,
					   .width = 4,
					   .max_width = 4}},
		.nvme = {.has_controller = true,
			 .has_namespace = true,
			 .controller = {.write_cache = true,
					.apst = true,
					.warning_temperature_c = WELL_LIMIT_C,
					.critical_temperature_c = 80,
					.nr_power_states = 3},
			 .write_cache_on = 1,
			 .apst_on = 0,
			 .power_state_now = 0},
		.facts = {.kind = TARGET_BLOCK,
			  .word = text("/dev/nvme0n1"),
			  .path = text("/dev/nvme0n1"),
			  .name = text("nvme0n1"),
			  .disk = text("nvme0n1"),
			  .scheduler = text("none"),
			  .write_cache = text("write back"),
			  .nr_requests = 1023,
			  .numa_node = 0,
			  .io_poll = true,
			  .nr_controllers = 1},
		.drive = {.name = "nvme0n1",
			  .state = {.nomerges = 2,
				    .iostats = 0,
				    .wbt_latency_us = 0,
				    .has_health = true,
				    .health = {.temperature_c = 40,
					       .spare_percent = 100,
					       .spare_threshold_percent = 10}},
			  .node_cpus = text("0-7"),
			  .watched_ns = 500000000},
		.preflight = {.host = {.kernel_command_line = text("root=/dev/sda1 quiet"),
				       .governor = text("performance"),
				       .idle_governor = text("menu"),
				       .pcie_aspm_policy = text("default"),
				       .virtualisation = text("none"),
				       .clocksource = text("tsc"),
				       .mitigations = text("mds: Vulnerable"),
				       .cpus_online = 8,
				       .cpus_allowed = 8,
				       .cpus_allowed_list = text("0-7"),
				       .memlock_bytes = UINT64_MAX,
				       .nofile = 1024,
				       .aio_max_nr = 65536,
				       .io_uring_disabled = 0},
			      .nr_drives = 1},
	};
	scene->nvme.controller.power_state[0].operational = true;
	scene->nvme.controller.power_state[1].operational = true;
	scene->controller[1] = scene->controller[0];
	scene->facts.controller = scene->controller;
	scene->facts.nvme = &scene->nvme;
	scene->drive.facts = &scene->facts;
	scene->preflight.drive = &scene->drive;
}

/* The one finding that is not well; NULL: all is well. Fails the test where there are more. */
static const struct finding *only_finding(struct findings *findings, const struct scene *scene)
{
	const struct finding *only = NULL;

	assert_int_equal(preflight_judge(findings, &scene->preflight), 0);
	for (size_t i = 0; i < findings->nr; i++) {
		if (findings->finding[i].level == FINDING_OK) {
			assert_string_equal(findings->finding[i].text, "");
			assert_string_equal(findings->finding[i].cure, "");
			continue;
		}
		if (only)
			fail_msg("%s and %s", only->code, findings->finding[i].code);
		only = &findings->finding[i];
	}
	return only;
}

struct expectation {
	void (*change)(struct scene *scene);
	const char *code; /* NULL: all is well */
	enum finding_level level;
	const char *found, *wanted, *text, *cure; /* parts of them; NULL: whatever */
};

static void check_part(const char *whole, const char *part, const char *code, const char *what)
{
	if (part && !strstr(whole, part))
		fail_msg("%s: %s is '%s', should have '%s'", code, what, whole, part);
}

static void check(const struct expectation *expectation, size_t nr, size_t drive)
{
	for (size_t i = 0; i < nr; i++) {
		const struct expectation *want = &expectation[i];
		const struct finding *got;
		struct findings findings;
		struct scene scene;

		scene_init(&scene);
		want->change(&scene);
		got = only_finding(&findings, &scene);
		if (!want->code) {
			if (got)
				fail_msg("line %zu: %s: %s", i, got->code, got->text);
		} else {
			if (!got)
				fail_msg("line %zu: no %s", i, want->code);
			assert_string_equal(got->code, want->code);
			assert_int_equal(got->level, want->level);
			assert_int_equal(got->drive, drive);
			assert_string_not_equal(got->text, "");
			check_part(got->found, want->found, want->code, "found");
			check_part(got->wanted, want->wanted, want->code, "wanted");
			check_part(got->text, want->text, want->code, "text");
			check_part(got->cure, want->cure, want->code, "cure");
		}
		findings_fini(&findings);
	}
}

#define CHECK(list, drive) check(list, sizeof(list) / sizeof((list)[0]), drive)
#define CHANGE(name, ...)                                                                          \
	static void name(struct scene *scene)                                                      \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}

CHANGE(nothing, (void)scene)
CHANGE(powersave, scene->preflight.host.governor = text("powersave"))
CHANGE(no_cpufreq, scene->preflight.host.governor = NULL)
CHANGE(ladder, scene->preflight.host.idle_governor = text("ladder"))
CHANGE(hpet, scene->preflight.host.clocksource = text("hpet"))
CHANGE(virtual, scene->preflight.host.virtualisation = text("ACME VM"))
CHANGE(mitigated,
       scene->preflight.host.mitigations = text("mds: Mitigation: A; l1tf: Mitigation: B"))
CHANGE(booted, scene->preflight.host.kernel_command_line =
		       text("quiet nvme.poll_queues=4 ro pcie_aspm=off"))
CHANGE(links_sleep, scene->preflight.host.pcie_aspm_policy = text("powersupersave"))
CHANGE(no_uring, strcpy(scene->preflight.uring_gap, "blocked (seccomp or container): EPERM"))
CHANGE(sysctl_off, {
	no_uring(scene);
	scene->preflight.host.io_uring_disabled = 2;
})
CHANGE(no_uring_wanted, {
	no_uring(scene);
	scene->preflight.options.no_uring = true;
})
CHANGE(little_memlock, scene->preflight.host.memlock_bytes = 65536)
CHANGE(memlock_of_root, {
	little_memlock(scene);
	scene->preflight.host.capabilities = 1U << 14;
})
CHANGE(memlock_for_little, {
	little_memlock(scene);
	scene->preflight.options.memory_bytes = 65536;
})
CHANGE(few_files, scene->preflight.host.nofile = 256)
CHANGE(aio_in_use, scene->preflight.host.aio_nr = 65000)
CHANGE(cpuset, scene->preflight.host.cpus_allowed = 2;
       scene->preflight.host.cpus_allowed_list = text("0-1"))
CHANGE(unknown_host, scene->preflight.host = (struct host_facts){
			     .io_uring_disabled = -1, .nofile = 1024, .memlock_bytes = UINT64_MAX})

static void the_hosts_findings_are_of_the_host(void **state)
{
	static const struct expectation list[] = {
		{.change = nothing},
		{powersave, "cpu_governor", FINDING_WARNING, "powersave", "performance",
		 "powersave",
		 "echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"},
		{.change = no_cpufreq},
		{ladder, "cpu_idle_governor", FINDING_NOTE, "ladder", "menu", NULL, "echo menu"},
		{hpet, "clocksource", FINDING_WARNING, "hpet", "tsc", NULL, "echo tsc"},
		{virtual, "virtualisation", FINDING_NOTE, "ACME VM", "none", NULL, NULL},
		{mitigated, "mitigations", FINDING_NOTE, "2", NULL, "2 mitigations", NULL},
		{booted, "kernel_command_line", FINDING_NOTE, "nvme.poll_queues=4 pcie_aspm=off",
		 NULL, NULL, NULL},
		{links_sleep, "pcie_aspm", FINDING_WARNING, "powersupersave", NULL, NULL,
		 "echo performance > /sys/module/pcie_aspm/parameters/policy"},
		{no_uring, "io_uring", FINDING_WARNING, "blocked", "available", "libaio",
		 "seccomp"},
		{sysctl_off, "io_uring", FINDING_WARNING, NULL, NULL, NULL,
		 "sysctl -w kernel.io_uring_disabled=0"},
		{.change = no_uring_wanted},
		{little_memlock, "locked_memory", FINDING_NOTE, "64KiB", "512MiB", NULL,
		 "ulimit -l"},
		{.change = memlock_of_root},
		{.change = memlock_for_little},
		{few_files, "open_files", FINDING_NOTE, "256", "1024", NULL, "ulimit -n 1024"},
		{aio_in_use, "aio_requests", FINDING_NOTE, "536", NULL, "fs.aio-max-nr 65536",
		 "sysctl -w fs.aio-max-nr="},
		{cpuset, "cpus_allowed", FINDING_NOTE, "2", "8", "(0-1)", NULL},
		{.change = unknown_host},
	};

	(void)state;
	CHECK(list, FINDING_HOST);
}

CHANGE(slow, scene->controller[0].link.speed_mt_per_s = 16000;
       scene->controller[0].link.slow = true)
CHANGE(narrow, scene->controller[0].link.width = 2; scene->controller[0].link.narrow = true)
CHANGE(dual_port, scene->controller[0].link.width = scene->controller[1].link.width = 2;
       scene->facts.nr_controllers = 2)
CHANGE(no_link_files, scene->controller[0].link = (struct pcie_link){0})
CHANGE(over_tcp, {
	no_link_files(scene);
	scene->controller[0].transport = text("tcp");
})
CHANGE(no_node, scene->facts.numa_node = -1; scene->drive.node_cpus = NULL)
CHANGE(half_of_the_cpus, scene->drive.node_cpus = text("0-3"))
CHANGE(other_node, scene->drive.node_cpus = text("8-15"))
static const unsigned int far_cpus[] = {8, 9}, near_cpus[] = {0, 7};
CHANGE(pinned_far, scene->preflight.options.cpus = far_cpus; scene->preflight.options.nr_cpus = 2)
CHANGE(pinned_near, scene->preflight.options.cpus = near_cpus; scene->preflight.options.nr_cpus = 2)
CHANGE(scheduled, scene->facts.scheduler = text("mq-deadline"))
CHANGE(few_requests, scene->facts.nr_requests = 32)
CHANGE(passing_by, {
	scheduled(scene);
	few_requests(scene);
	scene->drive.state.nomerges = 0;
	scene->preflight.options.passthrough = true;
})
CHANGE(kernel_defaults, scene->drive.state.nomerges = 0; scene->drive.state.iostats = 1;
       scene->drive.state.wbt_latency_us = 2000)
CHANGE(unknown_queue, scene->drive.state.nomerges = -1; scene->drive.state.iostats = -1;
       scene->drive.state.wbt_latency_us = -1; scene->facts.scheduler = NULL;
       scene->facts.nr_requests = 0; scene->facts.write_cache = NULL)
CHANGE(polling, scene->preflight.options.iopoll = true)
CHANGE(no_poll_queues, {
	polling(scene);
	scene->facts.io_poll = false;
})
CHANGE(no_polling, scene->facts.io_poll = false)
CHANGE(cache_off, scene->nvme.write_cache_on = 0)
CHANGE(no_cache, scene->nvme.controller.write_cache = false; scene->nvme.write_cache_on = -1)
CHANGE(less_power, scene->nvme.power_state_now = 1)
CHANGE(asleep, scene->nvme.power_state_now = 2)
CHANGE(goes_to_sleep, scene->nvme.apst_on = 1)

static void a_link_has_one_warning_for_each_cause(void **state)
{
	static const struct expectation list[] = {
		{slow, "pcie_link_speed", FINDING_WARNING, "16.0 GT/s", "32.0 GT/s",
		 "nvme0 runs at 16.0 GT/s", "lspci -vv -s 0000:40:00.0"},
		{narrow, "pcie_link_width", FINDING_WARNING, "x2", "x4", "2 lanes", "lspci"},
		{.change = dual_port},
		{.change = no_link_files},
		{.change = over_tcp},
	};

	(void)state;
	CHECK(list, 0);
}

static void the_way_to_the_cpu_is_judged(void **state)
{
	static const struct expectation list[] = {
		{no_node, "numa_node", FINDING_NOTE, "", NULL, "does not tell", NULL},
		{half_of_the_cpus, "numa_node", FINDING_NOTE, "0", "CPUs 0-3", "4 of 8 CPUs",
		 "--cpus 0-3"},
		{other_node, "numa_node", FINDING_WARNING, "0", "CPUs 8-15", "0 of 8 CPUs",
		 "taskset --cpu-list 8-15"},
		{pinned_far, "numa_node", FINDING_WARNING, NULL, NULL, "0 of 2", NULL},
		{.change = pinned_near},
		{scheduled, "scheduler", FINDING_WARNING, "mq-deadline", "none", NULL,
		 "echo none > /sys/block/nvme0n1/queue/scheduler"},
		{few_requests, "nr_requests", FINDING_NOTE, "32", NULL, NULL, "nr_requests"},
		{kernel_defaults, "queue_settings", FINDING_NOTE,
		 "nomerges=0 iostats=1 wbt_lat_usec=2000", "nomerges=2", NULL,
		 "echo 2 > /sys/block/nvme0n1/queue/nomerges; echo 0 > "
		 "/sys/block/nvme0n1/queue/iostats; echo 0 > "
		 "/sys/block/nvme0n1/queue/wbt_lat_usec"},
		{.change = unknown_queue},
		{.change = passing_by},
		{.change = polling},
		{no_poll_queues, "poll_queues", FINDING_WARNING, "none", NULL, NULL,
		 "nvme.poll_queues="},
		{.change = no_polling},
		{cache_off, "write_cache", FINDING_WARNING, "off", NULL, NULL,
		 "nvme set-feature /dev/nvme0 --feature-id=6 --value=1"},
		{.change = no_cache},
		{less_power, "power_state", FINDING_WARNING, "1", "0", NULL, "--feature-id=2"},
		{.change = asleep},
		{goes_to_sleep, "apst", FINDING_NOTE, "on", "off", NULL, "max_latency_us=0"},
	};

	(void)state;
	CHECK(list, 0);
}

CHANGE(warm, scene->drive.state.health.temperature_c = WELL_LIMIT_C - 6)
CHANGE(hot, scene->drive.state.health.temperature_c = WELL_LIMIT_C - 5)
CHANGE(zero_kelvin, scene->drive.state.health.temperature_c = TEMPERATURE_UNKNOWN)
CHANGE(no_limit, scene->drive.state.health.temperature_c = 99;
       scene->nvme.controller.warning_temperature_c = TEMPERATURE_UNKNOWN)
CHANGE(frost, scene->drive.state.health.temperature_c = -20)
CHANGE(warns,
       scene->drive.state.health.critical_warning = NVME_WARNING_SPARE | NVME_WARNING_RELIABILITY)
CHANGE(warns_new, scene->drive.state.health.critical_warning = 0x80)
CHANGE(no_spare, scene->drive.state.health.spare_percent = 9)
CHANGE(worn, scene->drive.state.health.used_percent = 80)
CHANGE(worn_out, scene->drive.state.health.used_percent = 100)
CHANGE(errors, scene->drive.state.health.media_errors = 3)
CHANGE(many_errors, scene->drive.state.health.media_errors = (unsigned __int128)1 << 100)
CHANGE(throttled, scene->drive.state.health.has_ocp = true;
       scene->drive.state.health.throttling_status = 2)
CHANGE(not_throttled, scene->drive.state.health.has_ocp = true)
CHANGE(not_permitted, scene->drive.state.has_health = false; scene->facts.nvme = NULL;
       scene->drive.state.health_gap = text("/dev/nvme0: Permission denied; run as root"))

static void a_drives_health_is_judged(void **state)
{
	static const struct expectation list[] = {
		{.change = warm},
		{hot, "temperature", FINDING_WARNING, "65 C", "below 65 C", "70 C", "air"},
		{.change = zero_kelvin},
		{.change = no_limit},
		{.change = frost},
		{warns, "critical_warning", FINDING_WARNING,
		 "spare capacity low, reliability degraded", "none", NULL, "smart-log /dev/nvme0"},
		{warns_new, "critical_warning", FINDING_WARNING, "0x80", NULL, NULL, NULL},
		{no_spare, "spare", FINDING_WARNING, "9%", "10% or more", NULL, NULL},
		{worn, "life_used", FINDING_NOTE, "80%", NULL, NULL, NULL},
		{worn_out, "life_used", FINDING_WARNING, "100%", NULL, NULL, NULL},
		{errors, "media_errors", FINDING_NOTE, "3", "0", NULL, NULL},
		{many_errors, "media_errors", FINDING_NOTE, "18446744073709551615", NULL, NULL,
		 NULL},
		{throttled, "throttling", FINDING_WARNING, "level 2", NULL, NULL, NULL},
		{.change = not_throttled},
		{not_permitted, "health", FINDING_NOTE, "", NULL, "Permission denied", "root"},
	};

	(void)state;
	CHECK(list, 0);
}

CHANGE(mounted, scene->drive.state.in_use = text("nvme0n1p2 is mounted at /; unmount it first"))
CHANGE(ext4, scene->drive.state.holds = text("ext4 file system"))
CHANGE(few_others, scene->drive.others = (struct drive_traffic){9, 7, 65536})
CHANGE(busy, scene->drive.others = (struct drive_traffic){10, 7, 69632})
CHANGE(not_watched, scene->drive.watched_ns = 0)
CHANGE(read_only, scene->facts.read_only = true)
CHANGE(partition, scene->facts.is_partition = true)
CHANGE(refused, scene->drive.facts = NULL; scene->drive.name = "/dev/nvme0";
       scene->drive.watched_ns = 0;
       scene->drive.refused = text("/dev/nvme0: a controller; use /dev/nvme0n1"))

static void who_else_uses_the_drive_is_told(void **state)
{
	static const struct expectation list[] = {
		{mounted, "in_use", FINDING_WARNING, "nvme0n1p2 is mounted at /", "no", NULL, NULL},
		{ext4, "in_use", FINDING_NOTE, "ext4", NULL, NULL, "--destroy"},
		{few_others, "other_io", FINDING_NOTE, "16 requests in 500 ms", "none",
		 "9 reads and 7 writes, 65.54 kB", "fuser -v /dev/nvme0n1"},
		{busy, "other_io", FINDING_WARNING, "17 requests", NULL, NULL, NULL},
		{.change = not_watched},
		{read_only, "read_only", FINDING_NOTE, NULL, NULL, NULL,
		 "blockdev --setrw /dev/nvme0n1"},
		{partition, "partition", FINDING_NOTE, NULL, NULL, NULL, "/dev/nvme0n1"},
		{refused, "target", FINDING_WARNING, NULL, NULL,
		 "it can be no target: a controller; use", NULL},
	};

	(void)state;
	CHECK(list, 0);
}

static const struct finding *find(const struct findings *findings, const char *code)
{
	for (size_t i = 0; i < findings->nr; i++) {
		if (strcmp(findings->finding[i].code, code) == 0)
			return &findings->finding[i];
	}
	return NULL;
}

static void what_is_unknown_is_ok_and_null(void **state)
{
	struct findings findings;
	struct scene scene;
	json_t *list, *entry;
	size_t i, nr_null = 0;

	(void)state;
	scene_init(&scene);
	no_link_files(&scene);
	scene.preflight.host.governor = NULL;
	zero_kelvin(&scene);
	assert_int_equal(preflight_judge(&findings, &scene.preflight), 0);
	assert_string_equal(find(&findings, "cpu_governor")->found, "");
	assert_string_equal(find(&findings, "pcie_link_speed")->found, "");
	assert_string_equal(find(&findings, "temperature")->found, "");
	list = findings_json(&findings, FINDING_OK);
	assert_int_equal(json_array_size(list), findings.nr);
	json_array_foreach (list, i, entry) {
		assert_string_equal(json_string_value(json_object_get(entry, "level")), "ok");
		nr_null += json_is_null(json_object_get(entry, "found"));
	}
	assert_int_equal(nr_null, 5); /* with the width, and no words of the command line */
	json_decref(list);
	list = findings_json(&findings, FINDING_NOTE);
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
	findings_fini(&findings);
}

/* Files, temporary files and null targets have no queue, link or health that could be wrong. */
static void targets_that_are_no_drives_make_no_noise(void **state)
{
	static const enum target_kind kinds[] = {TARGET_FILE, TARGET_SCRATCH, TARGET_NULL};
	struct drive_facts facts = {.numa_node = -1};
	struct findings findings;
	struct scene scene;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		scene_init(&scene);
		facts.kind = kinds[i];
		scene.drive = (struct preflight_drive){.name = "x", .facts = &facts};
		assert_null(only_finding(&findings, &scene));
		for (size_t k = 0; k < findings.nr; k++) {
			if (findings.finding[k].drive == 0)
				assert_string_equal(findings.finding[k].code, "in_use");
		}
		assert_null(find(&findings, "pcie_aspm"));
		findings_fini(&findings);
	}
}

static void a_disk_that_is_no_nvme_is_judged_by_its_queue(void **state)
{
	struct findings findings;
	struct scene scene;

	(void)state;
	scene_init(&scene);
	scene.facts.nr_controllers = 0;
	scene.facts.nvme = NULL;
	scene.facts.numa_node = -1;
	scene.drive.state.has_health = false;
	assert_null(only_finding(&findings, &scene));
	findings_fini(&findings);
	scheduled(&scene);
	assert_int_equal(only_finding(&findings, &scene)->level, FINDING_NOTE);
	findings_fini(&findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hosts_findings_are_of_the_host),
		cmocka_unit_test(a_link_has_one_warning_for_each_cause),
		cmocka_unit_test(the_way_to_the_cpu_is_judged),
		cmocka_unit_test(a_drives_health_is_judged),
		cmocka_unit_test(who_else_uses_the_drive_is_told),
		cmocka_unit_test(what_is_unknown_is_ok_and_null),
		cmocka_unit_test(targets_that_are_no_drives_make_no_noise),
		cmocka_unit_test(a_disk_that_is_no_nvme_is_judged_by_its_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
