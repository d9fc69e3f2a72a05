// SPDX-License-Identifier: MIT
#include "samples.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "ssdbench/result.h"
#include "ssdbench/value.h"

int samples_init(struct samples *samples, size_t nr_drives)
{
	*samples = (struct samples){.capacity = nr_drives * SAMPLES_SECONDS};
	samples->row = calloc(samples->capacity, sizeof(*samples->row));
	return samples->row ? 0 : -ENOMEM;
}

void samples_fini(struct samples *samples)
{
	free(samples->row);
	*samples = (struct samples){0};
}

bool samples_add(struct samples *samples, const struct sample *sample)
{
	if (samples->nr == samples->capacity ||
	    (samples->nr > 0 && sample->second - samples->row[0].second >= SAMPLES_SECONDS))
		return false;
	samples->row[samples->nr++] = *sample;
	return true;
}

struct json_t *samples_take(struct samples *samples, unsigned int step)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < samples->nr; i++)
		rows = value_append(rows, result_sample_json(&samples->row[i]));
	samples->nr = 0;
	const struct value_member members[] = {
		{"event", json_string("samples")},
		{"step", json_integer(step)},
		{"rows", rows},
	};
	return VALUE_OBJECT(members);
}
