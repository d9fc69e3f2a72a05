// SPDX-License-Identifier: MIT
/*
 * A reading of a drive's health, what changed between two of them, and its row in the series. The
 * latter two work on the JSON of readings, for a result is made of a journal of them.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "nvme_json.h"
#include "ssdbench/result.h"
#include "ssdbench/value.h"

/* What only grows while a drive lives. */
static const char *const counter[] = {
	"data_units_read",
	"data_units_written",
	"host_reads",
	"host_writes",
	"busy_minutes",
	"power_cycles",
	"power_on_hours",
	"unsafe_shutdowns",
	"media_errors",
	"error_log_entries",
	"warning_temperature_minutes",
	"critical_temperature_minutes",
	"thermal_transitions_1",
	"thermal_transitions_2",
	"thermal_seconds_1",
	"thermal_seconds_2",
	"physical_written_bytes",
	"physical_read_bytes",
	"throttling_events",
	"incomplete_shutdowns",
	"pcie_correctable_errors",
	"pcie_link_retrainings",
};

static const char *const column[] = {
	"at",
	"temperature_c",
	"critical_warning",
	"data_units_read",
	"data_units_written",
	"media_errors",
	"thermal_transitions_1",
	"thermal_transitions_2",
	"thermal_seconds_1",
	"thermal_seconds_2",
	"physical_written_bytes",
};

#define NR(list) (sizeof(list) / sizeof((list)[0]))

static json_t *warnings_json(uint8_t bits)
{
	static const char *const name[] = {"spare",     "temperature", "reliability",
					   "read_only", "backup",      "persistent_memory"};
	json_t *list = json_array();

	for (size_t i = 0; i < NR(name); i++)
		if (bits & 1U << i)
			list = value_append(list, json_string(name[i]));
	return list;
}

static json_t *sensors_json(const struct drive_health *health)
{
	json_t *list = json_array();
	size_t nr = NR(health->sensor_c);

	while (nr > 0 && health->sensor_c[nr - 1] == TEMPERATURE_UNKNOWN)
		nr--;
	for (size_t i = 0; i < nr; i++)
		list = value_append(list, temperature_json(health->sensor_c[i]));
	return list;
}

static json_t *smart_json(const struct drive_health *health)
{
	const struct value_member members[] = {
		{"at", value_time(health->realtime_ns)},
		{"temperature_c", temperature_json(health->temperature_c)},
		{"sensors_c", sensors_json(health)},
		{"critical_warning", json_integer(health->critical_warning)},
		{"warnings", warnings_json(health->critical_warning)},
		{"spare_percent", json_integer(health->spare_percent)},
		{"spare_threshold_percent", json_integer(health->spare_threshold_percent)},
		{"used_percent", json_integer(health->used_percent)},
		{"data_units_read", value_u128(health->data_units_read)},
		{"data_units_written", value_u128(health->data_units_written)},
		{"host_reads", value_u128(health->host_reads)},
		{"host_writes", value_u128(health->host_writes)},
		{"busy_minutes", value_u128(health->busy_minutes)},
		{"power_cycles", value_u128(health->power_cycles)},
		{"power_on_hours", value_u128(health->power_on_hours)},
		{"unsafe_shutdowns", value_u128(health->unsafe_shutdowns)},
		{"media_errors", value_u128(health->media_errors)},
		{"error_log_entries", value_u128(health->error_log_entries)},
		{"warning_temperature_minutes", value_u64(health->warning_temperature_minutes)},
		{"critical_temperature_minutes", value_u64(health->critical_temperature_minutes)},
		{"thermal_transitions_1", value_u64(health->thermal_transitions[0])},
		{"thermal_transitions_2", value_u64(health->thermal_transitions[1])},
		{"thermal_seconds_1", value_u64(health->thermal_seconds[0])},
		{"thermal_seconds_2", value_u64(health->thermal_seconds[1])},
		{"ocp", json_boolean(health->has_ocp)},
	};

	return VALUE_OBJECT(members);
}

static json_t *ocp_json(const struct drive_health *health)
{
	const bool has = health->has_ocp;
	const struct value_member members[] = {
		{"physical_written_bytes",
		 has ? value_u128(health->physical_written_bytes) : json_null()},
		{"physical_read_bytes",
		 has ? value_u128(health->physical_read_bytes) : json_null()},
		{"throttling_status", has ? json_integer(health->throttling_status) : json_null()},
		{"throttling_events", has ? json_integer(health->throttling_events) : json_null()},
		{"incomplete_shutdowns",
		 has ? value_u64(health->incomplete_shutdowns) : json_null()},
		{"pcie_correctable_errors",
		 has ? value_u64(health->pcie_correctable_errors) : json_null()},
		{"pcie_link_retrainings",
		 has ? value_u64(health->pcie_link_retrainings) : json_null()},
		{"free_blocks_percent",
		 has ? json_integer(health->free_blocks_percent) : json_null()},
	};

	return VALUE_OBJECT(members);
}

struct json_t *result_health_json(const struct drive_health *health)
{
	json_t *reading = smart_json(health);
	json_t *ocp = ocp_json(health);
	const int failed = !reading || json_object_update(reading, ocp) < 0;

	json_decref(ocp);
	if (!failed)
		return reading;
	json_decref(reading);
	return NULL;
}

/* A counter of a reading, which is an integer or digits. False: null. */
static bool read_counter(const json_t *reading, const char *key, unsigned __int128 *value)
{
	const json_t *member = json_object_get(reading, key);
	const char *digits = json_string_value(member);

	*value = 0;
	if (json_is_integer(member)) {
		*value = (unsigned __int128)json_integer_value(member);
		return true;
	}
	if (!digits)
		return false;
	for (; *digits >= '0' && *digits <= '9'; digits++)
		*value = *value * 10 + (unsigned int)(*digits - '0');
	return true;
}

/* False: unknown, or it went back, so that it is no count of this drive's life. */
static bool counter_growth(const json_t *before, const json_t *after, const char *key,
			   unsigned __int128 *growth)
{
	unsigned __int128 then, now;

	if (!read_counter(before, key, &then) || !read_counter(after, key, &now) || now < then)
		return false;
	*growth = now - then;
	return true;
}

/* What reached the medium for each byte that the host wrote. */
static json_t *write_amplification_json(const json_t *before, const json_t *after)
{
	unsigned __int128 physical, units;

	if (!counter_growth(before, after, "physical_written_bytes", &physical) ||
	    !counter_growth(before, after, "data_units_written", &units) || units == 0)
		return json_null();
	return value_figure((double)physical / ((double)units * NVME_DATA_UNIT));
}

struct json_t *result_health_change_json(const struct json_t *before, const struct json_t *after)
{
	json_t *change;
	int failed;

	if (!json_is_object(before) || !json_is_object(after))
		return json_null();
	change = json_object();
	failed = !change;
	for (size_t i = 0; i < NR(counter); i++) {
		unsigned __int128 growth;
		const bool known = counter_growth(before, after, counter[i], &growth);

		failed |= json_object_set_new(change, counter[i],
					      known ? value_u128(growth) : json_null());
	}
	failed |= json_object_set_new(change, "write_amplification",
				      write_amplification_json(before, after));
	if (!failed)
		return change;
	json_decref(change);
	return NULL;
}

struct json_t *result_health_columns_json(void)
{
	json_t *list = value_append(json_array(), json_string("step"));

	for (size_t i = 0; i < NR(column); i++)
		list = value_append(list, json_string(column[i]));
	return list;
}

struct json_t *result_health_row_json(const struct json_t *step, const struct json_t *reading)
{
	json_t *row = value_append(json_array(), json_deep_copy(step));

	for (size_t i = 0; i < NR(column); i++)
		row = value_append(row, json_deep_copy(json_object_get(reading, column[i])));
	return row;
}
