/* SPDX-License-Identifier: MIT */
/* A phase while it is being read, with what the finished one does not keep. */
#ifndef SSDBENCH_PROFILE_DRAFT_H
#define SSDBENCH_PROFILE_DRAFT_H

#include "ssdbench/profile.h"

struct draft {
	struct phase phase;
	bool enabled;
	uint32_t *iodepth, *numjobs; /* the lists that make the points; owned; NULL: absent */
	size_t nr_iodepth, nr_numjobs;
	bool has_bs, has_points, has_rwmixread;
};

#endif
