// SPDX-License-Identifier: MIT
/*
 * A step of the document: what was asked, how it was run, and the figures per drive and in total. Its
 * series of samples is added where the document is put together (run/document.c).
 */
#include <jansson.h>
#include <string.h>

#include "figures.h"
#include "names.h"
#include "row.h"
#include "ssdbench/value.h"

static json_t *sizes_json(const struct step *step)
{
	json_t *sizes = json_array();

	for (size_t i = 0; step->mix && i < step->mix->nr; i++) {
		const struct value_member members[] = {
			{"bytes", value_u64(step->mix->entry[i].bytes)},
			{"share_percent", value_figure(step->mix->entry[i].basis_points / 100.0)},
		};

		sizes = value_append(sizes, VALUE_OBJECT(members));
	}
	return sizes;
}

static json_t *purge_asked_json(const struct step *step)
{
	if (step->kind != PHASE_PURGE)
		return json_null();
	const struct value_member members[] = {
		{"method", json_string(purge_method_name(step->purge))},
		{"on_failure", json_string(purge_failure_name(step->on_failure))},
	};
	return VALUE_OBJECT(members);
}

static json_t *asked_json(const struct step *step)
{
	const bool io = phase_kind_does_io(step->kind);
	const struct value_member members[] = {
		{"index", json_integer(step->index)},
		{"phase_index", json_integer(step->phase)},
		{"phase", value_text(step->phase_name)},
		{"kind", json_string(phase_kind_name(step->kind))},
		{"label", value_text(step->label)},
		{"rw", io ? json_string(rw_name(step->rw)) : json_null()},
		{"read_percent", io ? json_integer(step->read_percent) : json_null()},
		{"bs", sizes_json(step)},
		{"iodepth", io ? value_u64(step->iodepth) : json_null()},
		{"numjobs", io ? value_u64(step->numjobs) : json_null()},
		{"order", io ? json_string(offset_order_name(step->order)) : json_null()},
		{"align_bytes", io ? value_known(step->align) : json_null()},
		{"map_granule_bytes", value_known(step->map_granule)},
		{"passes", value_known(step->passes)},
		{"runtime_ns", value_known(step->runtime_ns)},
		{"ramp_ns", value_u64(step->ramp_ns)},
		{"idle_ns", value_u64(step->idle_ns)},
		{"purge", purge_asked_json(step)},
	};

	return VALUE_OBJECT(members);
}

/* "fixed_buffers fixed_files" to a list of words. */
static json_t *features_json(const char *features)
{
	json_t *list = json_array();
	char text[sizeof(((struct engine_result *)NULL)->features)];
	char *rest = NULL;

	memcpy(text, features, sizeof(text));
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		list = value_append(list, json_string(word));
	return list;
}

static json_t *cpu_json(const struct engine_result *engine)
{
	const struct value_member members[] = {
		{"user_s", value_figure(engine->cpu_user_s)},
		{"system_s", value_figure(engine->cpu_system_s)},
		{"busiest_worker", value_figure(engine->busiest_worker)},
	};

	return VALUE_OBJECT(members);
}

static json_t *engine_json(const struct step_outcome *outcome)
{
	const struct engine_result *engine = outcome->engine;

	if (!engine)
		return json_null();
	const struct value_member members[] = {
		{"asked", json_string(engine_kind_name(outcome->asked))},
		{"used", json_string(engine_kind_name(engine->used))},
		{"reason", value_text_or_null(engine->reason)},
		{"features", features_json(engine->features)},
		{"clock", value_text(engine->clock)},
		{"clock_drift_ns", json_integer(engine->clock_drift_ns)},
		{"buffer_bytes", value_u64(engine->buffer_bytes)},
		{"data_repeats_bytes", value_known(engine->data_repeats_bytes)},
		{"shared_buffers", json_boolean(engine->shared_buffers)},
		{"cpu", cpu_json(engine)},
	};
	return VALUE_OBJECT(members);
}

static json_t *window_json(const struct engine_result *engine)
{
	if (!engine)
		return json_null();
	const struct value_member members[] = {
		{"started_at", value_time(engine->started_realtime_ns)},
		{"ramp_ns", value_u64(engine->ramp_ns)},
		{"counted_ns", value_u64(engine->counted_ns)},
		{"drain_ns", value_u64(engine->drain_ns)},
	};
	return VALUE_OBJECT(members);
}

static json_t *errors_json(const struct engine_drive_result *result)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < result->nr_error; i++) {
		const struct io_error *error = &result->error[i];
		const struct value_member members[] = {
			{"errno", value_text(strerrorname_np(error->code))},
			{"code", json_integer(error->code)},
			{"direction", json_string(direction_name(error->dir))},
			{"count", value_u64(error->count)},
			{"first_offset_bytes", value_u64(error->first_offset)},
			{"first_length_bytes", value_u64(error->first_length)},
			{"first_ns", value_u64(error->first_ns)},
			{"first_result", json_integer(error->first_result)},
			{"nvme_status", value_known(error->nvme_status)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

/* Requests drawn per size of the mix, over the whole step. */
static json_t *drawn_json(const struct size_mix *mix, const struct engine_drive_result *result)
{
	json_t *list = json_array();

	for (size_t i = 0; mix && i < mix->nr; i++) {
		const struct value_member members[] = {
			{"bytes", value_u64(mix->entry[i].bytes)},
			{"reads", value_u64(result->mix_count[DIR_READ][i])},
			{"writes", value_u64(result->mix_count[DIR_WRITE][i])},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

static json_t *flags_json(const struct row *row)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < row->nr_flags; i++) {
		const struct value_member members[] = {
			{"flag", json_string(flag_name(row->flag[i].kind))},
			{"evidence", value_text(row->flag[i].evidence)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

static json_t *direction_json(const struct step_outcome *outcome, uint32_t drive,
			      enum direction dir)
{
	struct io_totals totals;

	if (!outcome_has_figures(outcome, drive))
		return json_null();
	outcome_totals(&totals, outcome, drive, dir);
	return figures_json(&totals, outcome_counted_ns(outcome, drive));
}

/* What the whole step did on a drive, the ramp and the drain included; null where it did not run. */
static json_t *whole_json(const struct step_outcome *outcome, uint32_t drive)
{
	const struct engine_drive_result *result;

	if (!outcome_has_figures(outcome, drive))
		return json_null();
	result = &outcome->engine->drive[drive];
	const struct value_member members[] = {
		{"read_bytes", value_u64(result->read_bytes)},
		{"written_bytes", value_u64(result->written_bytes)},
		{"counted_ns", value_u64(result->counted_ns)},
		{"ended_ns", value_u64(result->ended_ns)},
		{"complete",
		 outcome->step->runtime_ns ? json_null() : json_boolean(result->complete)},
		{"drawn", drawn_json(outcome->step->mix, result)},
		{"errors", value_u64(result->errors)},
		{"error_kinds", errors_json(result)},
	};
	return VALUE_OBJECT(members);
}

static json_t *purge_done_json(const struct step_outcome *outcome, uint32_t drive)
{
	const struct purge_outcome *purge;

	if (!outcome->purge || outcome->step->drive[drive].skip)
		return json_null();
	purge = &outcome->purge[drive].outcome;
	const bool begun = purge->used != PURGE_NONE, answered = purge->nvme_status >= 0;
	const struct value_member members[] = {
		{"used", begun ? json_string(purge_method_name(purge->used)) : json_null()},
		{"nvme_status", answered ? json_integer(purge->nvme_status) : json_null()},
		{"fallback", value_text_or_null(purge->fallback)},
		{"duration_ns", value_u64(purge->duration_ns)},
	};
	return VALUE_OBJECT(members);
}

static json_t *drive_result_json(const struct step_outcome *outcome, uint32_t drive)
{
	const struct step_drive *on = &outcome->step->drive[drive];
	const bool io = phase_kind_does_io(outcome->step->kind);
	struct row row;

	row_build(&row, outcome, drive);
	const struct value_member members[] = {
		{"drive", json_integer(drive)},
		{"status", json_string(step_status_name(row.status))},
		{"reason", value_text_or_null(row.reason)},
		{"offset_bytes", io ? value_u64(on->span.offset) : json_null()},
		{"span_bytes", io ? value_u64(on->span.bytes) : json_null()},
		{"unwritten", json_boolean(on->unwritten)},
		{"flags", flags_json(&row)},
		{"read", direction_json(outcome, drive, DIR_READ)},
		{"write", direction_json(outcome, drive, DIR_WRITE)},
		{"whole", whole_json(outcome, drive)},
		{"purge", purge_done_json(outcome, drive)},
	};
	return VALUE_OBJECT(members);
}

static json_t *drives_json(const struct step_outcome *outcome)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < outcome->nr_drives; i++)
		list = value_append(list, drive_result_json(outcome, i));
	return list;
}

/* Whose figures a total sums up. */
static json_t *members_json(const struct step_outcome *outcome)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < outcome->nr_drives; i++) {
		if (outcome_has_figures(outcome, i))
			list = value_append(list, json_integer(i));
	}
	return list;
}

static json_t *total_json(const struct step_outcome *outcome)
{
	if (!outcome_has_figures(outcome, ROW_TOTAL))
		return json_null();
	const struct value_member members[] = {
		{"drives", members_json(outcome)},
		{"read", direction_json(outcome, ROW_TOTAL, DIR_READ)},
		{"write", direction_json(outcome, ROW_TOTAL, DIR_WRITE)},
		{"errors", value_u64(outcome_errors(outcome, ROW_TOTAL))},
	};
	return VALUE_OBJECT(members);
}

static const char *verdict_name(int verdict)
{
	if (verdict < 0)
		return "no_figure";
	return verdict > 0 ? "held" : "broken";
}

static json_t *gates_json(const struct step *step, const struct row *row)
{
	json_t *list = json_array();

	for (size_t i = 0; i < step->nr_gates; i++) {
		double value = 0.0;
		const int verdict = gate_check(&step->gate[i], row, &value);
		const struct value_member members[] = {
			{"gate", value_text(step->gate[i].text)},
			{"verdict", json_string(verdict_name(verdict))},
			{"value", verdict < 0 ? json_null() : value_figure(value)},
		};

		list = value_append(list, VALUE_OBJECT(members));
	}
	return list;
}

static json_t *found_json(const struct step_outcome *outcome)
{
	struct row row;

	row_build(&row, outcome, ROW_TOTAL);
	const struct value_member members[] = {
		{"status", json_string(step_status_name(outcome->status))},
		{"reason", value_text_or_null(outcome->reason)},
		{"flags", flags_json(&row)},
		{"window", window_json(outcome->engine)},
		{"engine", engine_json(outcome)},
		{"drives", drives_json(outcome)},
		{"total", total_json(outcome)},
		{"gates", gates_json(outcome->step, &row)},
	};
	return VALUE_OBJECT(members);
}

struct json_t *result_step_json(const struct step_outcome *outcome)
{
	json_t *step = asked_json(outcome->step);
	json_t *found = found_json(outcome);

	if (json_object_update(step, found) < 0) {
		json_decref(step);
		step = NULL;
	}
	json_decref(found);
	return step;
}
