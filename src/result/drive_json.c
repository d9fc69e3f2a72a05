// SPDX-License-Identifier: MIT
#include <jansson.h>

#include "gaps.h"
#include "nvme_json.h"
#include "ssdbench/value.h"

struct json_t *gaps_json(const struct fact_gap *gap, size_t nr)
{
	json_t *list = json_array();

	for (size_t i = 0; i < nr; i++) {
		const struct value_member members[] = {
			{"key", value_text(gap[i].key)},
			{"reason", value_text(gap[i].reason)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

static json_t *identity_json(const struct drive_facts *facts)
{
	const struct value_member members[] = {
		{"kind", json_string(target_kind_name(facts->kind))},
		{"word", value_text(facts->word)},
		{"path", value_text(facts->path)},
		{"name", value_text(facts->name)},
		{"disk", value_text(facts->disk)},
		{"model", value_text(facts->model)},
		{"serial", value_text(facts->serial)},
		{"firmware", value_text(facts->firmware)},
		{"wwid", value_text(facts->wwid)},
		{"nsid", value_known(facts->nsid)},
	};

	return VALUE_OBJECT(members);
}

static json_t *geometry_json(const struct drive_facts *facts)
{
	const bool device = facts->kind == TARGET_BLOCK;
	const bool nvme = facts->nsze_blocks > 0;
	const struct value_member members[] = {
		{"capacity_bytes", value_known(facts->capacity_bytes)},
		{"is_partition", json_boolean(facts->is_partition)},
		{"partition_start_bytes",
		 facts->is_partition ? value_u64(facts->partition_start_bytes) : json_null()},
		{"logical_block_bytes", value_known(facts->logical_block_bytes)},
		{"physical_block_bytes", value_known(facts->physical_block_bytes)},
		{"metadata_bytes", device ? value_u64(facts->metadata_bytes) : json_null()},
		{"indirection_unit_bytes", value_known(facts->indirection_unit_bytes)},
		{"optimal_io_bytes", value_known(facts->optimal_io_bytes)},
		{"namespace_size_blocks", value_known(facts->nsze_blocks)},
		{"namespace_use_blocks", nvme ? value_u64(facts->nuse_blocks) : json_null()},
	};

	return VALUE_OBJECT(members);
}

static json_t *settings_json(const struct drive_facts *facts)
{
	const struct value_member members[] = {
		{"read_only", json_boolean(facts->read_only)},
		{"rotational", json_boolean(facts->rotational)},
		{"open_flags", facts->open_flags[0] ? json_string(facts->open_flags) : json_null()},
		{"ram_backed", json_boolean(facts->ram_backed)},
		{"filesystem", value_text(facts->filesystem)},
		{"scheduler", value_text(facts->scheduler)},
		{"write_cache", value_text(facts->write_cache)},
		{"zoned", value_text(facts->zoned)},
		{"max_request_bytes", value_known(facts->max_sectors_bytes)},
		{"max_hw_request_bytes", value_known(facts->max_hw_sectors_bytes)},
		{"nr_requests", value_known(facts->nr_requests)},
		{"numa_node", facts->numa_node < 0 ? json_null() : json_integer(facts->numa_node)},
		{"io_poll", json_boolean(facts->io_poll)},
		{"controllers", controllers_json(facts)},
		{"nvme", nvme_json(facts->nvme, facts->logical_block_bytes)},
	};

	return VALUE_OBJECT(members);
}

struct json_t *result_drive_json(const struct drive_facts *facts)
{
	json_t *drive = identity_json(facts);
	json_t *geometry = geometry_json(facts);
	json_t *settings = settings_json(facts);
	int failed = !drive;

	failed |= json_object_update(drive, geometry);
	failed |= json_object_update(drive, settings);
	failed |= json_object_set_new(drive, "gaps", gaps_json(facts->gap, facts->nr_gaps));
	json_decref(geometry);
	json_decref(settings);
	if (!failed)
		return drive;
	json_decref(drive);
	return NULL;
}
