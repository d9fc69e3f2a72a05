// SPDX-License-Identifier: MIT
/*
 * Format NVM and Sanitize. Figures are of the NVMe base specification 2.0. The drive is asked anew what it
 * can do and what an erase reaches: both may have changed since it was found.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "admin.h"
#include "bytes.h"
#include "facts.h"
#include "identify.h"
#include "internal.h"
#include "purge.h"
#include "ssdbench/clock.h"

#define FORMAT_USER_DATA_ERASE 1U /* SES, figure 189 */
#define FORMAT_CRYPTO_ERASE    2U

#define SANITIZE_LOG_BYTES 512
#define SANITIZE_POLL_NS   (200 * NSEC_PER_MSEC)

/* SSTAT bits 2:0 of the Sanitize Status log, figure 266. */
enum {
	SANITIZE_DONE = 1,
	SANITIZE_IN_PROGRESS = 2,
	SANITIZE_FAILED = 3,
	SANITIZE_DONE_FORCED = 4, /* done, and deallocated although that was not asked for */
};

struct drive {
	struct nvme_controller controller;
	struct nvme_namespace ns;
	bool protection_first; /* DPS bit 3: at the start of the metadata */
};

/* Is there a drive to send commands to, all of which is the target? */
static int check_channel(struct purge *purge)
{
	const struct target *target = purge->target;
	const char *gap = facts_gap_reason(target->facts, "nvme");

	if (target->facts->is_partition)
		purge_say(purge, "the target is a partition, and this erases the whole drive");
	else if (target->facts->nr_controllers == 0)
		purge_say(purge, "not an NVMe drive");
	else if (!target->admin || !target->facts->nsid)
		purge_say(purge, "the drive cannot be asked: %s",
			  gap ? gap : "its NSID is unknown");
	else
		return 0;
	return PURGE_UNFIT;
}

static int ask(struct purge *purge, enum admin_identify what, uint32_t nsid, uint8_t *page,
	       struct error *err)
{
	struct admin *admin = purge->target->admin;
	const int answer = admin->ops->identify(admin, what, nsid, page);
	char reason[ADMIN_REASON_MAX];

	if (!answer)
		return 0;
	return error_set(err, answer < 0 ? answer : -EIO, "%s: Identify before its purge: %s",
			 purge->target->facts->word, admin_reason(answer, reason));
}

/* What the drive behind the channel is and can do now. */
static int ask_drive(struct purge *purge, struct drive *drive, struct error *err)
{
	const struct drive_facts *facts = purge->target->facts;
	uint8_t page[ADMIN_IDENTIFY_BYTES] = {0};
	int ret = check_channel(purge);

	if (!ret)
		ret = ask(purge, IDENTIFY_CONTROLLER, 0, page, err);
	if (ret)
		return ret;
	identify_controller_parse(&drive->controller, page);
	if (facts->nvme && facts->nvme->has_controller &&
	    memcmp(facts->nvme->controller.serial, drive->controller.serial,
		   sizeof(drive->controller.serial)) != 0)
		return error_refuse(err, "%s: its controller has another serial than at the start",
				    facts->word);
	ret = ask(purge, IDENTIFY_NAMESPACE, facts->nsid, page, err);
	if (ret)
		return ret;
	identify_namespace_parse(&drive->ns, page);
	drive->protection_first = page[29] & 0x8;
	return 0;
}

static bool share_a_controller(const struct drive_facts *a, const struct drive_facts *b)
{
	for (size_t i = 0; i < a->nr_controllers; i++) {
		for (size_t k = 0; k < b->nr_controllers; k++) {
			if (!strcmp(a->controller[i].name, b->controller[k].name))
				return true;
		}
	}
	return false;
}

/* Is namespace @nsid of the target's drive one that is to be purged too? */
static bool is_consented(const struct purge *purge, uint32_t nsid)
{
	for (size_t i = 0; i < purge->request->nr_targets; i++) {
		const struct target *other = purge->request->targets[i];

		if (other->access == TARGET_WRITE && other->facts->nsid == nsid &&
		    !other->facts->is_partition &&
		    share_a_controller(other->facts, purge->target->facts))
			return true;
	}
	return false;
}

/* Of a command that erases every namespace of the drive: each must be a target. */
static int check_reach(struct purge *purge, const struct nvme_controller *controller)
{
	/* A drive that manages namespaces may hold some that no controller has attached. */
	const enum admin_identify list = controller->oacs & NVME_OACS_NAMESPACES
						 ? IDENTIFY_ALLOCATED_LIST
						 : IDENTIFY_ACTIVE_LIST;
	uint8_t page[ADMIN_IDENTIFY_BYTES] = {0};
	struct error cause = {0};

	if (ask(purge, list, 0, page, &cause)) {
		purge_say(purge, "it may reach other namespaces: %.160s", cause.text);
		return PURGE_REFUSED;
	}
	for (size_t at = 0; at < sizeof(page); at += 4) {
		const uint32_t nsid = bytes_u32(page + at);

		if (nsid == 0)
			break;
		if (is_consented(purge, nsid))
			continue;
		purge_say(purge,
			  "this drive erases all its namespaces at once, and namespace %u is no "
			  "target of this run",
			  nsid);
		return PURGE_REFUSED;
	}
	return 0;
}

/* Answers that come before anything is erased: the drive does not know the command or this form of it. */
static bool is_unsupported(int status)
{
	const int code = status & 0x7ff;

	return code == 0x001 || code == 0x002 || code == 0x10a;
}

static int judge(struct purge *purge, const char *command, int answer, struct error *err)
{
	struct purge_outcome *outcome = purge->outcome;
	char reason[ADMIN_REASON_MAX];

	if (answer >= 0)
		outcome->nvme_status = answer;
	if (answer == 0)
		return 0;
	admin_reason(answer, reason);
	outcome->drive_failed = answer > 0;
	if (answer > 0 && is_unsupported(answer)) {
		outcome->used = PURGE_NONE;
		purge_say(purge, "%s: %s", command, reason);
		return PURGE_UNFIT;
	}
	return error_set(err, answer < 0 ? answer : -EIO, "%s: %s: %s", purge->target->facts->word,
			 command, reason);
}

/* Command dword 10 (figure 189): the format, metadata and protection that are in use, and an erase. */
static uint32_t format_dword10(const struct drive *drive, uint32_t erase)
{
	const struct nvme_namespace *ns = &drive->ns;

	return (ns->format_in_use & 0xf) | (uint32_t)ns->metadata_extended << 4 |
	       (uint32_t)ns->protection << 5 | (uint32_t)drive->protection_first << 8 | erase << 9 |
	       (ns->format_in_use >> 4 & 0x3) << 12;
}

int purge_by_format(struct purge *purge, enum purge_method method, struct error *err)
{
	const uint32_t erase =
		method == PURGE_FORMAT_CRYPTO ? FORMAT_CRYPTO_ERASE : FORMAT_USER_DATA_ERASE;
	struct admin *admin = purge->target->admin;
	struct drive drive;
	int ret = ask_drive(purge, &drive, err);

	if (ret)
		return ret;
	if (!(drive.controller.oacs & NVME_OACS_FORMAT)) {
		purge_say(purge, "the drive has no Format NVM (OACS bit 1)");
		return PURGE_UNFIT;
	}
	if (erase == FORMAT_CRYPTO_ERASE && !(drive.controller.fna & NVME_FNA_CRYPTO)) {
		purge_say(purge, "the drive has no cryptographic erase (FNA bit 2)");
		return PURGE_UNFIT;
	}
	if (drive.controller.fna & (NVME_FNA_FORMAT_REACHES_ALL | NVME_FNA_ERASE_REACHES_ALL))
		ret = check_reach(purge, &drive.controller);
	if (ret)
		return ret;
	purge->outcome->used = method;
	return judge(purge, "Format NVM",
		     admin->ops->format(admin, purge->target->facts->nsid,
					format_dword10(&drive, erase)),
		     err);
}

struct sanitize_operation {
	const char *name;
	uint32_t capability; /* bit of SANICAP */
	uint32_t dword10;    /* SANACT, and OWPASS of 1 (figure 307) */
};

static struct sanitize_operation operation_of(enum purge_method method)
{
	static const struct sanitize_operation block = {"block erase", NVME_SANICAP_BLOCK, 0x2};
	static const struct sanitize_operation crypto = {"cryptographic erase", NVME_SANICAP_CRYPTO,
							 0x4};
	static const struct sanitize_operation overwrite = {"overwrite", NVME_SANICAP_OVERWRITE,
							    0x3 | 1U << 4};

	switch (method) {
	case PURGE_SANITIZE_CRYPTO: return crypto;
	case PURGE_SANITIZE_OVERWRITE: return overwrite;
	default: return block;
	}
}

/* @state: SSTAT bits 2:0. @fraction of the work that is done. */
static int sanitize_state(struct purge *purge, unsigned int *state, double *fraction,
			  struct error *err)
{
	struct admin *admin = purge->target->admin;
	uint8_t page[SANITIZE_LOG_BYTES] = {0};
	const int answer =
		admin->ops->get_log(admin, LOG_SANITIZE, ADMIN_NSID_ALL, page, sizeof(page));
	char reason[ADMIN_REASON_MAX];

	if (answer) {
		purge->outcome->drive_failed = answer > 0;
		return error_set(err, answer < 0 ? answer : -EIO, "%s: Sanitize Status log: %s",
				 purge->target->facts->word, admin_reason(answer, reason));
	}
	*fraction = bytes_u16(page) / 65536.0;
	*state = bytes_u16(page + 2) & 0x7;
	return 0;
}

static int wait_until_sanitized(struct purge *purge, struct error *err)
{
	const struct timespec pause = {.tv_nsec = SANITIZE_POLL_NS};
	const char *word = purge->target->facts->word;
	unsigned int state = SANITIZE_IN_PROGRESS;
	double fraction;
	int ret;

	for (;;) {
		ret = sanitize_state(purge, &state, &fraction, err);
		if (ret || state != SANITIZE_IN_PROGRESS)
			break;
		purge_tell(purge, fraction);
		if (purge_stopped(purge))
			return error_set(err, -EINTR,
					 "%s: stopped at %.0f %% of a sanitize, which goes on in "
					 "the drive; it serves no I/O until that is done",
					 word, 100 * fraction);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL); /* a signal wakes it early */
	}
	if (ret || state == SANITIZE_DONE || state == SANITIZE_DONE_FORCED)
		return ret;
	purge->outcome->drive_failed = true;
	return error_set(err, -EIO, "%s: %s (Sanitize Status log, SSTAT %u)", word,
			 state == SANITIZE_FAILED ? "its sanitize failed"
						  : "the drive says that it did not sanitize",
			 state);
}

static int check_idle(struct purge *purge, struct error *err)
{
	unsigned int state;
	double fraction;
	const int ret = sanitize_state(purge, &state, &fraction, err);

	if (ret || state != SANITIZE_IN_PROGRESS)
		return ret;
	return error_set(err, -EBUSY,
			 "%s: a sanitize is under way in the drive already, at %.0f %%",
			 purge->target->facts->word, 100 * fraction);
}

int purge_by_sanitize(struct purge *purge, enum purge_method method, struct error *err)
{
	const struct sanitize_operation operation = operation_of(method);
	struct admin *admin = purge->target->admin;
	struct drive drive;
	int ret = ask_drive(purge, &drive, err);

	if (ret)
		return ret;
	if (!(drive.controller.sanicap & operation.capability)) {
		purge_say(purge, "the drive has no sanitize by %s (SANICAP 0x%x)", operation.name,
			  drive.controller.sanicap);
		return PURGE_UNFIT;
	}
	ret = check_reach(purge, &drive.controller);
	if (!ret)
		ret = check_idle(purge, err);
	if (ret)
		return ret;
	purge->outcome->used = method;
	ret = judge(purge, "Sanitize", admin->ops->sanitize(admin, operation.dword10), err);
	return ret ? ret : wait_until_sanitized(purge, err);
}
