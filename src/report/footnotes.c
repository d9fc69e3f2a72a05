// SPDX-License-Identifier: MIT
#include "footnotes.h"

#include <string.h>

#include "figures.h"

/* So many different evidences of one kind are printed; the result holds them all. */
#define EVIDENCE_MAX 4

char footnote_mark(enum flag_kind kind)
{
	static const char mark[FLAGS] = {
		[FLAG_UNWRITTEN] = 'U',    [FLAG_ERRORS] = 'E',       [FLAG_INTERRUPTED] = 'I',
		[FLAG_SHORT] = 'S',        [FLAG_HOST_LIMITED] = 'H', [FLAG_FALLBACK_ENGINE] = 'F',
		[FLAG_NOT_A_DEVICE] = 'N', [FLAG_CLOCK_DRIFT] = 'C',  [FLAG_THROTTLED] = 'T',
		[FLAG_NOT_PURGED] = 'P',
	};

	return mark[kind];
}

static const struct flag *row_flag(const struct row *row, enum flag_kind kind)
{
	for (uint32_t i = 0; i < row->nr_flags; i++) {
		if (row->flag[i].kind == kind)
			return &row->flag[i];
	}
	return NULL;
}

static bool seen_before(const struct run_outcome *outcome, size_t end, const struct flag *flag)
{
	for (size_t i = 0; i < end; i++) {
		const struct flag *other = row_flag(&outcome->row[i], flag->kind);

		if (other && strcmp(other->evidence, flag->evidence) == 0)
			return true;
	}
	return false;
}

static void print_evidence(FILE *out, const struct run_outcome *outcome, enum flag_kind kind)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < outcome->nr_rows; i++) {
		const struct flag *flag = row_flag(&outcome->row[i], kind);

		if (!flag || seen_before(outcome, i, flag))
			continue;
		if (nr++ < EVIDENCE_MAX)
			fprintf(out, "%c  %s: %s\n", footnote_mark(kind), flag_name(kind),
				flag->evidence);
	}
	if (nr > EVIDENCE_MAX)
		fprintf(out, "%c  and %u more like it, in the result\n", footnote_mark(kind),
			nr - EVIDENCE_MAX);
}

static const char *value_format(enum metric metric, double value, char text[UNITS_TEXT_MAX])
{
	switch (metric) {
	case METRIC_BANDWIDTH:
		snprintf(text, UNITS_TEXT_MAX, "%.2f MB/s", value / 1e6);
		return text;
	case METRIC_LATENCY_MEAN:
	case METRIC_LATENCY_P99: return latency_human(value, text);
	case METRIC_ERRORS: snprintf(text, UNITS_TEXT_MAX, "%.0f", value); return text;
	default: return figure_format(value, text);
	}
}

enum verdict { GATE_HELD, GATE_BROKEN, GATE_UNKNOWN, VERDICTS };

static enum verdict print_gate(FILE *out, const struct gate *gate, const struct row *row)
{
	const struct step *step = row->step;
	char text[UNITS_TEXT_MAX];
	double value = 0;

	switch (gate_check(gate, row, &value)) {
	case 1: return GATE_HELD;
	case 0:
		fprintf(out, "gate broken: %s, but it was %s (%s: %s)\n", gate->text,
			value_format(gate->metric, value, text), step->phase_name, step->label);
		return GATE_BROKEN;
	default:
		fprintf(out, "gate without a figure: %s (%s: %s: %s)\n", gate->text,
			step->phase_name, step->label, step_status_name(row->status));
		return GATE_UNKNOWN;
	}
}

/* Gates are about all drives together. */
static void print_gates(FILE *out, const struct plan *plan, const struct run_outcome *outcome)
{
	const uint32_t scope = plan->nr_drives > 1 ? ROW_TOTAL : 0;
	size_t count[VERDICTS] = {0};

	for (size_t i = 0; i < outcome->nr_rows; i++) {
		const struct row *row = &outcome->row[i];

		for (size_t k = 0; row->drive == scope && k < row->step->nr_gates; k++)
			count[print_gate(out, &row->step->gate[k], row)]++;
	}
	if (count[GATE_HELD] + count[GATE_BROKEN] + count[GATE_UNKNOWN] > 0)
		fprintf(out, "gates: %zu held, %zu broken, %zu without a figure\n",
			count[GATE_HELD], count[GATE_BROKEN], count[GATE_UNKNOWN]);
}

void footnotes_print(FILE *out, const struct plan *plan, const struct run_outcome *outcome)
{
	fputc('\n', out);
	for (enum flag_kind kind = 0; kind < FLAGS; kind++)
		print_evidence(out, outcome, kind);
	print_gates(out, plan, outcome);
	if (outcome->interrupted)
		fputs("interrupted: the figures cover what was done until then\n", out);
}
