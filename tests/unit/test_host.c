// SPDX-License-Identifier: MIT
#include "test.h"

#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ssdbench/result.h"

static char root[64], sys[80], proc[80];
static struct target_roots roots = {sys, proc, "/dev"};
static struct host_facts host;

static void put(const char *path, const char *text)
{
	char whole[512];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(whole, 0777); /* may be there already */
		*slash = '/';
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(root, "/tmp/ssdbench-host-XXXXXX");
	assert_non_null(mkdtemp(root));
	snprintf(sys, sizeof(sys), "%s/sys", root);
	snprintf(proc, sizeof(proc), "%s/proc", root);
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static int tear_down(void **state)
{
	(void)state;
	host_facts_fini(&host);
	return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *gap_of(const char *key)
{
	for (size_t i = 0; i < host.nr_gaps; i++) {
		if (strcmp(host.gap[i].key, key) == 0)
			return host.gap[i].reason;
	}
	return NULL;
}

static void facts_are_read_below_the_roots(void **state)
{
	(void)state;
	put("sys/devices/system/cpu/online", "0-2\n");
	put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	put("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
	put("sys/devices/system/cpu/cpuidle/current_governor", "menu\n");
	put("sys/module/pcie_aspm/parameters/policy", "default performance [powersave]\n");
	put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	put("sys/devices/system/cpu/vulnerabilities/l1tf", "Not affected\n");
	put("sys/devices/system/cpu/vulnerabilities/mds", "Mitigation: Clear buffers\n");
	put("sys/devices/system/cpu/vulnerabilities/retbleed", "Vulnerable\n");
	put("sys/class/dmi/id/sys_vendor", "ACME\n");
	put("sys/class/dmi/id/product_name", "Standard PC \n");
	put("proc/cpuinfo",
	    "processor\t: 0\nmodel name\t: ACME CPU 9\nflags\t\t: fpu hypervisor\n");
	put("proc/cmdline", "root=/dev/vda mitigations=auto\n");
	put("proc/self/status",
	    "Name:\tx\nCapEff:\t000001ffffffffff\nCpus_allowed_list:\t0,5,8-15,1030\n");
	put("proc/meminfo", "MemTotal:       16000 kB\nMemAvailable:    8000 kB\n");
	put("proc/sys/fs/aio-max-nr", "65536\n");
	put("proc/sys/fs/aio-nr", "128\n");
	put("proc/sys/kernel/io_uring_disabled", "2\n");
	host_facts_read(&host, &roots);
	assert_int_equal(host.cpus_online, 3);
	assert_string_equal(host.governor, "powersave");
	assert_string_equal(host.idle_governor, "menu");
	assert_string_equal(host.pcie_aspm_policy, "powersave");
	assert_int_equal(host.capabilities, 0x1ffffffffff);
	assert_string_equal(host.clocksource, "tsc");
	assert_string_equal(host.mitigations,
			    "mds: Mitigation: Clear buffers; retbleed: Vulnerable");
	assert_string_equal(host.virtualisation, "ACME Standard PC");
	assert_string_equal(host.cpu_model, "ACME CPU 9");
	assert_string_equal(host.kernel_command_line, "root=/dev/vda mitigations=auto");
	assert_string_equal(host.cpus_allowed_list, "0,5,8-15,1030");
	assert_int_equal(host.cpus_allowed, 11);
	assert_int_equal(host.memory_bytes, 16000 * 1024);
	assert_int_equal(host.memory_available_bytes, 8000 * 1024);
	assert_int_equal(host.aio_max_nr, 65536);
	assert_int_equal(host.aio_nr, 128);
	assert_int_equal(host.io_uring_disabled, 2);
	assert_int_equal(host.nr_gaps, 0);
}

static void what_cannot_be_read_is_null_with_a_reason(void **state)
{
	json_t *json;

	(void)state;
	put("sys/devices/system/cpu/online", "0-1\n");
	host_facts_read(&host, &roots);
	assert_null(host.governor);
	assert_non_null(strstr(gap_of("governor"), "scaling_governor: No such file or directory"));
	assert_null(host.cpu_model);
	assert_non_null(gap_of("cpu_model"));
	assert_int_equal(host.memory_bytes, 0);
	assert_non_null(gap_of("memory_bytes"));
	assert_int_equal(host.io_uring_disabled, -1);
	json = result_host_json(&host);
	assert_true(json_is_null(json_object_get(json, "governor")));
	assert_true(json_is_null(json_object_get(json, "memory_bytes")));
	assert_true(json_is_null(
		json_object_get(json_object_get(json, "limits"), "io_uring_disabled")));
	json_decref(json);
}

static void governors_that_differ_are_mixed(void **state)
{
	(void)state;
	put("sys/devices/system/cpu/online", "0-1\n");
	put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	put("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
	host_facts_read(&host, &roots);
	assert_string_equal(host.governor, "mixed");
}

int main(void)
{
#define HOST_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		HOST_TEST(facts_are_read_below_the_roots),
		HOST_TEST(what_cannot_be_read_is_null_with_a_reason),
		HOST_TEST(governors_that_differ_are_mixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
