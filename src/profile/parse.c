// SPDX-License-Identifier: MIT
/*
 * The whole document: text to JSON, parameters into the phases, phases into the struct. The
 * document's own keys are read by the same table mechanism as a phase's.
 */
#include "ssdbench/profile.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "duplicate.h"
#include "limits.h"
#include "parameters.h"
#include "phase.h"
#include "reader.h"
#include "write.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

struct document {
	struct profile *profile;
	const json_t *parameters, *phases; /* borrowed; read after all else */
};

static int read_profile_name(struct reader *r, const struct where *at, const json_t *value,
			     void *out)
{
	return reader_name(r, at, value, '-', &((struct document *)out)->profile->name);
}

static int read_title(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_copy(r, at, value, PROFILE_TITLE_MAX,
			   &((struct document *)out)->profile->title);
}

static int read_mark(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	unsigned int mark;
	const int ret = reader_word(r, at, value, &source_mark_words, &mark);

	if (!ret)
		((struct source_note *)out)->mark = (enum source_mark)mark;
	return ret;
}

static int read_text(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_copy(r, at, value, PROFILE_NOTE_MAX, &((struct source_note *)out)->text);
}

static const struct key source_keys[] = {
	{"mark", KEY_ALWAYS, KEY_ALWAYS, read_mark},
	{"text", KEY_ALWAYS, KEY_ALWAYS, read_text},
};

static int read_note(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	return reader_object(r, at, value, source_keys, NR(source_keys), 1, "a source", out);
}

static int read_source(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct profile *profile = ((struct document *)out)->profile;
	const int ret = reader_want_array(r, at, value);

	if (ret)
		return ret;
	profile->source = reader_allocate(r, at, value, PROFILE_SOURCES_MAX,
					  sizeof(*profile->source), &profile->nr_sources);
	if (!profile->source)
		return r->err->code;
	return reader_each(r, at, value, read_note, profile->source, sizeof(*profile->source));
}

static int keep_parameters(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	(void)r;
	(void)at;
	((struct document *)out)->parameters = value;
	return 0;
}

static int keep_phases(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	((struct document *)out)->phases = value;
	return reader_want_array(r, at, value);
}

static const struct key document_keys[] = {
	{"name", KEY_ALWAYS, KEY_ALWAYS, read_profile_name},
	{"title", KEY_ALWAYS, KEY_ALWAYS, read_title},
	{"source", KEY_ALWAYS, 0, read_source},
	{"parameters", KEY_ALWAYS, 0, keep_parameters},
	{"phases", KEY_ALWAYS, KEY_ALWAYS, keep_phases},
};

static int check_name_is_new(struct reader *r, const struct where *at,
			     const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->nr_phases; i++) {
		if (strcmp(profile->phase[i].name, name) == 0)
			return reader_fail(
				r, at, "an earlier phase is named \"%s\" too; give each a \"name\"",
				name);
	}
	return 0;
}

/* All phases of @list; those that are not enabled are checked like the others, then dropped. */
static int read_phases(struct reader *r, const struct where *at, const json_t *list,
		       struct profile *profile)
{
	size_t rows = 0, count;
	int ret = 0;

	profile->phase =
		reader_allocate(r, at, list, PROFILE_PHASES_MAX, sizeof(*profile->phase), &count);
	if (!profile->phase)
		return r->err->code;
	for (size_t i = 0; !ret && i < count; i++) {
		const struct where here = {at, NULL, i};
		struct phase *phase = &profile->phase[profile->nr_phases];
		bool enabled = true;

		ret = phase_read(r, &here, json_array_get(list, i), phase, &enabled);
		if (!ret)
			ret = check_name_is_new(r, &here, profile, phase->name);
		rows += ret ? 0 : phase_rows(phase);
		if (!ret && rows > PROFILE_ROWS_MAX)
			ret = reader_fail(r, &here, "the profile makes more than %d rows here",
					  PROFILE_ROWS_MAX);
		if (!ret && enabled) {
			profile->nr_phases++;
			continue;
		}
		phase_fini(phase);
		memset(phase, 0, sizeof(*phase));
	}
	if (!ret && profile->nr_phases == 0)
		ret = reader_fail(r, at, "no phase is enabled");
	return ret;
}

static int read_document(struct reader *r, const json_t *root,
			 const struct profile_options *options, struct profile *profile)
{
	const struct where top = {0};
	const struct where parameters_at = {&top, "parameters", 0}, phases_at = {&top, "phases", 0};
	struct document document = {.profile = profile};
	struct parameters *parameters = NULL;
	json_t *phases = NULL;
	int ret;

	ret = reader_object(r, &top, root, document_keys, NR(document_keys), 1, "a profile",
			    &document);
	if (!ret)
		ret = parameters_read(r, &parameters_at, document.parameters, options, profile,
				      &parameters);
	if (!ret)
		ret = parameters_resolve(r, &phases_at, parameters, document.phases, &phases);
	if (!ret) {
		r->written = root;
		ret = read_phases(r, &phases_at, phases, profile);
	}
	parameters_free(parameters);
	json_decref(phases);
	return ret;
}

static int read_text_of_profile(struct reader *r, const char *text, size_t length,
				const struct profile_options *options, struct profile *profile)
{
	json_error_t where;
	json_t *root;
	int ret;

	if (length > PROFILE_TEXT_MAX)
		return error_usage(r->err, "%s: larger than a profile may be (%u bytes)", r->origin,
				   PROFILE_TEXT_MAX);
	root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
	if (!root && json_error_code(&where) == json_error_duplicate_key)
		return duplicate_fail(r, text, (size_t)where.position);
	if (!root)
		return error_usage(r->err, "%s: line %d, column %d: %s", r->origin, where.line,
				   where.column, where.text);
	ret = read_document(r, root, options, profile);
	json_decref(root);
	return ret;
}

/* @err keeps an earlier cause; @cause is this call's alone. */
static void pass_on(struct error *err, const struct error *cause)
{
	if (err && err->kind == ERROR_NONE)
		*err = *cause;
}

int profile_parse(struct profile **profile, const char *text, size_t length, const char *origin,
		  const struct profile_options *options, struct error *err)
{
	struct profile *parsed = calloc(1, sizeof(*parsed));
	struct error cause = {0};
	struct reader reader = {.origin = origin, .err = &cause};
	int ret;

	ret = parsed ? read_text_of_profile(&reader, text, length, options, parsed) : -ENOMEM;
	if (!ret) {
		parsed->origin = strdup(origin);
		ret = parsed->origin ? write_hash(parsed) : -ENOMEM;
	}
	if (!ret) {
		*profile = parsed;
		return 0;
	}
	profile_free(parsed);
	if (cause.kind == ERROR_NONE)
		reader_no_memory(&reader);
	pass_on(err, &cause);
	return ret;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->nr_phases; i++)
		phase_fini(&profile->phase[i]);
	for (size_t i = 0; i < profile->nr_parameters; i++) {
		free(profile->parameter[i].name);
		free(profile->parameter[i].value);
		free(profile->parameter[i].about);
	}
	for (size_t i = 0; i < profile->nr_sources; i++)
		free(profile->source[i].text);
	free(profile->phase);
	free(profile->parameter);
	free(profile->source);
	free(profile->name);
	free(profile->title);
	free(profile->origin);
	free(profile);
}
