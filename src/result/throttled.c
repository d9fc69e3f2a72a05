// SPDX-License-Identifier: MIT
/* Did a drive slow itself down? What its health says of it, in the order of how sure it is. */
#include <inttypes.h>
#include <stdio.h>

#include "ssdbench/result.h"

/* @now is later than @before; a counter that went back says nothing. */
static uint32_t growth(uint32_t before, uint32_t now)
{
	return now > before ? now - before : 0;
}

bool health_throttled(const struct drive_health *before, const struct drive_health *now,
		      int32_t warning_c, char *evidence, size_t size)
{
	const uint32_t light = growth(before->thermal_transitions[0], now->thermal_transitions[0]);
	const uint32_t heavy = growth(before->thermal_transitions[1], now->thermal_transitions[1]);
	const uint32_t minutes =
		growth(before->warning_temperature_minutes, now->warning_temperature_minutes);

	if (light || heavy)
		snprintf(evidence, size,
			 "began to throttle %" PRIu32 " times lightly and %" PRIu32
			 " times heavily by its own count",
			 light, heavy);
	else if (now->has_ocp && now->throttling_status)
		snprintf(evidence, size, "throttled at level %u by its own word",
			 now->throttling_status);
	else if (now->temperature_c != TEMPERATURE_UNKNOWN && warning_c != TEMPERATURE_UNKNOWN &&
		 now->temperature_c >= warning_c)
		snprintf(evidence, size, "%" PRId32 " C, and its warning temperature is %" PRId32,
			 now->temperature_c, warning_c);
	else if (minutes)
		snprintf(evidence, size, "%" PRIu32 " more minutes above its warning temperature",
			 minutes);
	else if (now->critical_warning & NVME_WARNING_TEMPERATURE)
		snprintf(evidence, size, "warns of its temperature");
	else
		return false;
	return true;
}
