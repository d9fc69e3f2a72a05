// SPDX-License-Identifier: MIT
/*
 * One cursor walks the journal for its events and passes over samples unparsed; where a step is
 * finished, a second one goes back to the step's begin and copies its samples into place.
 */
#include "document.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "health.h"
#include "health_document.h"
#include "journal.h"
#include "ssdbench/result.h"
#include "ssdbench/value.h"

/* How lines of samples begin (samples.c): nothing else does. */
#define SAMPLES_PREFIX "{\"event\":\"samples\","

/* What the end of the document sums up. */
struct summary {
	uint64_t steps[STEP_INTERRUPTED + 1]; /* by status */
	uint64_t gates_broken;
	json_t *totals;   /* per drive; owned */
	json_t *finished; /* the last event; owned; NULL: the run did not come to its end */
};

/* -EIO stands for whatever the stream's owner knows better. */
static int stream_result(FILE *out)
{
	return ferror(out) ? -EIO : 0;
}

static int put_value(FILE *out, const json_t *value)
{
	if (!value)
		return -ENOMEM;
	if (json_dumpf(value, out, VALUE_DUMP | JSON_ENCODE_ANY) < 0)
		return -EIO;
	return 0;
}

/* @value is released. */
static int put_member(FILE *out, const char *key, json_t *value)
{
	int ret;

	fprintf(out, "\"%s\":", key);
	ret = put_value(out, value);
	json_decref(value);
	fputs(",\n", out);
	return ret < 0 ? ret : stream_result(out);
}

static int put_header(FILE *out, const json_t *header)
{
	const char *key;
	json_t *value;
	int ret = put_member(out, "schema", json_string("ssdbench-result"));

	json_object_foreach ((json_t *)(uintptr_t)header, key, value) {
		if (ret == 0 && strcmp(key, "schema") != 0)
			ret = put_member(out, key, json_incref(value));
	}
	return ret;
}

static bool begins_with(const char *line, const char *prefix)
{
	return strncmp(line, prefix, strlen(prefix)) == 0;
}

/* The next line that is neither a batch of samples nor of health, parsed. 1, 0 at the end, or a negative errno. */
static int next_event(struct journal_cursor *cursor, json_t **event)
{
	const char *line;
	size_t length;
	int ret;

	while ((ret = journal_cursor_next(cursor, &line, &length)) > 0) {
		if (begins_with(line, SAMPLES_PREFIX) || begins_with(line, HEALTH_PREFIX))
			continue;
		*event = json_loadb(line, length, 0, NULL);
		return json_is_object(*event) ? 1 : -EBADMSG;
	}
	return ret;
}

static bool event_is(const json_t *event, const char *kind)
{
	const char *text = json_string_value(json_object_get(event, "event"));

	return text && strcmp(text, kind) == 0;
}

static int put_rows(FILE *out, const char *line, size_t length, const char **separator)
{
	json_t *batch = json_loadb(line, length, 0, NULL);
	size_t index;
	json_t *row;
	int ret = batch ? 0 : -EBADMSG;

	json_array_foreach (json_object_get(batch, "rows"), index, row) {
		if (ret < 0)
			break;
		fputs(*separator, out);
		*separator = ",\n";
		ret = put_value(out, row);
	}
	json_decref(batch);
	return ret;
}

/* The samples between two places of the journal, which are all of one step. */
static int put_series(FILE *out, int journal, off_t begin, off_t end)
{
	struct journal_cursor cursor;
	const char *separator = "\n";
	const char *line;
	size_t length;
	json_t *columns = result_sample_columns_json();
	int ret;

	fputs("{\"interval_ns\":1000000000,\"columns\":", out);
	ret = put_value(out, columns);
	json_decref(columns);
	fputs(",\"rows\":[", out);
	journal_cursor_init(&cursor, journal, begin);
	while (ret >= 0 && cursor.at < end &&
	       (ret = journal_cursor_next(&cursor, &line, &length)) > 0) {
		if (begins_with(line, SAMPLES_PREFIX))
			ret = put_rows(out, line, length, &separator);
	}
	journal_cursor_fini(&cursor);
	fputs("]}", out);
	return ret < 0 ? ret : 0;
}

static void add_to_member(json_t *object, const char *key, const json_t *value)
{
	json_t *sum = json_object_get(object, key);

	if (sum)
		(void)json_integer_set(sum, json_integer_value(sum) + json_integer_value(value));
}

static void sum_step(struct summary *summary, const json_t *step)
{
	const char *status = json_string_value(json_object_get(step, "status"));
	size_t index;
	json_t *entry;

	for (enum step_status s = STEP_OK; status && s <= STEP_INTERRUPTED; s++)
		summary->steps[s] += strcmp(status, step_status_name(s)) == 0;
	json_array_foreach (json_object_get(step, "gates"), index, entry) {
		const char *verdict = json_string_value(json_object_get(entry, "verdict"));

		summary->gates_broken += verdict && strcmp(verdict, "held") != 0;
	}
	json_array_foreach (json_object_get(step, "drives"), index, entry) {
		json_t *total = json_array_get(summary->totals, index);
		const json_t *whole = json_object_get(entry, "whole");

		add_to_member(total, "read_bytes", json_object_get(whole, "read_bytes"));
		add_to_member(total, "written_bytes", json_object_get(whole, "written_bytes"));
		add_to_member(total, "errors", json_object_get(whole, "errors"));
	}
}

/* The step's members, then its series, which the journal holds apart. */
static int put_step(FILE *out, const json_t *step, int journal, off_t begin, off_t end)
{
	const char *key;
	json_t *value;
	int ret = json_is_object(step) ? 0 : -EBADMSG;

	fputs("{", out);
	json_object_foreach ((json_t *)(uintptr_t)step, key, value) {
		if (ret == 0) {
			fprintf(out, "\"%s\":", key);
			ret = put_value(out, value);
			fputs(",", out);
		}
	}
	fputs("\"series\":", out);
	if (ret == 0 && json_is_null(json_object_get(step, "window")))
		fputs("null", out);
	else if (ret == 0)
		ret = put_series(out, journal, begin, end);
	fputs("}", out);
	return ret < 0 ? ret : stream_result(out);
}

static int put_steps(FILE *out, int journal, struct summary *summary)
{
	struct journal_cursor cursor;
	const char *separator = "\n";
	off_t begin = 0;
	json_t *event;
	int ret;

	fputs("\"steps\":[", out);
	journal_cursor_init(&cursor, journal, 0);
	while ((ret = next_event(&cursor, &event)) > 0) {
		if (event_is(event, "step_started"))
			begin = cursor.at;
		if (event_is(event, "run_finished") && !summary->finished)
			summary->finished = json_incref(event);
		if (event_is(event, "step_finished")) {
			const json_t *step = json_object_get(event, "result");

			fputs(separator, out);
			separator = ",\n";
			sum_step(summary, step);
			ret = put_step(out, step, journal, begin, cursor.at);
		}
		json_decref(event);
		if (ret < 0)
			break;
	}
	journal_cursor_fini(&cursor);
	fputs("],\n", out);
	return ret < 0 ? ret : stream_result(out);
}

static int put_warnings(FILE *out, int journal)
{
	struct journal_cursor cursor;
	const char *separator = "\n";
	json_t *event;
	int ret;

	fputs("\"warnings\":[", out);
	journal_cursor_init(&cursor, journal, 0);
	while ((ret = next_event(&cursor, &event)) > 0) {
		if (event_is(event, "warning")) {
			fputs(separator, out);
			separator = ",\n";
			ret = put_value(out, json_object_get(event, "text"));
		}
		json_decref(event);
		if (ret < 0)
			break;
	}
	journal_cursor_fini(&cursor);
	fputs("],\n", out);
	return ret < 0 ? ret : stream_result(out);
}

/* Every step of a run that came to its end is in its journal, unless nothing took the line. */
static bool has_lost_steps(const struct summary *summary, const json_t *header)
{
	const json_t *planned = json_object_get(json_object_get(header, "plan"), "steps");
	uint64_t told = 0;

	for (enum step_status s = STEP_OK; s <= STEP_INTERRUPTED; s++)
		told += summary->steps[s];
	return told < (uint64_t)json_integer_value(planned);
}

/* The worst that happened, in one word. */
static const char *status_word(const struct summary *summary, const json_t *header,
			       bool interrupted)
{
	if (interrupted)
		return "interrupted";
	if (summary->steps[STEP_FAILED] > 0 || has_lost_steps(summary, header))
		return "step_failed";
	if (summary->steps[STEP_ERRORS] > 0)
		return "drive_errors";
	if (summary->gates_broken > 0)
		return "gates_broken";
	return summary->steps[STEP_SKIPPED] > 0 ? "steps_skipped" : "ok";
}

static json_t *summary_json(const struct summary *summary, const json_t *header)
{
	const json_t *plan = json_object_get(header, "plan");
	const struct value_member members[] = {
		{"steps_planned", json_deep_copy(json_object_get(plan, "steps"))},
		{"steps_ok", value_u64(summary->steps[STEP_OK])},
		{"steps_skipped", value_u64(summary->steps[STEP_SKIPPED])},
		{"steps_failed", value_u64(summary->steps[STEP_FAILED])},
		{"steps_errors", value_u64(summary->steps[STEP_ERRORS])},
		{"steps_interrupted", value_u64(summary->steps[STEP_INTERRUPTED])},
		{"gates_broken", value_u64(summary->gates_broken)},
	};

	return VALUE_OBJECT(members);
}

/* What the bins of all histograms are, said once. */
static json_t *histogram_json(void)
{
	const struct value_member members[] = {
		{"buckets_per_power_of_two", json_integer(1 << HISTOGRAM_SUB_BITS)},
		{"max_error_percent", json_real(100.0 / (2 << HISTOGRAM_SUB_BITS))},
	};

	return VALUE_OBJECT(members);
}

static int put_tail(FILE *out, const struct summary *summary, const json_t *header)
{
	/* A journal without its end is of a run that was cut off by force. */
	const bool interrupted = !summary->finished ||
				 json_is_true(json_object_get(summary->finished, "interrupted"));
	json_t *ended = json_object_get(summary->finished, "at");
	int ret = put_member(out, "histogram", histogram_json());

	if (ret == 0)
		ret = put_member(out, "ended_at", ended ? json_incref(ended) : json_null());
	if (ret == 0)
		ret = put_member(out, "interrupted", json_boolean(interrupted));
	if (ret == 0)
		ret = put_member(out, "status",
				 json_string(status_word(summary, header, interrupted)));
	if (ret == 0)
		ret = put_member(out, "summary", summary_json(summary, header));
	fputs("\"totals\":", out);
	if (ret == 0)
		ret = put_value(out, summary->totals);
	fputs("}\n", out);
	return ret < 0 ? ret : stream_result(out);
}

static json_t *empty_totals(const json_t *header)
{
	json_t *totals = json_array();

	for (size_t i = 0; i < json_array_size(json_object_get(header, "drives")); i++) {
		const struct value_member members[] = {
			{"drive", value_u64(i)},
			{"read_bytes", value_u64(0)},
			{"written_bytes", value_u64(0)},
			{"errors", value_u64(0)},
		};

		totals = value_append(totals, VALUE_OBJECT(members));
	}
	return totals;
}

int result_document_write(FILE *out, const void *context)
{
	const struct result_document *document = context;
	struct summary summary = {.totals = empty_totals(document->header)};
	int ret = summary.totals ? 0 : -ENOMEM;

	fputs("{", out);
	if (ret == 0)
		ret = put_header(out, document->header);
	if (ret == 0)
		ret = put_steps(out, document->journal, &summary);
	if (ret == 0)
		ret = health_document_write(out, document->journal,
					    json_array_size(summary.totals));
	if (ret == 0)
		ret = put_warnings(out, document->journal);
	if (ret == 0)
		ret = put_tail(out, &summary, document->header);
	json_decref(summary.totals);
	json_decref(summary.finished);
	return ret;
}
