/* SPDX-License-Identifier: MIT */
/*
 * How a drive is just now, as far as it bears on figures and is no part of its identity: who else uses
 * it, its health, the settings of its queue, the I/O that others do on it.
 */
#ifndef SSDBENCH_DRIVE_STATE_H
#define SSDBENCH_DRIVE_STATE_H

#include "ssdbench/target.h"

struct drive_state {
	/* Of its queue in sysfs; -1: unknown. */
	int32_t nomerges, iostats, wbt_latency_us;
	char *in_use; /* who uses it and how to end that; NULL: nobody that can be seen */
	char *holds; /* `ext4 file system "data" ...`; NULL: nothing known, or it may not be read */
	bool has_health;
	struct drive_health health;
	char *health_gap; /* why there is none; NULL: there is, or it is no NVMe drive */
};

/*
 * Reads only: sysfs, admin commands that tell, and of a target that is not open the blocks that say what
 * it holds. One that is open is to be measured next and gets no I/O; one that is open for writing has
 * been asked for users before.
 * 0 (release with drive_state_fini()) or -ENOMEM.
 */
int drive_state_read(struct drive_state *state, const struct target *target);
void drive_state_fini(struct drive_state *state);

/* What the kernel has counted on the whole disk since it appeared. */
struct drive_traffic {
	uint64_t reads, writes; /* requests */
	uint64_t bytes;         /* of both */
};

/* False where nothing is counted: no disk, or its queue/iostats is 0. */
bool drive_traffic_read(struct drive_traffic *traffic, const struct target *target);

#endif
