// SPDX-License-Identifier: MIT
/*
 * The host's facts, read from /proc and /sys. Nothing here is required: what a machine does not tell
 * (no cpufreq in a virtual machine, say) becomes a gap with its reason.
 */
#include "ssdbench/result.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "cpu_ranges.h"
#include "kernel_text.h"

/* Without memory for the note, the fact is still null. */
static void add_gap(struct host_facts *host, const char *key, const char *reason)
{
	struct fact_gap *grown = reallocarray(host->gap, host->nr_gaps + 1, sizeof(*grown));

	if (!grown)
		return;
	host->gap = grown;
	grown[host->nr_gaps].key = strdup(key);
	grown[host->nr_gaps].reason = strdup(reason);
	host->nr_gaps++;
}

/* A gap that names the file and why it could not be read; @code 0: it does not say. */
static void add_file_gap(struct host_facts *host, const char *key, const char *path, int code)
{
	char *reason = NULL;

	if (asprintf(&reason, "%s: %s", path, code ? strerrordesc_np(code) : "does not say") < 0)
		return;
	add_gap(host, key, reason);
	free(reason);
}

static char *line_fact(struct host_facts *host, const char *key, const char *root, const char *path)
{
	char text[KERNEL_TEXT_MAX];
	const int ret = kernel_text_line(root, path, text);

	if (ret == 0 && text[0])
		return strdup(text);
	add_file_gap(host, key, path, -ret);
	return NULL;
}

static char *key_fact(struct host_facts *host, const char *key, const char *root, const char *path,
		      const char *name)
{
	char text[KERNEL_TEXT_MAX];
	const int ret = kernel_text_key(root, path, name, text);

	if (ret == 0 && text[0])
		return strdup(text);
	add_file_gap(host, key, path, ret == -ENODATA ? 0 : -ret);
	return NULL;
}

static uint64_t number_fact(struct host_facts *host, const char *key, const char *root,
			    const char *path)
{
	char text[KERNEL_TEXT_MAX];
	const int ret = kernel_text_line(root, path, text);

	if (ret == 0 && isdigit((unsigned char)text[0]))
		return strtoull(text, NULL, 10);
	add_file_gap(host, key, path, -ret);
	return 0;
}

/* Of /proc/meminfo, in KiB there. */
static uint64_t memory_fact(struct host_facts *host, const char *key, const char *root,
			    const char *name)
{
	char text[KERNEL_TEXT_MAX];
	const int ret = kernel_text_key(root, "meminfo", name, text);

	if (ret == 0 && isdigit((unsigned char)text[0]))
		return strtoull(text, NULL, 10) << 10;
	add_file_gap(host, key, "meminfo", ret == -ENODATA ? 0 : -ret);
	return 0;
}

static void read_cpus(struct host_facts *host, const struct target_roots *roots)
{
	char *online = line_fact(host, "cpus_online", roots->sys, "devices/system/cpu/online");

	host->cpus_online = online ? cpu_ranges_count(online) : 0;
	free(online);
	host->cpu_model = key_fact(host, "cpu_model", roots->proc, "cpuinfo", "model name");
	host->cpus_allowed_list = key_fact(host, "cpus_allowed_list", roots->proc, "self/status",
					   "Cpus_allowed_list");
	if (host->cpus_allowed_list)
		host->cpus_allowed = cpu_ranges_count(host->cpus_allowed_list);
	host->clocksource =
		line_fact(host, "clocksource", roots->sys,
			  "devices/system/clocksource/clocksource0/current_clocksource");
}

/* The governor of all CPUs, or "mixed" where they differ. */
static void read_governor(struct host_facts *host, const char *sys)
{
	const char *first_path = "devices/system/cpu/cpu0/cpufreq/scaling_governor";
	char first[KERNEL_TEXT_MAX], other[KERNEL_TEXT_MAX], path[128];
	const int ret = kernel_text_line(sys, first_path, first);

	if (ret < 0 || !first[0]) {
		add_file_gap(host, "governor", first_path, -ret);
		return;
	}
	for (uint32_t cpu = 1; cpu < host->cpus_online; cpu++) {
		snprintf(path, sizeof(path),
			 "devices/system/cpu/cpu%" PRIu32 "/cpufreq/scaling_governor", cpu);
		if (kernel_text_line(sys, path, other) == 0 && strcmp(first, other) != 0) {
			host->governor = strdup("mixed");
			return;
		}
	}
	host->governor = strdup(first);
}

/* What the CPUs sleep by. Kernels before 5.7 have the file with "_ro" alone. */
static void read_idle_governor(struct host_facts *host, const char *sys)
{
	static const char *const path = "devices/system/cpu/cpuidle/current_governor";
	char text[KERNEL_TEXT_MAX];
	int ret = kernel_text_line(sys, path, text);

	if (ret == -ENOENT)
		ret = kernel_text_line(sys, "devices/system/cpu/cpuidle/current_governor_ro", text);
	if (ret == 0 && text[0])
		host->idle_governor = strdup(text);
	else
		add_file_gap(host, "idle_governor", path, -ret);
}

/* "[default] performance powersave powersupersave": the one in brackets is active. */
static void read_aspm_policy(struct host_facts *host, const char *sys)
{
	static const char *const path = "module/pcie_aspm/parameters/policy";
	char text[KERNEL_TEXT_MAX];
	const int ret = kernel_text_line(sys, path, text);
	const char *open = ret == 0 ? strchr(text, '[') : NULL;

	if (open)
		host->pcie_aspm_policy = strndup(open + 1, strcspn(open + 1, "]"));
	else
		add_file_gap(host, "pcie_aspm_policy", path, -ret);
}

/* x86 tells in the CPU's flags whether a hypervisor is there; the firmware's strings say which. */
static void read_virtualisation(struct host_facts *host, const struct target_roots *roots)
{
	char flags[KERNEL_TEXT_MAX], vendor[KERNEL_TEXT_MAX], product[KERNEL_TEXT_MAX];
	const int ret = kernel_text_key(roots->proc, "cpuinfo", "flags", flags);

	if (ret < 0) {
		add_file_gap(host, "virtualisation", "cpuinfo", ret == -ENODATA ? 0 : -ret);
		return;
	}
	if (!strstr(flags, " hypervisor")) {
		host->virtualisation = strdup("none");
		return;
	}
	if (kernel_text_line(roots->sys, "class/dmi/id/sys_vendor", vendor) < 0 || !vendor[0])
		snprintf(vendor, sizeof(vendor), "hypervisor");
	if (kernel_text_line(roots->sys, "class/dmi/id/product_name", product) < 0)
		product[0] = '\0';
	if (asprintf(&host->virtualisation, "%s%s%s", vendor, product[0] ? " " : "", product) < 0)
		host->virtualisation = NULL;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* "name: what the kernel does" of each vulnerability that this CPU has, joined by "; ". */
static void read_mitigations(struct host_facts *host, const char *sys)
{
	const char *directory = "devices/system/cpu/vulnerabilities";
	char path[KERNEL_TEXT_MAX], text[KERNEL_TEXT_MAX];
	struct dirent **entry = NULL;
	size_t size = 0;
	FILE *joined;
	int nr;

	snprintf(path, sizeof(path), "%s/%s", sys, directory);
	nr = scandir(path, &entry, is_visible, by_name);
	if (nr < 0) {
		add_file_gap(host, "mitigations", directory, errno);
		return;
	}
	joined = open_memstream(&host->mitigations, &size);
	for (int i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, entry[i]->d_name);
		if (joined && kernel_text_line(sys, path, text) == 0 &&
		    strcmp(text, "Not affected") != 0)
			fprintf(joined, "%s%s: %s", ftell(joined) > 0 ? "; " : "", entry[i]->d_name,
				text);
		free(entry[i]);
	}
	free(entry);
	if (joined && fclose(joined) != 0) {
		free(host->mitigations);
		host->mitigations = NULL;
	}
}

/* "00000000a80425fb", in hexadecimal. */
static void read_capabilities(struct host_facts *host, const char *proc)
{
	char text[KERNEL_TEXT_MAX];

	if (kernel_text_key(proc, "self/status", "CapEff", text) == 0)
		host->capabilities = strtoull(text, NULL, 16);
}

static void read_limits(struct host_facts *host, const char *proc)
{
	struct rlimit limit;
	char text[KERNEL_TEXT_MAX];

	if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0)
		host->memlock_bytes =
			limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)limit.rlim_cur;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		host->nofile = (uint64_t)limit.rlim_cur;
	host->aio_max_nr = number_fact(host, "aio_max_nr", proc, "sys/fs/aio-max-nr");
	host->aio_nr = number_fact(host, "aio_nr", proc, "sys/fs/aio-nr");
	host->io_uring_disabled = -1;
	if (kernel_text_line(proc, "sys/kernel/io_uring_disabled", text) == 0 &&
	    isdigit((unsigned char)text[0]))
		host->io_uring_disabled = text[0] - '0';
	else
		add_gap(host, "io_uring_disabled", "this kernel has no such sysctl (before 6.6)");
}

static void read_kernel(struct host_facts *host, const char *proc)
{
	struct utsname name;

	if (uname(&name) == 0) {
		host->hostname = strdup(name.nodename);
		if (asprintf(&host->kernel, "%s %s %s %s", name.sysname, name.release, name.version,
			     name.machine) < 0)
			host->kernel = NULL;
	}
	host->kernel_command_line = line_fact(host, "kernel_command_line", proc, "cmdline");
}

void host_facts_read(struct host_facts *host, const struct target_roots *roots)
{
	*host = (struct host_facts){0};
	read_kernel(host, roots->proc);
	read_cpus(host, roots);
	read_governor(host, roots->sys);
	read_idle_governor(host, roots->sys);
	read_aspm_policy(host, roots->sys);
	read_virtualisation(host, roots);
	read_mitigations(host, roots->sys);
	host->memory_bytes = memory_fact(host, "memory_bytes", roots->proc, "MemTotal");
	host->memory_available_bytes =
		memory_fact(host, "memory_available_bytes", roots->proc, "MemAvailable");
	read_capabilities(host, roots->proc);
	read_limits(host, roots->proc);
}

void host_facts_fini(struct host_facts *host)
{
	free(host->hostname);
	free(host->kernel);
	free(host->kernel_command_line);
	free(host->cpu_model);
	free(host->governor);
	free(host->idle_governor);
	free(host->pcie_aspm_policy);
	free(host->virtualisation);
	free(host->clocksource);
	free(host->mitigations);
	free(host->cpus_allowed_list);
	for (size_t i = 0; i < host->nr_gaps; i++) {
		free(host->gap[i].key);
		free(host->gap[i].reason);
	}
	free(host->gap);
	*host = (struct host_facts){0};
}
