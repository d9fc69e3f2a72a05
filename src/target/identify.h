/* SPDX-License-Identifier: MIT */
/* The 4096 bytes that Identify answers, made into numbers. Pure: any bytes are a valid input. */
#ifndef SSDBENCH_TARGET_IDENTIFY_H
#define SSDBENCH_TARGET_IDENTIFY_H

#include "ssdbench/nvme.h"

void identify_controller_parse(struct nvme_controller *controller, const uint8_t page[4096]);
void identify_namespace_parse(struct nvme_namespace *ns, const uint8_t page[4096]);

/* Degrees Celsius of a temperature in kelvin; TEMPERATURE_UNKNOWN for 0. */
int32_t kelvin_to_celsius(uint16_t kelvin);

/* The largest transfer of a command by @mdts, a power of two in units of @page_bytes. 0: no limit. */
uint64_t mdts_to_bytes(uint8_t mdts, uint32_t page_bytes);

#endif
