// SPDX-License-Identifier: MIT
/*
 * Offsets: NVMe base specification 2.0, figure 275 (Identify Controller) and figure 276 (power states);
 * NVM command set specification 1.0, figures 97 and 98 (Identify Namespace, LBA formats).
 */
#include "identify.h"

#include "bytes.h"

int32_t kelvin_to_celsius(uint16_t kelvin)
{
	return kelvin ? (int32_t)kelvin - 273 : TEMPERATURE_UNKNOWN;
}

uint64_t mdts_to_bytes(uint8_t mdts, uint32_t page_bytes)
{
	/* More than 2^63 bytes is no limit either. */
	if (!mdts || mdts > 40)
		return 0;
	return (uint64_t)page_bytes << mdts;
}

static struct nvme_power_state parse_power_state(const uint8_t *at)
{
	const uint32_t power = bytes_u16(at);
	const bool fine_scale = at[3] & 0x1; /* MXPS: 0.1 mW, else 10 mW */

	return (struct nvme_power_state){
		.max_power_uw100 = fine_scale ? power : power * 100,
		.operational = !(at[3] & 0x2), /* NOPS */
		.entry_latency_us = bytes_u32(at + 4),
		.exit_latency_us = bytes_u32(at + 8),
	};
}

static void parse_power_states(struct nvme_controller *controller, const uint8_t *page)
{
	const uint32_t nr = (uint32_t)page[263] + 1; /* NPSS counts from 0 */

	controller->nr_power_states = nr < NVME_POWER_STATES_MAX ? nr : NVME_POWER_STATES_MAX;
	for (uint32_t i = 0; i < controller->nr_power_states; i++)
		controller->power_state[i] = parse_power_state(page + 2048 + 32 * i);
}

void identify_controller_parse(struct nvme_controller *controller, const uint8_t page[4096])
{
	*controller = (struct nvme_controller){
		.vendor_id = bytes_u16(page),
		.subsystem_vendor_id = bytes_u16(page + 2),
		.cmic = page[76],
		.mdts = page[77],
		.controller_id = bytes_u16(page + 78),
		.version = bytes_u32(page + 80),
		.oacs = bytes_u16(page + 256),
		.apst = page[265] & 0x1,
		.warning_temperature_c = kelvin_to_celsius(bytes_u16(page + 266)),
		.critical_temperature_c = kelvin_to_celsius(bytes_u16(page + 268)),
		.total_capacity_bytes = bytes_u128(page + 280),
		.unallocated_capacity_bytes = bytes_u128(page + 296),
		.sanicap = bytes_u32(page + 328),
		.nr_namespaces = bytes_u32(page + 516),
		.oncs = bytes_u16(page + 520),
		.fna = page[524],
		.write_cache = page[525] & 0x1,
	};
	memcpy(controller->serial, page + 4, sizeof(controller->serial));
	memcpy(controller->model, page + 24, sizeof(controller->model));
	memcpy(controller->firmware, page + 64, sizeof(controller->firmware));
	memcpy(controller->nqn, page + 768, sizeof(controller->nqn) - 1);
	parse_power_states(controller, page);
}

static struct nvme_lba_format parse_format(const uint8_t *at)
{
	const uint8_t shift = at[2]; /* LBADS; below 9 the format is not available */

	return (struct nvme_lba_format){
		.data_bytes = shift >= 9 && shift < 32 ? 1U << shift : 0,
		.metadata_bytes = bytes_u16(at),
		.performance = at[3] & 0x3,
	};
}

/* FLBAS: four low bits of the index, and where there are more than 16 formats two high ones above. */
static uint32_t format_index(uint8_t flbas, uint32_t nr_formats)
{
	const uint32_t low = flbas & 0xfU, high = flbas >> 5 & 0x3U;

	return nr_formats > 16 ? high << 4 | low : low;
}

static void parse_formats(struct nvme_namespace *ns, const uint8_t *page)
{
	const uint32_t nr = (uint32_t)page[25] + 1; /* NLBAF counts from 0 */

	ns->nr_formats = nr < NVME_FORMATS_MAX ? nr : NVME_FORMATS_MAX;
	for (uint32_t i = 0; i < ns->nr_formats; i++)
		ns->format[i] = parse_format(page + 128 + 4 * i);
	ns->format_in_use = format_index(page[26], ns->nr_formats);
	ns->metadata_extended = page[26] & 0x10;
}

void identify_namespace_parse(struct nvme_namespace *ns, const uint8_t page[4096])
{
	/* OPTPERF: one bit in NVMe 1.4, two in the NVM command set specification 1.1. */
	const bool tells_granularity = page[24] & 0x30;

	*ns = (struct nvme_namespace){
		.size_blocks = bytes_u64(page),
		.capacity_blocks = bytes_u64(page + 8),
		.use_blocks = bytes_u64(page + 16),
		.protection = page[29] & 0x7,
		.dlfeat = page[33],
		.capacity_bytes = bytes_u128(page + 48),
		.write_protected = page[99] & 0x1,
	};
	if (tells_granularity) {
		/* These count from 0. */
		ns->preferred_write_blocks = (uint32_t)bytes_u16(page + 64) + 1;
		ns->preferred_deallocate_blocks = (uint32_t)bytes_u16(page + 68) + 1;
		ns->optimal_write_blocks = (uint32_t)bytes_u16(page + 72) + 1;
	}
	memcpy(ns->nguid, page + 104, sizeof(ns->nguid));
	memcpy(ns->eui64, page + 120, sizeof(ns->eui64));
	parse_formats(ns, page);
}
