/* SPDX-License-Identifier: MIT */
/* Health log pages of 512 bytes, made into numbers. Pure: any bytes are a valid input. */
#ifndef SSDBENCH_TARGET_HEALTH_LOG_H
#define SSDBENCH_TARGET_HEALTH_LOG_H

#include "ssdbench/nvme.h"

#define HEALTH_LOG_BYTES 512

/* Sets all of @health but the time; has_ocp is false then. */
void health_log_parse(struct drive_health *health, const uint8_t page[HEALTH_LOG_BYTES]);

/* Adds OCP's part. False, and nothing set: the page has another GUID, so it is some vendor's own. */
bool health_log_parse_ocp(struct drive_health *health, const uint8_t page[HEALTH_LOG_BYTES]);

#endif
