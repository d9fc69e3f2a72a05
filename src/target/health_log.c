// SPDX-License-Identifier: MIT
/*
 * Offsets: NVMe base specification 2.0, figure 207 (SMART / Health Information); OCP Datacenter NVMe SSD
 * Specification 2.0, section 4.8.4 (SMART / Health Information Extended, log C0h).
 */
#include "health_log.h"

#include "bytes.h"
#include "identify.h"

/* AFD514C97C6F4F9CA4F2BFEA2810AFC5h, in the order of the page. */
static const uint8_t ocp_guid[16] = {
	0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
	0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf,
};

void health_log_parse(struct drive_health *health, const uint8_t page[HEALTH_LOG_BYTES])
{
	*health = (struct drive_health){
		.critical_warning = page[0],
		.temperature_c = kelvin_to_celsius(bytes_u16(page + 1)),
		.spare_percent = page[3],
		.spare_threshold_percent = page[4],
		.used_percent = page[5],
		.data_units_read = bytes_u128(page + 32),
		.data_units_written = bytes_u128(page + 48),
		.host_reads = bytes_u128(page + 64),
		.host_writes = bytes_u128(page + 80),
		.busy_minutes = bytes_u128(page + 96),
		.power_cycles = bytes_u128(page + 112),
		.power_on_hours = bytes_u128(page + 128),
		.unsafe_shutdowns = bytes_u128(page + 144),
		.media_errors = bytes_u128(page + 160),
		.error_log_entries = bytes_u128(page + 176),
		.warning_temperature_minutes = bytes_u32(page + 192),
		.critical_temperature_minutes = bytes_u32(page + 196),
		.thermal_transitions = {bytes_u32(page + 216), bytes_u32(page + 220)},
		.thermal_seconds = {bytes_u32(page + 224), bytes_u32(page + 228)},
	};
	for (unsigned int i = 0; i < 8; i++)
		health->sensor_c[i] = kelvin_to_celsius(bytes_u16(page + 200 + 2 * i));
}

bool health_log_parse_ocp(struct drive_health *health, const uint8_t page[HEALTH_LOG_BYTES])
{
	if (memcmp(page + 496, ocp_guid, sizeof(ocp_guid)) != 0)
		return false;
	health->has_ocp = true;
	health->physical_written_bytes = bytes_u128(page);
	health->physical_read_bytes = bytes_u128(page + 16);
	health->throttling_events = page[96];
	health->throttling_status = page[97];
	health->pcie_correctable_errors = bytes_u64(page + 104);
	health->incomplete_shutdowns = bytes_u32(page + 112);
	health->free_blocks_percent = page[120];
	health->pcie_link_retrainings = bytes_u64(page + 192);
	return true;
}
