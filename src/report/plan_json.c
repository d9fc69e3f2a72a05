// SPDX-License-Identifier: MIT
/* A plan as one JSON page. Keys that a result has too mean the same there. */
#include "ssdbench/report.h"

#include <jansson.h>

#include "json.h"
#include "ssdbench/value.h"

static json_t *profile_json(const struct profile *profile)
{
	const struct value_member members[] = {
		{"name", value_text(profile->name)},
		{"title", value_text(profile->title)},
		{"origin", value_text(profile->origin)},
		{"hash", value_text(profile->hash)},
	};

	return VALUE_OBJECT(members);
}

static json_t *drive_json(const struct plan *plan, const struct drive_facts *facts, size_t i)
{
	const double writes = (double)plan->write_bytes[i] / (double)facts->capacity_bytes;
	const struct value_member members[] = {
		{"name", value_text(facts->name)},
		{"path", value_text(facts->path)},
		{"model", value_text(facts->model)},
		{"serial", value_text(facts->serial)},
		{"capacity_bytes", value_u64(facts->capacity_bytes)},
		{"logical_block_bytes", value_known(facts->logical_block_bytes)},
		{"indirection_unit_bytes", value_known(facts->indirection_unit_bytes)},
		{"read_bytes", value_u64(plan->read_bytes[i])},
		{"write_bytes", value_u64(plan->write_bytes[i])},
		{"drive_writes", json_real(writes)},
		{"destroys", json_boolean(plan_destroys(plan, i))},
	};

	return VALUE_OBJECT(members);
}

static json_t *drives_json(const struct plan *plan, const struct drive_facts *const *drives)
{
	json_t *list = json_array();

	for (size_t i = 0; i < plan->nr_drives; i++)
		list = value_append(list, drive_json(plan, drives[i], i));
	return list;
}

static json_t *sizes_json(const struct size_mix *mix)
{
	json_t *list = json_array();

	for (size_t i = 0; mix && i < mix->nr; i++) {
		const struct value_member members[] = {
			{"bytes", value_u64(mix->entry[i].bytes)},
			{"share_percent", value_figure(mix->entry[i].basis_points / 100.0)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

static json_t *step_drive_json(const struct step *step, size_t drive)
{
	const struct step_drive *on = &step->drive[drive];
	const bool io = phase_kind_does_io(step->kind) && !on->skip;
	const struct value_member members[] = {
		{"drive", json_integer((json_int_t)drive)},
		{"skipped", value_text(on->skip)},
		{"offset_bytes", io ? value_u64(on->span.offset) : json_null()},
		{"span_bytes", io ? value_u64(on->span.bytes) : json_null()},
		{"read_bytes", io ? value_u64(on->read_bytes) : json_null()},
		{"write_bytes", io ? value_u64(on->write_bytes) : json_null()},
		{"unwritten", json_boolean(on->unwritten)},
	};

	return VALUE_OBJECT(members);
}

static json_t *step_drives_json(const struct step *step, size_t nr)
{
	json_t *list = json_array();

	for (size_t i = 0; i < nr; i++)
		list = value_append(list, step_drive_json(step, i));
	return list;
}

static const char *order_word(enum offset_order order)
{
	static const char *const word[] = {
		[ORDER_SEQUENTIAL] = "sequential",
		[ORDER_RANDOM] = "random",
		[ORDER_ONCE] = "once",
		[ORDER_MAP] = "map",
	};

	return word[order];
}

static json_t *step_json(const struct step *step, size_t nr_drives)
{
	const bool io = phase_kind_does_io(step->kind), purges = step->kind == PHASE_PURGE;
	const struct value_member members[] = {
		{"index", json_integer(step->index)},
		{"phase", value_text(step->phase_name)},
		{"kind", value_text(phase_kind_name(step->kind))},
		{"label", value_text(step->label)},
		{"method", purges ? value_text(purge_method_name(step->purge)) : json_null()},
		{"rw", io ? value_text(rw_name(step->rw)) : json_null()},
		{"read_percent", io ? json_integer(step->read_percent) : json_null()},
		{"bs", sizes_json(step->mix)},
		{"iodepth", value_known(step->iodepth)},
		{"numjobs", value_known(step->numjobs)},
		{"order", io ? value_text(order_word(step->order)) : json_null()},
		{"align_bytes", value_known(step->align)},
		{"map_granule_bytes", value_known(step->map_granule)},
		{"passes", value_known(step->passes)},
		{"runtime_ns", value_known(step->runtime_ns)},
		{"ramp_ns", value_u64(step->ramp_ns)},
		{"idle_ns", value_u64(step->idle_ns)},
		{"estimate_ns", value_u64(step->estimate_ns)},
		{"drives", step_drives_json(step, nr_drives)},
	};

	return VALUE_OBJECT(members);
}

static json_t *steps_json(const struct plan *plan)
{
	json_t *list = json_array();

	for (size_t i = 0; i < plan->nr_steps; i++)
		list = value_append(list, step_json(&plan->step[i], plan->nr_drives));
	return list;
}

static json_t *assumed_json(const struct plan *plan)
{
	const struct value_member members[] = {
		{"read_bytes_per_s", value_u64(plan->read_rate)},
		{"write_bytes_per_s", value_u64(plan->write_rate)},
	};

	return VALUE_OBJECT(members);
}

static json_t *warnings_json(const struct plan *plan)
{
	json_t *list = json_array();

	for (size_t i = 0; i < plan->nr_warnings; i++)
		list = value_append(list, value_text(plan->warning[i]));
	return list;
}

int report_plan_json(FILE *stream, const struct plan *plan, const struct drive_facts *const *drives)
{
	const struct value_member members[] = {
		{"profile", profile_json(plan->profile)},
		{"writes", json_boolean(plan->writes)},
		{"estimate_ns", value_u64(plan->estimate_ns)},
		{"assumed", assumed_json(plan)},
		{"drives", drives_json(plan, drives)},
		{"steps", steps_json(plan)},
		{"warnings", warnings_json(plan)},
	};

	return json_write(VALUE_OBJECT(members), stream);
}
