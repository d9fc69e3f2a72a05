/* SPDX-License-Identifier: MIT */
/* What an NVMe drive tells of itself when asked through its admin channel, put into its facts. */
#ifndef SSDBENCH_TARGET_NVME_H
#define SSDBENCH_TARGET_NVME_H

#include "admin.h"

/*
 * Open the admin channel of a drive: of the first of its controllers whose node opens. 0 and @admin
 * set (admin_close()), or a negative errno and @err: -ENOTSUP where it has no NVMe controller.
 */
int nvme_open(struct admin **admin, const struct target_roots *roots,
	      const struct drive_facts *facts, struct error *err);

/*
 * Set facts->nvme from what @admin answers; what it refuses is a gap. Strings that sysfs did not tell are
 * filled in. @page_bytes: of controller_page_bytes(). 0 or -ENOMEM.
 */
int nvme_facts_read(struct drive_facts *facts, struct admin *admin, uint32_t page_bytes);

/* facts->nvme by the drive's own admin channel, with a gap "nvme" where that cannot be opened; nothing for drives
 * that are not NVMe. *@admin: the channel, or NULL. 0 or -ENOMEM. */
int nvme_identify_drive(struct drive_facts *facts, const struct target_roots *roots,
			struct admin **admin);

/* A health reading now. 0; else a negative errno with the reason in @err. */
int nvme_health_read(struct drive_health *health, struct admin *admin, struct error *err);

void nvme_facts_free(struct nvme_facts *nvme);

#endif
