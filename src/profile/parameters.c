// SPDX-License-Identifier: MIT
/*
 * A parameter keeps the JSON type of its default, so --set needs no quotes: "iodepth=32" is a
 * number where the default is one. Values are shared by reference, so "$name" in a thousand places
 * costs nothing.
 */
#include "parameters.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"

struct parameters {
	size_t nr;
	const char **name; /* borrowed from the profile */
	struct {
		json_t *value;
		bool used;
	} entry[PROFILE_PARAMETERS_MAX];
};

void parameters_free(struct parameters *parameters)
{
	if (!parameters)
		return;
	for (size_t i = 0; i < parameters->nr; i++)
		json_decref(parameters->entry[i].value);
	free(parameters->name);
	free(parameters);
}

static struct words parameter_words(const struct parameters *parameters)
{
	return (struct words){parameters->name, parameters->nr};
}

struct entry {
	json_t *value; /* borrowed */
	char *about;
};

static bool is_reference(const json_t *value)
{
	return json_is_string(value) && json_string_value(value)[0] == '$';
}

static int read_value(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct entry *entry = out;

	if (json_is_null(value))
		return reader_fail(r, at, "a parameter cannot be null");
	if (is_reference(value))
		return reader_fail(r, at, "a parameter cannot stand for another");
	entry->value = (json_t *)value;
	return 0;
}

static int read_about(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct entry *entry = out;

	return reader_copy(r, at, value, PROFILE_NOTE_MAX, &entry->about);
}

static const struct key parameter_keys[] = {
	{"value", KEY_ALWAYS, KEY_ALWAYS, read_value},
	{"about", KEY_ALWAYS, KEY_ALWAYS, read_about},
};

static int read_parameter(struct reader *r, const struct where *at, const json_t *value,
			  struct parameters *parameters, struct profile *profile)
{
	const size_t i = parameters->nr;
	struct parameter *parameter = &profile->parameter[i];
	json_t *name = json_string(at->key);
	struct entry entry = {0};
	int ret;

	ret = name ? reader_name(r, at, name, '_', &parameter->name) : reader_no_memory(r);
	json_decref(name);
	if (ret)
		return ret;
	profile->nr_parameters = i + 1;
	ret = reader_object(r, at, value, parameter_keys, 2, 1, "a parameter", &entry);
	parameter->about = entry.about;
	if (ret)
		return ret;
	parameters->name[i] = parameter->name;
	parameters->entry[i].value = json_incref(entry.value);
	parameters->nr = i + 1;
	return 0;
}

static int read_all(struct reader *r, const struct where *at, const json_t *value,
		    struct parameters *parameters, struct profile *profile)
{
	const size_t count = json_object_size(value);
	const char *name;
	json_t *member;

	if (!json_is_object(value))
		return reader_fail(r, at, "not an object of parameters by name");
	if (count > PROFILE_PARAMETERS_MAX)
		return reader_fail(r, at, "%zu parameters; %d are the most", count,
				   PROFILE_PARAMETERS_MAX);
	profile->parameter = calloc(count + 1, sizeof(*profile->parameter));
	parameters->name = calloc(count + 1, sizeof(*parameters->name));
	if (!profile->parameter || !parameters->name)
		return reader_no_memory(r);
	json_object_foreach ((json_t *)value, name, member) {
		const struct where here = {at, name, 0};
		const int ret = read_parameter(r, &here, member, parameters, profile);

		if (ret)
			return ret;
	}
	return 0;
}

/* JSON of the type of @model from the user's @text; NULL: it is none. */
static json_t *parse_like(const json_t *model, const char *text)
{
	json_t *value;

	if (json_is_string(model))
		return json_string(text);
	value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
	if (value && (json_typeof(value) == json_typeof(model) ||
		      (json_is_boolean(value) && json_is_boolean(model)) ||
		      (json_is_integer(value) && json_is_real(model))))
		return value;
	json_decref(value);
	return NULL;
}

/* "1,2,4" for an array, each element like the first of @model. NULL: it is none. */
static json_t *parse_list(const json_t *model, const char *text)
{
	const json_t *first = json_array_get(model, 0);
	char *copy = first ? strdup(text) : NULL;
	json_t *list = copy ? json_array() : NULL;
	char *rest = copy;

	for (char *part = strsep(&rest, ","); list && part; part = strsep(&rest, ",")) {
		/* Steals the element and refuses NULL. */
		if (json_array_append_new(list, parse_like(first, part))) {
			json_decref(list);
			list = NULL;
		}
	}
	free(copy);
	return list;
}

static const char *type_hint(const json_t *model)
{
	switch (json_typeof(model)) {
	case JSON_OBJECT: return "a JSON object";
	case JSON_ARRAY: return "a list such as 1,2,4 or a JSON array";
	case JSON_INTEGER: return "a whole number";
	case JSON_REAL: return "a number";
	case JSON_STRING: return "text in UTF-8";
	default: return "true or false";
	}
}

static int set_parameter(struct reader *r, struct parameters *parameters, const char *setting)
{
	const char *equals = strchr(setting, '=');
	const struct words words = parameter_words(parameters);
	char message[WORDS_MESSAGE_MAX], name[PROFILE_NAME_MAX + 1];
	json_t *model, *value;
	int index;

	if (!equals || equals == setting)
		return error_usage(r->err, "--set \"%s\": write it as NAME=VALUE", setting);
	if (parameters->nr == 0)
		return error_usage(r->err, "--set \"%s\": %s has no parameters", setting,
				   r->origin);
	snprintf(name, sizeof(name), "%.*s", (int)(equals - setting), setting);
	index = words_find(&words, name);
	if (index < 0)
		return error_usage(r->err, "--set \"%s\": \"%s\" is not %s", setting, name,
				   words_hint(&words, name, message));
	model = parameters->entry[index].value;
	value = parse_like(model, equals + 1);
	if (!value && json_is_array(model))
		value = parse_list(model, equals + 1);
	if (value && is_reference(value)) {
		json_decref(value);
		return error_usage(r->err, "--set \"%s\": a parameter cannot stand for another",
				   setting);
	}
	if (!value)
		return error_usage(r->err, "--set \"%s\": \"%s\" is not %s", setting, equals + 1,
				   type_hint(model));
	json_decref(model);
	parameters->entry[index].value = value;
	return 0;
}

/* The texts of all values into the profile. */
static int write_values(struct reader *r, const struct parameters *parameters,
			struct profile *profile)
{
	for (size_t i = 0; i < parameters->nr; i++) {
		const json_t *value = parameters->entry[i].value;
		char *text = json_is_string(value)
				     ? strdup(json_string_value(value))
				     : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT |
								 JSON_REAL_PRECISION(15));

		if (!text)
			return reader_no_memory(r);
		profile->parameter[i].value = text;
	}
	return 0;
}

int parameters_read(struct reader *r, const struct where *at, const json_t *value,
		    const struct profile_options *options, struct profile *profile,
		    struct parameters **out)
{
	struct parameters *parameters = calloc(1, sizeof(*parameters));
	int ret;

	if (!parameters)
		return reader_no_memory(r);
	ret = value ? read_all(r, at, value, parameters, profile) : 0;
	for (size_t i = 0; !ret && options && i < options->nr_set; i++)
		ret = set_parameter(r, parameters, options->set[i]);
	if (!ret)
		ret = write_values(r, parameters, profile);
	if (ret) {
		parameters_free(parameters);
		return ret;
	}
	*out = parameters;
	return 0;
}

static json_t *resolve(struct reader *r, const struct where *at, struct parameters *parameters,
		       const json_t *value);

static json_t *resolve_string(struct reader *r, const struct where *at,
			      struct parameters *parameters, const json_t *value)
{
	const char *name = json_string_value(value);
	const struct words words = parameter_words(parameters);
	char message[WORDS_MESSAGE_MAX], shown[SHOW_MAX];
	int index;

	if (!is_reference(value))
		return json_incref((json_t *)value);
	index = words_find(&words, name + 1);
	if (index < 0) {
		reader_fail(r, at, "%s: %s%s", reader_show(value, shown),
			    words.nr ? "the parameter is not " : "there are no parameters",
			    words.nr ? words_hint(&words, name + 1, message) : "");
		return NULL;
	}
	parameters->entry[index].used = true;
	return json_incref(parameters->entry[index].value);
}

static json_t *resolve_array(struct reader *r, const struct where *at,
			     struct parameters *parameters, const json_t *value)
{
	json_t *array = json_array();
	json_t *item;
	size_t i;

	json_array_foreach ((json_t *)value, i, item) {
		const struct where here = {at, NULL, i};

		if (json_array_append_new(array, resolve(r, &here, parameters, item))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *resolve_object(struct reader *r, const struct where *at,
			      struct parameters *parameters, const json_t *value)
{
	json_t *object = json_object();
	const char *name;
	json_t *member;

	json_object_foreach ((json_t *)value, name, member) {
		const struct where here = {at, name, 0};

		if (json_object_set_new(object, name, resolve(r, &here, parameters, member))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

/* A new reference; NULL: an error was recorded, or there is no memory. Depth is bounded by the
 * parser's. */
static json_t *resolve(struct reader *r, const struct where *at, struct parameters *parameters,
		       const json_t *value)
{
	if (json_is_string(value))
		return resolve_string(r, at, parameters, value);
	if (json_is_array(value))
		return resolve_array(r, at, parameters, value);
	if (json_is_object(value))
		return resolve_object(r, at, parameters, value);
	return json_incref((json_t *)value);
}

int parameters_resolve(struct reader *r, const struct where *at, struct parameters *parameters,
		       const json_t *phases, json_t **resolved)
{
	const struct where list = {at->up, "parameters", 0};
	json_t *value = resolve(r, at, parameters, phases);

	if (!value)
		return r->err->kind == ERROR_NONE ? reader_no_memory(r) : r->err->code;
	for (size_t i = 0; i < parameters->nr; i++) {
		const struct where here = {&list, parameters->name[i], 0};

		if (parameters->entry[i].used)
			continue;
		json_decref(value);
		return reader_fail(r, &here, "no phase uses this parameter");
	}
	*resolved = value;
	return 0;
}
