// SPDX-License-Identifier: MIT
#include <jansson.h>

#include "gaps.h"
#include "ssdbench/value.h"

static json_t *limits_json(const struct host_facts *host)
{
	const bool unlimited = host->memlock_bytes == UINT64_MAX;
	const struct value_member members[] = {
		{"memlock_unlimited", json_boolean(unlimited)},
		{"memlock_bytes", unlimited ? json_null() : value_u64(host->memlock_bytes)},
		{"open_files", value_known(host->nofile)},
		{"aio_max_nr", value_known(host->aio_max_nr)},
		{"aio_nr", host->aio_max_nr ? value_u64(host->aio_nr) : json_null()},
		{"io_uring_disabled",
		 host->io_uring_disabled < 0 ? json_null() : json_integer(host->io_uring_disabled)},
	};

	return VALUE_OBJECT(members);
}

struct json_t *result_host_json(const struct host_facts *host)
{
	const struct value_member members[] = {
		{"hostname", value_text(host->hostname)},
		{"kernel", value_text(host->kernel)},
		{"kernel_command_line", value_text(host->kernel_command_line)},
		{"cpu_model", value_text(host->cpu_model)},
		{"governor", value_text(host->governor)},
		{"idle_governor", value_text(host->idle_governor)},
		{"pcie_aspm_policy", value_text(host->pcie_aspm_policy)},
		{"virtualisation", value_text(host->virtualisation)},
		{"clocksource", value_text(host->clocksource)},
		{"mitigations", value_text(host->mitigations)},
		{"cpus_online", value_known(host->cpus_online)},
		{"cpus_allowed", value_known(host->cpus_allowed)},
		{"cpus_allowed_list", value_text(host->cpus_allowed_list)},
		{"memory_bytes", value_known(host->memory_bytes)},
		{"memory_available_bytes", value_known(host->memory_available_bytes)},
		{"limits", limits_json(host)},
		{"gaps", gaps_json(host->gap, host->nr_gaps)},
	};

	return VALUE_OBJECT(members);
}
