// SPDX-License-Identifier: MIT
#include "nvme.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "health_log.h"
#include "identify.h"
#include "link.h"
#include "ssdbench/clock.h"
#include "sysfs.h"

#define DEFAULT_PAGE_BYTES 4096U /* CAP.MPSMIN 0, which every known drive has */

int nvme_open(struct admin **admin, const struct target_roots *roots,
	      const struct drive_facts *facts, struct error *err)
{
	int ret = -ENOTSUP;

	for (size_t i = 0; i < facts->nr_controllers; i++) {
		ret = admin_open(admin, roots, facts->controller[i].name, err);
		if (ret == 0)
			return 0;
	}
	return error_set(err, ret, "%s: no NVMe controller", facts->name);
}

static int gap_of_answer(struct drive_facts *facts, const char *key, const char *command,
			 int answer)
{
	char reason[ADMIN_REASON_MAX];

	return facts_gap(facts, key, "%s: %s", command, admin_reason(answer, reason));
}

/* A string that sysfs did not tell is taken from the drive itself. */
static int adopt_text(struct drive_facts *facts, const char *key, char **field, const char *bytes,
		      size_t len)
{
	if (*field)
		return 0;
	facts_gap_remove(facts, key);
	return facts_set_text(facts, key, field, bytes, len, "Identify Controller");
}

static int adopt_controller(struct drive_facts *facts)
{
	const struct nvme_controller *controller = &facts->nvme->controller;
	int ret = adopt_text(facts, "model", &facts->model, controller->model,
			     sizeof(controller->model));

	if (!ret)
		ret = adopt_text(facts, "serial", &facts->serial, controller->serial,
				 sizeof(controller->serial));
	if (!ret)
		ret = adopt_text(facts, "firmware", &facts->firmware, controller->firmware,
				 sizeof(controller->firmware));
	if (!ret)
		ret = facts_set_text(facts, "nvme.nqn", &facts->nvme->nqn, controller->nqn,
				     strlen(controller->nqn), "Identify Controller");
	return ret;
}

static int read_controller(struct drive_facts *facts, struct admin *admin)
{
	uint8_t page[ADMIN_IDENTIFY_BYTES] = {0};
	const int answer = admin->ops->identify(admin, IDENTIFY_CONTROLLER, 0, page);

	if (answer)
		return gap_of_answer(facts, "nvme", "Identify Controller", answer);
	identify_controller_parse(&facts->nvme->controller, page);
	facts->nvme->has_controller = true;
	return adopt_controller(facts);
}

/* The drive's own word for what sysfs lacks: before Linux 6.8 metadata and use, and a unit that is told there only. */
static void adopt_namespace(struct drive_facts *facts)
{
	const struct nvme_namespace *ns = &facts->nvme->ns;
	const uint64_t unit = (uint64_t)ns->preferred_write_blocks * facts->logical_block_bytes;

	if (facts_gap_reason(facts, "metadata_bytes")) {
		facts_gap_remove(facts, "metadata_bytes");
		facts->metadata_bytes = ns->format[ns->format_in_use].metadata_bytes;
	}
	if (facts_gap_reason(facts, "nuse_blocks")) {
		facts_gap_remove(facts, "nuse_blocks");
		facts->nuse_blocks = ns->use_blocks;
	}
	if (!facts->indirection_unit_bytes && unit > facts->logical_block_bytes) {
		facts_gap_remove(facts, "indirection_unit_bytes");
		facts->indirection_unit_bytes = unit;
	}
}

static int read_namespace(struct drive_facts *facts, struct admin *admin)
{
	uint8_t page[ADMIN_IDENTIFY_BYTES] = {0};
	int answer;

	if (!facts->nsid)
		return facts_gap(facts, "nvme.namespace", "its NSID is unknown");
	answer = admin->ops->identify(admin, IDENTIFY_NAMESPACE, facts->nsid, page);
	if (answer)
		return gap_of_answer(facts, "nvme.namespace", "Identify Namespace", answer);
	identify_namespace_parse(&facts->nvme->ns, page);
	facts->nvme->has_namespace = true;
	adopt_namespace(facts);
	return 0;
}

/* 0 and @value set, 1 and a gap, or -ENOMEM. */
static int read_feature(struct drive_facts *facts, struct admin *admin, enum admin_feature feature,
			const char *key, uint32_t *value)
{
	const int answer = admin->ops->get_feature(admin, feature, 0, value);
	int ret;

	if (!answer)
		return 0;
	ret = gap_of_answer(facts, key, "Get Features", answer);
	return ret ? ret : 1;
}

static int read_features(struct drive_facts *facts, struct admin *admin)
{
	struct nvme_facts *nvme = facts->nvme;
	uint32_t value;
	int ret = read_feature(facts, admin, FEATURE_POWER, "nvme.power_state", &value);

	if (!ret)
		nvme->power_state_now = (int)(value & 0x1f);
	if (ret >= 0 && nvme->controller.write_cache) {
		ret = read_feature(facts, admin, FEATURE_WRITE_CACHE, "nvme.write_cache_enabled",
				   &value);
		if (!ret)
			nvme->write_cache_on = (int)(value & 0x1);
	}
	if (ret >= 0 && nvme->controller.apst) {
		ret = read_feature(facts, admin, FEATURE_AUTONOMOUS_POWER, "nvme.apst_enabled",
				   &value);
		if (!ret)
			nvme->apst_on = (int)(value & 0x1);
	}
	return ret < 0 ? ret : 0;
}

static int derive_max_transfer(struct drive_facts *facts)
{
	struct nvme_facts *nvme = facts->nvme;
	const uint32_t page = nvme->min_page_bytes ? nvme->min_page_bytes : DEFAULT_PAGE_BYTES;

	nvme->max_transfer_bytes = mdts_to_bytes(nvme->controller.mdts, page);
	if (nvme->min_page_bytes)
		return 0;
	return facts_gap(facts, "nvme.min_page_bytes",
			 "the register CAP cannot be read here; max_transfer_bytes takes 4096");
}

/* What Identify says of ports settles whether half of the lanes is a fault. */
static void judge_links(struct drive_facts *facts)
{
	const bool dual_port =
		facts->nr_controllers > 1 || facts->nvme->controller.cmic & NVME_CMIC_PORTS;

	for (size_t i = 0; i < facts->nr_controllers; i++)
		link_judge(&facts->controller[i].link, dual_port);
}

int nvme_facts_read(struct drive_facts *facts, struct admin *admin, uint32_t page_bytes)
{
	int ret;

	facts->nvme = calloc(1, sizeof(*facts->nvme));
	if (!facts->nvme)
		return -ENOMEM;
	facts->nvme->write_cache_on = -1;
	facts->nvme->apst_on = -1;
	facts->nvme->power_state_now = -1;
	facts->nvme->min_page_bytes = page_bytes;
	ret = read_controller(facts, admin);
	if (!ret)
		ret = read_namespace(facts, admin);
	if (ret || !facts->nvme->has_controller)
		return ret;
	judge_links(facts);
	ret = derive_max_transfer(facts);
	return ret ? ret : read_features(facts, admin);
}

/* Of the first controller; the others of a drive have the same. */
static uint32_t page_bytes_of(const struct drive_facts *facts, const struct target_roots *roots)
{
	char dir[PATH_MAX];

	if (path_format(dir, "%s/class/nvme/%s", roots->sys, facts->controller[0].name))
		return 0;
	return controller_page_bytes(dir);
}

int nvme_identify_drive(struct drive_facts *facts, const struct target_roots *roots,
			struct admin **admin)
{
	struct error err = {0};
	int ret;

	*admin = NULL;
	if (facts->nr_controllers == 0)
		return 0;
	ret = nvme_open(admin, roots, facts, &err);
	if (ret)
		return ret == -ENOMEM ? ret : facts_gap(facts, "nvme", "%s", err.text);
	return nvme_facts_read(facts, *admin, page_bytes_of(facts, roots));
}

/* OCP's log where there is one; another answer says that there is none, and it is not asked again. */
static void read_ocp(struct drive_health *health, struct admin *admin)
{
	uint8_t page[HEALTH_LOG_BYTES] = {0};

	if (admin->no_ocp)
		return;
	if (admin->ops->get_log(admin, LOG_OCP_HEALTH, ADMIN_NSID_ALL, page, sizeof(page)) ||
	    !health_log_parse_ocp(health, page))
		admin->no_ocp = true;
}

int nvme_health_read(struct drive_health *health, struct admin *admin, struct error *err)
{
	uint8_t page[HEALTH_LOG_BYTES] = {0};
	char reason[ADMIN_REASON_MAX];
	int answer;

	answer = admin->ops->get_log(admin, LOG_HEALTH, ADMIN_NSID_ALL, page, sizeof(page));
	if (answer)
		return error_set(err, answer < 0 ? answer : -EIO, "SMART / Health log: %s",
				 admin_reason(answer, reason));
	health_log_parse(health, page);
	health->realtime_ns = clock_realtime_ns();
	read_ocp(health, admin);
	return 0;
}

void nvme_facts_free(struct nvme_facts *nvme)
{
	if (!nvme)
		return;
	free(nvme->nqn);
	free(nvme);
}
