/* SPDX-License-Identifier: MIT */
/* The resolved profile as JSON. */
#ifndef SSDBENCH_PROFILE_WRITE_H
#define SSDBENCH_PROFILE_WRITE_H

#include "ssdbench/profile.h"

/* Sets @profile->hash. 0 or -ENOMEM. */
int write_hash(struct profile *profile);

#endif
