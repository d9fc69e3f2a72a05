// SPDX-License-Identifier: MIT
#include "nvme_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "ssdbench/profile.h"
#include "ssdbench/value.h"

struct json_t *temperature_json(int32_t celsius)
{
	return celsius == TEMPERATURE_UNKNOWN ? json_null() : json_integer(celsius);
}

static json_t *link_json(const struct pcie_link *link)
{
	const struct value_member members[] = {
		{"speed_mt_per_s", value_known(link->speed_mt_per_s)},
		{"width_lanes", value_known(link->width)},
		{"max_speed_mt_per_s", value_known(link->max_speed_mt_per_s)},
		{"max_width_lanes", value_known(link->max_width)},
		{"below_max_speed", json_boolean(link->slow)},
		{"below_max_width", json_boolean(link->narrow)},
	};

	return VALUE_OBJECT(members);
}

struct json_t *controllers_json(const struct drive_facts *facts)
{
	json_t *list = json_array();

	for (size_t i = 0; i < facts->nr_controllers; i++) {
		const struct drive_controller *controller = &facts->controller[i];
		const bool has_link = controller->link.speed_mt_per_s || controller->link.width;
		const struct value_member members[] = {
			{"controller", value_text(controller->name)},
			{"path", value_text(controller->hidden_path)},
			{"address", value_text(controller->address)},
			{"transport", value_text(controller->transport)},
			{"link", has_link ? link_json(&controller->link) : json_null()},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

/* "1.4.0"; the first drives of version 1.0 and 1.1 say 0 (base specification 2.0, figure 275, VER). */
static json_t *version_json(uint32_t version)
{
	char text[32];

	if (!version)
		return json_null();
	snprintf(text, sizeof(text), "%" PRIu32 ".%" PRIu32 ".%" PRIu32, version >> 16,
		 version >> 8 & 0xff, version & 0xff);
	return json_string(text);
}

/* The methods of a purge phase that it says that it supports. */
static json_t *purge_methods_json(const struct nvme_controller *controller)
{
	const struct {
		bool supported;
		enum purge_method method;
	} purge[] = {
		{controller->oacs & NVME_OACS_FORMAT, PURGE_FORMAT},
		{controller->oacs & NVME_OACS_FORMAT && controller->fna & NVME_FNA_CRYPTO,
		 PURGE_FORMAT_CRYPTO},
		{controller->sanicap & NVME_SANICAP_BLOCK, PURGE_SANITIZE_BLOCK},
		{controller->sanicap & NVME_SANICAP_CRYPTO, PURGE_SANITIZE_CRYPTO},
		{controller->sanicap & NVME_SANICAP_OVERWRITE, PURGE_SANITIZE_OVERWRITE},
		{controller->oncs & NVME_ONCS_DEALLOCATE, PURGE_DISCARD},
	};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(purge) / sizeof(purge[0]); i++)
		if (purge[i].supported)
			list = value_append(list, json_string(purge_method_name(purge[i].method)));
	return list;
}

static json_t *power_states_json(const struct nvme_controller *controller)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < controller->nr_power_states; i++) {
		const struct nvme_power_state *state = &controller->power_state[i];
		const bool told = state->max_power_uw100 > 0;
		const struct value_member members[] = {
			{"max_power_w",
			 told ? json_real(state->max_power_uw100 / 10000.0) : json_null()},
			{"operational", json_boolean(state->operational)},
			{"entry_latency_us", value_u64(state->entry_latency_us)},
			{"exit_latency_us", value_u64(state->exit_latency_us)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

static json_t *tristate_json(int value)
{
	return value < 0 ? json_null() : json_boolean(value);
}

static json_t *capacity_json(unsigned __int128 bytes)
{
	return bytes ? value_u128(bytes) : json_null();
}

static json_t *controller_json(const struct nvme_facts *nvme)
{
	const struct nvme_controller *controller = &nvme->controller;
	const struct value_member members[] = {
		{"nqn", value_text(nvme->nqn)},
		{"vendor_id", json_integer(controller->vendor_id)},
		{"subsystem_vendor_id", json_integer(controller->subsystem_vendor_id)},
		{"controller_id", json_integer(controller->controller_id)},
		{"nvme_version", version_json(controller->version)},
		{"multiple_ports", json_boolean(controller->cmic & NVME_CMIC_PORTS)},
		{"total_capacity_bytes", capacity_json(controller->total_capacity_bytes)},
		{"unallocated_capacity_bytes", value_u128(controller->unallocated_capacity_bytes)},
		{"max_transfer_bytes", value_known(nvme->max_transfer_bytes)},
		{"min_page_bytes", value_known(nvme->min_page_bytes)},
		{"oacs", json_integer(controller->oacs)},
		{"oncs", json_integer(controller->oncs)},
		{"sanicap", json_integer(controller->sanicap)},
		{"fna", json_integer(controller->fna)},
		{"purge_methods", purge_methods_json(controller)},
		{"volatile_write_cache", json_boolean(controller->write_cache)},
		{"write_cache_enabled", tristate_json(nvme->write_cache_on)},
		{"power_states", power_states_json(controller)},
		{"power_state",
		 nvme->power_state_now < 0 ? json_null() : json_integer(nvme->power_state_now)},
		{"apst_supported", json_boolean(controller->apst)},
		{"apst_enabled", tristate_json(nvme->apst_on)},
		{"warning_temperature_c", temperature_json(controller->warning_temperature_c)},
		{"critical_temperature_c", temperature_json(controller->critical_temperature_c)},
	};

	return VALUE_OBJECT(members);
}

static json_t *formats_json(const struct nvme_namespace *ns)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < ns->nr_formats; i++) {
		const struct value_member members[] = {
			{"data_bytes", value_known(ns->format[i].data_bytes)},
			{"metadata_bytes", json_integer(ns->format[i].metadata_bytes)},
			{"relative_performance", json_integer(ns->format[i].performance)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

/* Hexadecimal, or null for an identifier of zeros, which is none. */
static json_t *id_json(const uint8_t *id, size_t size)
{
	char text[2 * sizeof(((struct nvme_namespace *)NULL)->nguid) + 1];
	bool given = false;

	for (size_t i = 0; i < size; i++) {
		snprintf(text + 2 * i, 3, "%02x", id[i]);
		given |= id[i] != 0;
	}
	return given ? json_string(text) : json_null();
}

/* DLFEAT bits 2:0. */
static json_t *deallocated_reads_json(uint8_t dlfeat)
{
	switch (dlfeat & NVME_DLFEAT_READS) {
	case 1: return json_string("zeros");
	case 2: return json_string("ones");
	default: return json_null();
	}
}

static json_t *namespace_json(const struct nvme_namespace *ns, uint64_t block)
{
	const struct value_member members[] = {
		{"size_blocks", value_u64(ns->size_blocks)},
		{"capacity_blocks", value_u64(ns->capacity_blocks)},
		{"use_blocks", value_u64(ns->use_blocks)},
		{"allocated_bytes", capacity_json(ns->capacity_bytes)},
		{"formats", formats_json(ns)},
		{"format_index", json_integer(ns->format_in_use)},
		{"metadata_extended", json_boolean(ns->metadata_extended)},
		{"protection_type", json_integer(ns->protection)},
		{"preferred_write_bytes", value_known(ns->preferred_write_blocks * block)},
		{"optimal_write_bytes", value_known(ns->optimal_write_blocks * block)},
		{"preferred_deallocate_bytes",
		 value_known(ns->preferred_deallocate_blocks * block)},
		{"dlfeat", json_integer(ns->dlfeat)},
		{"deallocated_reads", deallocated_reads_json(ns->dlfeat)},
		{"write_zeroes_deallocates", json_boolean(ns->dlfeat & NVME_DLFEAT_WRITE_ZEROES)},
		{"write_protected", json_boolean(ns->write_protected)},
		{"nguid", id_json(ns->nguid, sizeof(ns->nguid))},
		{"eui64", id_json(ns->eui64, sizeof(ns->eui64))},
	};

	return VALUE_OBJECT(members);
}

struct json_t *nvme_json(const struct nvme_facts *nvme, uint32_t logical_block_bytes)
{
	if (!nvme || (!nvme->has_controller && !nvme->has_namespace))
		return json_null();
	const struct value_member members[] = {
		{"controller", nvme->has_controller ? controller_json(nvme) : json_null()},
		{"namespace", nvme->has_namespace ? namespace_json(&nvme->ns, logical_block_bytes)
						  : json_null()},
	};
	return VALUE_OBJECT(members);
}
