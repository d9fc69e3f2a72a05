// SPDX-License-Identifier: MIT
#include "header.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ssdbench/value.h"

int run_id_read(char id[RUN_ID_SIZE], const struct target_roots *roots)
{
	char *path = NULL;
	ssize_t nr;
	int fd;

	if (asprintf(&path, "%s/sys/kernel/random/uuid", roots->proc) < 0)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return -errno;
	nr = read(fd, id, RUN_ID_SIZE - 1);
	close(fd);
	if (nr != RUN_ID_SIZE - 1)
		return -EIO;
	id[nr] = '\0';
	return 0;
}

/* All 64 bits of a seed fit no JSON integer, so it is text. */
static json_t *seed_json(uint64_t seed)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, seed);
	return json_string(text);
}

static json_t *options_json(const struct engine_config *engine)
{
	json_t *cpus = json_array();

	for (size_t i = 0; i < engine->nr_cpus; i++)
		cpus = value_append(cpus, json_integer(engine->cpus[i]));
	const struct value_member members[] = {
		{"engine", json_string(engine_kind_name(engine->kind))},
		{"iopoll", json_boolean(engine->iopoll)},
		{"sqpoll", json_boolean(engine->sqpoll)},
		{"cpus", cpus},
		{"memory_bytes",
		 value_u64(engine->memory_bytes ? engine->memory_bytes : ENGINE_MEMORY_DEFAULT)},
		{"max_errors", value_u64(engine->max_errors)},
		{"seed", seed_json(engine->seed)},
	};
	return VALUE_OBJECT(members);
}

static json_t *run_json(const struct run_config *config, const char *id)
{
	json_t *words = json_array();

	for (size_t i = 0; i < config->argc; i++)
		words = value_append(words, value_text(config->argv[i]));
	const struct value_member members[] = {
		{"id", json_string(id)},
		{"label", value_text(config->label)},
		{"command_line", words},
		{"started_at", value_time(clock_realtime_ns())},
		{"options", options_json(&config->engine)},
	};
	return VALUE_OBJECT(members);
}

static json_t *profile_json(const struct profile *profile)
{
	char *text = profile_to_text(profile);
	json_t *resolved = text ? json_loads(text, 0, NULL) : NULL;
	const struct value_member members[] = {
		{"name", value_text(profile->name)},
		{"title", value_text(profile->title)},
		{"origin", value_text(profile->origin)},
		{"hash", json_string(profile->hash)},
		{"resolved", resolved},
	};

	free(text);
	return VALUE_OBJECT(members);
}

static json_t *plan_json(const struct plan *plan)
{
	json_t *drives = json_array();

	for (size_t i = 0; i < plan->nr_drives; i++) {
		const struct value_member bytes[] = {
			{"read_bytes", value_u64(plan->read_bytes[i])},
			{"write_bytes", value_u64(plan->write_bytes[i])},
		};

		drives = value_append(drives, VALUE_OBJECT(bytes));
	}
	const struct value_member members[] = {
		{"steps", value_u64(plan->nr_steps)},
		{"writes", json_boolean(plan->writes)},
		{"estimate_ns", value_u64(plan->estimate_ns)},
		{"assumed_read_bytes_per_s", value_u64(plan->read_rate)},
		{"assumed_write_bytes_per_s", value_u64(plan->write_rate)},
		{"drives", drives},
	};
	return VALUE_OBJECT(members);
}

/* What is well is in the facts already. */
static json_t *preflight_json(const struct findings *findings)
{
	return findings ? findings_json(findings, FINDING_NOTE) : json_array();
}

struct json_t *header_json(const struct run_config *config, const struct host_facts *host,
			   const char *id)
{
	json_t *drives = json_array();

	for (size_t i = 0; i < config->nr_targets; i++)
		drives = value_append(drives, result_drive_json(target_facts(config->targets[i])));
	const struct value_member members[] = {
		{"schema", json_string("ssdbench-run")},
		{"schema_version", json_integer(RESULT_SCHEMA_VERSION)},
		{"ssdbench_version", json_string(SSDBENCH_VERSION)},
		{"run", run_json(config, id)},
		{"profile", profile_json(config->profile)},
		{"plan", plan_json(config->plan)},
		{"host", result_host_json(host)},
		{"drives", drives},
		{"preflight", preflight_json(config->findings)},
	};
	return VALUE_OBJECT(members);
}
