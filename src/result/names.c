// SPDX-License-Identifier: MIT
/* The words of the result for its enumerations. */
#include "names.h"

#include <assert.h>

const char *step_status_name(enum step_status status)
{
	static const char *const name[] = {
		[STEP_OK] = "ok",
		[STEP_SKIPPED] = "skipped",
		[STEP_FAILED] = "failed",
		[STEP_ERRORS] = "errors",
		[STEP_INTERRUPTED] = "interrupted",
	};

	return name[status];
}

const char *flag_name(enum flag_kind kind)
{
	static const char *const name[FLAGS] = {
		[FLAG_UNWRITTEN] = "unwritten",       [FLAG_ERRORS] = "errors",
		[FLAG_INTERRUPTED] = "interrupted",   [FLAG_SHORT] = "short",
		[FLAG_HOST_LIMITED] = "host_limited", [FLAG_FALLBACK_ENGINE] = "fallback_engine",
		[FLAG_NOT_A_DEVICE] = "not_a_device", [FLAG_CLOCK_DRIFT] = "clock_drift",
		[FLAG_THROTTLED] = "throttled",       [FLAG_NOT_PURGED] = "not_purged",
	};

	assert(kind < FLAGS);
	return name[kind];
}

const char *offset_order_name(enum offset_order order)
{
	static const char *const name[] = {
		[ORDER_SEQUENTIAL] = "sequential",
		[ORDER_RANDOM] = "random",
		[ORDER_ONCE] = "once",
		[ORDER_MAP] = "map",
	};

	return name[order];
}

const char *direction_name(enum direction dir)
{
	return dir == DIR_READ ? "read" : "write";
}
