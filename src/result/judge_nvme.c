// SPDX-License-Identifier: MIT
/* An NVMe drive's way to the CPU: its PCI Express link, its NUMA node, its queue, its settings. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cpu_ranges.h"
#include "judge.h"
#include "ssdbench/units.h"

#define REQUESTS_MIN 128 /* of the block layer's queue; NVMe has 1023 unless someone changed it */

static const char *speed_text(uint32_t mt_per_s, char text[UNITS_TEXT_MAX])
{
	snprintf(text, UNITS_TEXT_MAX, "%" PRIu32 ".%" PRIu32 " GT/s", mt_per_s / 1000,
		 mt_per_s % 1000 / 100);
	return text;
}

static void cure_link(struct finding *finding, const struct drive_controller *controller)
{
	FINDING_TEXT(finding->cure,
		     "reseat the drive, then look at its slot, cable and BIOS settings: lspci -vv "
		     "-s %s",
		     controller->address ? controller->address : controller->name);
}

static void judge_link_speed(struct findings *findings, const struct drive_controller *controller,
			     size_t index)
{
	const struct pcie_link *link = &controller->link;
	struct finding *finding = finding_add(findings, index, "pcie_link_speed",
					      link->slow ? FINDING_WARNING : FINDING_OK);
	char found[UNITS_TEXT_MAX], wanted[UNITS_TEXT_MAX];

	if (link->speed_mt_per_s)
		FINDING_TEXT(finding->found, "%s", speed_text(link->speed_mt_per_s, found));
	if (link->max_speed_mt_per_s)
		FINDING_TEXT(finding->wanted, "%s", speed_text(link->max_speed_mt_per_s, wanted));
	if (!link->slow)
		return;
	FINDING_TEXT(finding->text, "the PCI Express link of %s runs at %s, the drive can do %s",
		     controller->name, found, wanted);
	cure_link(finding, controller);
}

static void judge_link_width(struct findings *findings, const struct drive_controller *controller,
			     size_t index)
{
	const struct pcie_link *link = &controller->link;
	struct finding *finding = finding_add(findings, index, "pcie_link_width",
					      link->narrow ? FINDING_WARNING : FINDING_OK);

	if (link->width)
		FINDING_TEXT(finding->found, "x%" PRIu32, link->width);
	if (link->max_width && (link->narrow || link->width == link->max_width))
		FINDING_TEXT(finding->wanted, "x%" PRIu32, link->max_width);
	else if (link->max_width)
		FINDING_TEXT(finding->wanted, "x%" PRIu32 " (dual-port)", link->width);
	if (!link->narrow)
		return;
	FINDING_TEXT(finding->text,
		     "the PCI Express link of %s has %" PRIu32 " lanes, the drive can use %" PRIu32,
		     controller->name, link->width, link->max_width);
	cure_link(finding, controller);
}

static void judge_links(struct findings *findings, const struct drive_facts *facts, size_t index)
{
	for (size_t i = 0; i < facts->nr_controllers; i++) {
		const struct drive_controller *controller = &facts->controller[i];

		if (!controller->transport || strcmp(controller->transport, "pcie") != 0)
			continue;
		judge_link_speed(findings, controller, index);
		judge_link_width(findings, controller, index);
	}
}

/* How many of the CPUs that a run would use there are, and how many are on the drive's node. */
static uint32_t count_near(const struct preflight *preflight, const char *node_cpus, uint32_t *all)
{
	const struct preflight_options *options = &preflight->options;
	uint32_t near = 0;

	if (!options->nr_cpus) {
		*all = preflight->host.cpus_allowed;
		return cpu_ranges_common(preflight->host.cpus_allowed_list, node_cpus);
	}
	*all = (uint32_t)options->nr_cpus;
	for (size_t i = 0; i < options->nr_cpus; i++)
		near += cpu_ranges_have(node_cpus, options->cpus[i]);
	return near;
}

static void judge_node(struct findings *findings, const struct preflight *preflight, size_t index)
{
	const struct preflight_drive *drive = &preflight->drive[index];
	struct finding *finding = finding_add(findings, index, "numa_node", FINDING_OK);
	const int32_t node = drive->facts->numa_node;
	uint32_t near, all;

	if (node < 0) {
		finding->level = FINDING_NOTE;
		FINDING_TEXT(finding->text,
			     "the platform does not tell its NUMA node: nothing says "
			     "which CPUs are near");
		return;
	}
	FINDING_TEXT(finding->found, "%" PRId32, node);
	if (!drive->node_cpus || !preflight->host.cpus_allowed_list)
		return;
	near = count_near(preflight, drive->node_cpus, &all);
	FINDING_TEXT(finding->wanted, "CPUs %.60s", drive->node_cpus);
	if (near == all)
		return;
	finding->level = near ? FINDING_NOTE : FINDING_WARNING;
	FINDING_TEXT(finding->text,
		     "%" PRIu32 " of %" PRIu32 " CPUs are on its NUMA node %" PRId32
		     ": I/O from the others crosses nodes",
		     near, all, node);
	FINDING_TEXT(finding->cure, "%s %.200s%s",
		     near ? "ssdbench run --cpus" : "taskset --cpu-list", drive->node_cpus,
		     near ? " ..." : " ssdbench ...");
}

static void judge_requests(struct findings *findings, const struct drive_facts *facts, size_t index)
{
	const bool bad = facts->nr_requests && facts->nr_requests < REQUESTS_MIN;
	struct finding *finding =
		finding_add(findings, index, "nr_requests", bad ? FINDING_NOTE : FINDING_OK);

	if (facts->nr_requests)
		FINDING_TEXT(finding->found, "%" PRIu32, facts->nr_requests);
	FINDING_TEXT(finding->wanted, "%d", REQUESTS_MIN);
	if (!bad)
		return;
	FINDING_TEXT(finding->text,
		     "the block layer's queue takes %" PRIu32
		     " requests: a greater depth waits in the kernel",
		     facts->nr_requests);
	FINDING_TEXT(finding->cure, "echo 1023 > /sys/block/%s/queue/nr_requests", facts->disk);
}

/* The settings that are known, and in the cure those that are not as wanted: whether there are any. */
static bool list_settings(const struct drive_state *state, const char *disk,
			  struct finding *finding)
{
	const struct {
		const char *file;
		int32_t found, wanted;
	} setting[] = {
		{"nomerges", state->nomerges, 2},
		{"iostats", state->iostats, 0},
		{"wbt_lat_usec", state->wbt_latency_us, 0},
	};
	size_t found = 0, cure = 0;

	for (size_t i = 0; i < sizeof(setting) / sizeof(setting[0]); i++) {
		if (setting[i].found < 0)
			continue;
		found += (size_t)snprintf(finding->found + found, sizeof(finding->found) - found,
					  "%s%s=%" PRId32, found ? " " : "", setting[i].file,
					  setting[i].found);
		if (setting[i].found == setting[i].wanted)
			continue;
		cure += (size_t)snprintf(finding->cure + cure, sizeof(finding->cure) - cure,
					 "%secho %" PRId32 " > /sys/block/%.32s/queue/%s",
					 cure ? "; " : "", setting[i].wanted, disk,
					 setting[i].file);
	}
	return cure > 0;
}

/* Defaults of the kernel, which matter to those alone who count instructions for each I/O. */
static void judge_settings(struct findings *findings, const struct preflight_drive *drive,
			   size_t index)
{
	struct finding *finding = finding_add(findings, index, "queue_settings", FINDING_OK);

	FINDING_TEXT(finding->wanted, "nomerges=2 iostats=0 wbt_lat_usec=0");
	if (!list_settings(&drive->state, drive->facts->disk, finding))
		return;
	finding->level = FINDING_NOTE;
	FINDING_TEXT(finding->text,
		     "the block layer merges, counts or throttles (%s): this costs CPU for each "
		     "I/O, and merging makes small sequential requests larger",
		     finding->found);
}

static void judge_write_cache(struct findings *findings, const struct drive_facts *facts,
			      size_t index)
{
	const struct nvme_facts *nvme = facts->nvme;
	const bool off = nvme && nvme->has_controller && nvme->controller.write_cache &&
			 nvme->write_cache_on == 0;
	struct finding *finding =
		finding_add(findings, index, "write_cache", off ? FINDING_WARNING : FINDING_OK);

	FINDING_TEXT(finding->found, "%s",
		     off                  ? "off"
		     : facts->write_cache ? facts->write_cache
					  : "");
	if (!off)
		return;
	FINDING_TEXT(finding->wanted, "on, or off by intent");
	FINDING_TEXT(finding->text, "the drive has a volatile write cache, and it is off: writes "
				    "are slower than most users see");
	FINDING_TEXT(finding->cure, "nvme set-feature /dev/%s --feature-id=6 --value=1",
		     facts->controller[0].name);
}

static void judge_power(struct findings *findings, const struct drive_facts *facts, size_t index)
{
	const struct nvme_facts *nvme = facts->nvme;
	const int now = nvme ? nvme->power_state_now : -1;
	const bool operational = now >= 0 && now < NVME_POWER_STATES_MAX &&
				 nvme->controller.power_state[now].operational;
	struct finding *finding = finding_add(findings, index, "power_state", FINDING_OK);

	FINDING_TEXT(finding->wanted, "0");
	if (now >= 0)
		FINDING_TEXT(finding->found, "%d", now);
	if (now <= 0 || !operational)
		return; /* one of the others is left at the first I/O */
	finding->level = FINDING_WARNING;
	FINDING_TEXT(finding->text, "power state %d, not 0: the drive is held below its full power",
		     now);
	FINDING_TEXT(finding->cure, "nvme set-feature /dev/%s --feature-id=2 --value=0",
		     facts->controller[0].name);
}

static void judge_apst(struct findings *findings, const struct drive_facts *facts, size_t index)
{
	const bool on = facts->nvme && facts->nvme->apst_on == 1;
	struct finding *finding;

	if (!facts->nvme || facts->nvme->apst_on < 0)
		return;
	finding = finding_add(findings, index, "apst", on ? FINDING_NOTE : FINDING_OK);
	FINDING_TEXT(finding->found, "%s", on ? "on" : "off");
	FINDING_TEXT(finding->wanted, "off");
	if (!on)
		return;
	FINDING_TEXT(finding->text, "the drive goes to sleep by itself (APST): the first I/O after "
				    "a pause waits until it is awake");
	FINDING_TEXT(finding->cure,
		     "nvme set-feature /dev/%s --feature-id=0xc --value=0, or boot "
		     "with nvme_core.default_ps_max_latency_us=0",
		     facts->controller[0].name);
}

void judge_nvme(struct findings *findings, const struct preflight *preflight, size_t index)
{
	const struct preflight_drive *drive = &preflight->drive[index];

	judge_links(findings, drive->facts, index);
	judge_node(findings, preflight, index);
	if (!preflight->options.passthrough) {
		judge_requests(findings, drive->facts, index);
		judge_settings(findings, drive, index);
	}
	judge_write_cache(findings, drive->facts, index);
	judge_power(findings, drive->facts, index);
	judge_apst(findings, drive->facts, index);
}
