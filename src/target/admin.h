/* SPDX-License-Identifier: MIT */
/*
 * The admin channel of an NVMe controller: a table of the commands that are used here. The real one
 * (admin_libnvme.c) sends them to the controller's node; tests have one that answers from memory.
 */
#ifndef SSDBENCH_TARGET_ADMIN_H
#define SSDBENCH_TARGET_ADMIN_H

#include "ssdbench/target.h"

#define ADMIN_IDENTIFY_BYTES 4096
#define ADMIN_NSID_ALL       0xffffffffU

/* CNS of Identify, log pages and features that are used here. */
enum admin_identify {
	IDENTIFY_NAMESPACE = 0x00,
	IDENTIFY_CONTROLLER = 0x01,
	IDENTIFY_ACTIVE_LIST = 0x02,    /* NSIDs that this controller has attached */
	IDENTIFY_ALLOCATED_LIST = 0x10, /* NSIDs of the whole subsystem */
};
enum admin_log { LOG_HEALTH = 0x02, LOG_SANITIZE = 0x81, LOG_OCP_HEALTH = 0xc0 };
enum admin_feature {
	FEATURE_POWER = 0x02,
	FEATURE_WRITE_CACHE = 0x06,
	FEATURE_AUTONOMOUS_POWER = 0x0c,
};

struct admin;

/* Each command answers 0, a negative errno (it was not sent), or the positive NVMe status of the drive. */
struct admin_ops {
	int (*identify)(struct admin *admin, enum admin_identify what, uint32_t nsid,
			uint8_t page[ADMIN_IDENTIFY_BYTES]);
	int (*get_log)(struct admin *admin, enum admin_log log, uint32_t nsid, void *data,
		       uint32_t bytes);
	int (*get_feature)(struct admin *admin, enum admin_feature feature, uint32_t nsid,
			   uint32_t *value);
	/* Both erase. They take command dword 10 whole; Format NVM is of one namespace, never of all. */
	int (*format)(struct admin *admin, uint32_t nsid, uint32_t dword10);
	int (*sanitize)(struct admin *admin, uint32_t dword10);
	void (*close)(struct admin *admin);
};

struct admin {
	const struct admin_ops *ops;
	/* The drive has refused OCP's log once: each refusal is an entry in its error log. */
	bool no_ocp;
};

/*
 * Open the node of the controller with the kernel name @name. That node must have the number that
 * sysfs gives. 0 and @admin set, which admin_close() releases, or a negative errno with the reason
 * in @err.
 */
int admin_open(struct admin **admin, const struct target_roots *roots, const char *name,
	       struct error *err);

/* NULL is allowed. */
void admin_close(struct admin *admin);

/* Why a command did not give what it should, from its answer. Returns @text. */
#define ADMIN_REASON_MAX 128
const char *admin_reason(int answer, char text[ADMIN_REASON_MAX]);

#endif
