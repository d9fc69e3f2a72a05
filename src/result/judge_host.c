// SPDX-License-Identifier: MIT
/* The host's part of the preflight. What a machine does not tell (no cpufreq in a virtual machine) is no fault. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "judge.h"
#include "ssdbench/units.h"

#define CAP_IPC_LOCK (1ULL << 14) /* linux/capability.h: locked memory without a limit */

/* Enough for what profiles ask for; engine_check() refuses a plan that needs more than there is. */
#define OPEN_FILES_MIN   1024
#define AIO_REQUESTS_MIN 16384

static void judge_governor(struct findings *findings, const struct host_facts *host)
{
	const bool bad = host->governor && strcmp(host->governor, "performance") != 0;
	struct finding *finding = finding_add(findings, FINDING_HOST, "cpu_governor",
					      bad ? FINDING_WARNING : FINDING_OK);

	FINDING_TEXT(finding->found, "%s", host->governor ? host->governor : "");
	FINDING_TEXT(finding->wanted, "performance");
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "the CPU governor is %s: latencies at low depth move with the clock",
		     host->governor);
	FINDING_TEXT(finding->cure, "echo performance | tee "
				    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
}

/* "menu" and "teo" weigh the expected sleep; "ladder" goes deeper step by step, whatever comes. */
static void judge_idle_governor(struct findings *findings, const struct host_facts *host)
{
	const bool bad = host->idle_governor && strcmp(host->idle_governor, "ladder") == 0;
	struct finding *finding = finding_add(findings, FINDING_HOST, "cpu_idle_governor",
					      bad ? FINDING_NOTE : FINDING_OK);

	FINDING_TEXT(finding->found, "%s", host->idle_governor ? host->idle_governor : "");
	FINDING_TEXT(finding->wanted, "menu or teo");
	if (!bad)
		return;
	FINDING_TEXT(finding->text, "the CPU idle governor is %s: wake-ups take longer",
		     host->idle_governor);
	FINDING_TEXT(finding->cure, "echo menu > /sys/devices/system/cpu/cpuidle/current_governor");
}

static bool is_slow_clock(const char *clocksource)
{
	static const char *const slow[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies"};

	for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++) {
		if (strcmp(clocksource, slow[i]) == 0)
			return true;
	}
	return false;
}

static void judge_clocksource(struct findings *findings, const struct host_facts *host)
{
	const bool bad = host->clocksource && is_slow_clock(host->clocksource);
	struct finding *finding = finding_add(findings, FINDING_HOST, "clocksource",
					      bad ? FINDING_WARNING : FINDING_OK);

	FINDING_TEXT(finding->found, "%s", host->clocksource ? host->clocksource : "");
	FINDING_TEXT(finding->wanted, "tsc");
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "the kernel's clock is %s: every time stamp costs about a microsecond",
		     host->clocksource);
	FINDING_TEXT(finding->cure, "echo tsc > /sys/devices/system/clocksource/clocksource0/"
				    "current_clocksource");
}

static void judge_virtualisation(struct findings *findings, const struct host_facts *host)
{
	const bool is_virtual = host->virtualisation && strcmp(host->virtualisation, "none") != 0;
	struct finding *finding = finding_add(findings, FINDING_HOST, "virtualisation",
					      is_virtual ? FINDING_NOTE : FINDING_OK);

	FINDING_TEXT(finding->found, "%s", host->virtualisation ? host->virtualisation : "");
	FINDING_TEXT(finding->wanted, "none");
	if (is_virtual)
		FINDING_TEXT(finding->text,
			     "a virtual machine (%s): its host takes part in every "
			     "figure",
			     host->virtualisation);
}

static unsigned int count_mitigations(const char *text)
{
	unsigned int nr = 0;

	while (text && (text = strstr(text, "Mitigation:"))) {
		nr++;
		text++;
	}
	return nr;
}

static void judge_mitigations(struct findings *findings, const struct host_facts *host)
{
	const unsigned int nr = count_mitigations(host->mitigations);
	struct finding *finding =
		finding_add(findings, FINDING_HOST, "mitigations", nr ? FINDING_NOTE : FINDING_OK);

	if (host->mitigations)
		FINDING_TEXT(finding->found, "%u", nr);
	if (!nr)
		return;
	FINDING_TEXT(finding->text,
		     "%u mitigations of CPU vulnerabilities are active: system calls cost more "
		     "than on a host without",
		     nr);
	FINDING_TEXT(finding->cure, "compare with hosts of the same kind, or boot with "
				    "mitigations=off where the host is isolated");
}

/* Words of the kernel's command line that bear on drives or CPUs. */
static bool is_notable(const char *word, size_t length)
{
	static const char *const begins[] = {
		"nvme.",        "nvme_core.", "pcie_aspm",  "pcie_port_pm",
		"mitigations=", "isolcpus=",  "nohz_full=", "intel_iommu",
		"amd_iommu",    "iommu",      "idle=",
	};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		const size_t least = strlen(begins[i]);

		if (length >= least && strncmp(word, begins[i], least) == 0)
			return true;
	}
	return false;
}

static void judge_command_line(struct findings *findings, const struct host_facts *host)
{
	const char *word = host->kernel_command_line ? host->kernel_command_line : "";
	struct finding *finding =
		finding_add(findings, FINDING_HOST, "kernel_command_line", FINDING_OK);
	size_t used = 0;

	while (*word && used < sizeof(finding->found)) {
		const size_t length = strcspn(word, " ");

		if (is_notable(word, length))
			used += (size_t)snprintf(finding->found + used,
						 sizeof(finding->found) - used, "%s%.*s",
						 used ? " " : "", (int)length, word);
		word += length + strspn(word + length, " ");
	}
	if (!used)
		return;
	finding->level = FINDING_NOTE;
	FINDING_TEXT(finding->text, "the kernel was booted with %s", finding->found);
}

static void judge_aspm(struct findings *findings, const struct preflight *preflight)
{
	const char *policy = preflight->host.pcie_aspm_policy;
	const bool bad = policy && strncmp(policy, "power", strlen("power")) == 0;
	bool any = preflight->nr_drives == 0;
	struct finding *finding;

	for (size_t i = 0; i < preflight->nr_drives; i++)
		any |= preflight->drive[i].facts && preflight->drive[i].facts->nr_controllers > 0;
	if (!any)
		return;
	finding = finding_add(findings, FINDING_HOST, "pcie_aspm",
			      bad ? FINDING_WARNING : FINDING_OK);
	FINDING_TEXT(finding->found, "%s", policy ? policy : "");
	FINDING_TEXT(finding->wanted, "performance or default");
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "PCI Express links save power (ASPM policy %s): waking one adds microseconds "
		     "to an I/O",
		     policy);
	FINDING_TEXT(finding->cure, "echo performance > /sys/module/pcie_aspm/parameters/policy");
}

static void judge_uring(struct findings *findings, const struct preflight *preflight)
{
	const bool bad = preflight->uring_gap[0];
	const int disabled = preflight->host.io_uring_disabled;
	struct finding *finding;

	if (preflight->options.no_uring)
		return;
	finding =
		finding_add(findings, FINDING_HOST, "io_uring", bad ? FINDING_WARNING : FINDING_OK);
	FINDING_TEXT(finding->found, "%s", bad ? preflight->uring_gap : "available");
	FINDING_TEXT(finding->wanted, "available");
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "io_uring cannot be used: %s; libaio takes its place, at a higher cost for "
		     "each I/O",
		     preflight->uring_gap);
	FINDING_TEXT(finding->cure, "%s",
		     disabled > 0 ? "sysctl -w kernel.io_uring_disabled=0"
				  : "run outside of the container, or let its seccomp profile "
				    "allow io_uring_setup, io_uring_enter and io_uring_register");
}

static void judge_memlock(struct findings *findings, const struct preflight *preflight)
{
	const struct host_facts *host = &preflight->host;
	const uint64_t wanted = preflight->options.memory_bytes ? preflight->options.memory_bytes
								: ENGINE_MEMORY_DEFAULT;
	const bool free = host->memlock_bytes == UINT64_MAX || host->capabilities & CAP_IPC_LOCK;
	const bool bad = !free && host->memlock_bytes < wanted;
	struct finding *finding = finding_add(findings, FINDING_HOST, "locked_memory",
					      bad ? FINDING_NOTE : FINDING_OK);
	char found[UNITS_TEXT_MAX], least[UNITS_TEXT_MAX];

	FINDING_TEXT(finding->found, "%s",
		     free ? "unlimited" : size_format(host->memlock_bytes, found));
	FINDING_TEXT(finding->wanted, "%s", size_format(wanted, least));
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "at most %s of memory may be locked: buffers are not registered with "
		     "io_uring, which costs CPU for each I/O",
		     found);
	FINDING_TEXT(finding->cure, "ulimit -l unlimited, as root or after raising memlock in "
				    "/etc/security/limits.conf");
}

static void judge_open_files(struct findings *findings, const struct host_facts *host)
{
	const bool bad = host->nofile < OPEN_FILES_MIN;
	struct finding *finding =
		finding_add(findings, FINDING_HOST, "open_files", bad ? FINDING_NOTE : FINDING_OK);

	FINDING_TEXT(finding->found, "%" PRIu64, host->nofile);
	FINDING_TEXT(finding->wanted, "%d", OPEN_FILES_MIN);
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "at most %" PRIu64 " files may be open: steps with many jobs are refused",
		     host->nofile);
	FINDING_TEXT(finding->cure, "ulimit -n %d", OPEN_FILES_MIN);
}

static void judge_aio(struct findings *findings, const struct host_facts *host)
{
	const uint64_t left = host->aio_max_nr > host->aio_nr ? host->aio_max_nr - host->aio_nr : 0;
	const bool bad = host->aio_max_nr && left < AIO_REQUESTS_MIN;
	struct finding *finding = finding_add(findings, FINDING_HOST, "aio_requests",
					      bad ? FINDING_NOTE : FINDING_OK);

	if (host->aio_max_nr)
		FINDING_TEXT(finding->found, "%" PRIu64, left);
	FINDING_TEXT(finding->wanted, "%d", AIO_REQUESTS_MIN);
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "libaio has room for %" PRIu64 " requests (fs.aio-max-nr %" PRIu64
		     ", in use %" PRIu64 "): steps with many jobs are refused",
		     left, host->aio_max_nr, host->aio_nr);
	FINDING_TEXT(finding->cure, "sysctl -w fs.aio-max-nr=1048576");
}

static void judge_cpus(struct findings *findings, const struct host_facts *host)
{
	const bool fewer = host->cpus_allowed && host->cpus_allowed < host->cpus_online;
	struct finding *finding = finding_add(findings, FINDING_HOST, "cpus_allowed",
					      fewer ? FINDING_NOTE : FINDING_OK);

	if (host->cpus_allowed)
		FINDING_TEXT(finding->found, "%" PRIu32, host->cpus_allowed);
	if (host->cpus_online)
		FINDING_TEXT(finding->wanted, "%" PRIu32, host->cpus_online);
	if (fewer)
		FINDING_TEXT(finding->text, "%" PRIu32 " of %" PRIu32 " CPUs may be used (%.120s)",
			     host->cpus_allowed, host->cpus_online, host->cpus_allowed_list);
}

void judge_host(struct findings *findings, const struct preflight *preflight)
{
	const struct host_facts *host = &preflight->host;

	judge_governor(findings, host);
	judge_idle_governor(findings, host);
	judge_clocksource(findings, host);
	judge_cpus(findings, host);
	judge_virtualisation(findings, host);
	judge_mitigations(findings, host);
	judge_command_line(findings, host);
	judge_aspm(findings, preflight);
	judge_uring(findings, preflight);
	judge_memlock(findings, preflight);
	judge_open_files(findings, host);
	judge_aio(findings, host);
}
