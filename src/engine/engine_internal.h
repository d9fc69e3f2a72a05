/* SPDX-License-Identifier: MIT */
/* For tests of the engine: the same on rings and limits of their own. */
#ifndef SSDBENCH_ENGINE_INTERNAL_H
#define SSDBENCH_ENGINE_INTERNAL_H

#include "ring.h"

/* As engine_run(), but every drive, null targets too, uses @ops. NULL: as engine_run(). */
int engine_run_on(const struct ring_ops *ops, struct engine_result *result,
		  const struct engine_config *config, const struct step *step,
		  const struct engine_drive *drives, size_t nr, const struct engine_hooks *hooks,
		  struct error *err);

/* As engine_check(), with limits read below @proc and @cgroup. */
int engine_check_at(const char *proc, const char *cgroup, const struct engine_config *config,
		    const struct plan *plan, struct error *err);

#endif
