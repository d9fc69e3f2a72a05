// SPDX-License-Identifier: MIT
#include "label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ssdbench/units.h"

static void write_sizes(FILE *out, const struct size_mix *mix)
{
	char low[UNITS_TEXT_MAX], high[UNITS_TEXT_MAX];

	size_format(size_mix_min(mix), low);
	size_format(size_mix_max(mix), high);
	if (mix->nr == 1)
		fprintf(out, "%s", low);
	else
		fprintf(out, "mix(%s-%s)", low, high);
}

static void write_label(FILE *out, const struct step *step)
{
	char text[UNITS_TEXT_MAX];

	if (step->kind == PHASE_IDLE) {
		fprintf(out, "idle %s", duration_format(step->runtime_ns, text));
		return;
	}
	if (step->kind == PHASE_PURGE) {
		fprintf(out, "purge %s", purge_method_name(step->purge));
		return;
	}
	fprintf(out, "%s ", rw_name(step->rw));
	write_sizes(out, step->mix);
	if (rw_reads(step->rw) && rw_writes(step->rw))
		fprintf(out, " rwmixread=%" PRIu32, step->read_percent);
	fprintf(out, " iodepth=%" PRIu32 " numjobs=%" PRIu32, step->iodepth, step->numjobs);
	if (step->passes > 1)
		fprintf(out, " passes=%u", step->passes);
}

char *step_label(const struct step *step, unsigned int twin)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	write_label(out, step);
	if (twin)
		fprintf(out, " #%u", twin + 1);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
