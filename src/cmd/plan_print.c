// SPDX-License-Identifier: MIT
#include "plan_print.h"

int plan_print(const struct plan *plan, const struct drive_facts *const *drives,
	       const struct output_arguments *output, struct error *err)
{
	const struct report_style style = output_style(output, stdout);

	for (size_t i = 0; i < plan->nr_warnings; i++)
		fprintf(stderr, "ssdbench: warning: %s\n", plan->warning[i]);
	if (output->format == FORMAT_JSON)
		return output_result(report_plan_json(stdout, plan, drives), err);
	return output_result(report_plan_table(stdout, plan, drives, &style), err);
}
