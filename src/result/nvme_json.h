/* SPDX-License-Identifier: MIT */
#ifndef SSDBENCH_RESULT_NVME_JSON_H
#define SSDBENCH_RESULT_NVME_JSON_H

#include "ssdbench/target.h"

/* The ways to a drive, with their links. */
struct json_t *controllers_json(const struct drive_facts *facts);

/* What the drive tells of itself; null where it could not be asked. */
struct json_t *nvme_json(const struct nvme_facts *nvme, uint32_t logical_block_bytes);

/* A temperature, or null where unknown. */
struct json_t *temperature_json(int32_t celsius);

#endif
