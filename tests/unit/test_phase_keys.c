// SPDX-License-Identifier: MIT
/* The schema and the parser's table must name the same keys for each kind of phase. */
#include "test.h"

#include <jansson.h>
#include <string.h>

#include "profile/phase.h"
#include "ssdbench/schema.h"

static json_t *load_phase_schema(json_t **root)
{
	json_t *phase = NULL;

	*root = json_loads(schema_text("profile"), 0, NULL);
	assert_non_null(*root);
	assert_int_equal(json_unpack(*root, "{s:{s:o}}", "$defs", "phase", &phase), 0);
	return phase;
}

static bool contains(const json_t *names, const char *name)
{
	json_t *item;
	size_t i;

	json_array_foreach ((json_t *)names, i, item) {
		if (strcmp(json_string_value(item), name) == 0)
			return true;
	}
	return false;
}

static void the_schema_knows_the_same_keys(void **state)
{
	json_t *root, *properties;

	(void)state;
	properties = json_object_get(load_phase_schema(&root), "properties");
	assert_int_equal(json_object_size(properties), phase_keys_nr);
	for (size_t i = 0; i < phase_keys_nr; i++)
		assert_non_null(json_object_get(properties, phase_keys[i].name));
	json_decref(root);
}

/* The kind's branch of the schema: {"if": kind, "then": {"propertyNames": .., "required": ..}}. */
static json_t *find_branch(json_t *branches, const char *kind)
{
	json_t *branch;
	size_t i;

	json_array_foreach (branches, i, branch) {
		const char *name = NULL;
		json_t *then = NULL;

		assert_int_equal(json_unpack(branch, "{s:{s:{s:{s:s}}}, s:o}", "if", "properties",
					     "kind", "const", &name, "then", &then),
				 0);
		if (strcmp(name, kind) == 0)
			return then;
	}
	fail_msg("the schema has no branch for %s", kind);
	return NULL;
}

static void the_schema_gives_each_kind_the_same_keys(void **state)
{
	json_t *root, *branches;

	(void)state;
	branches = json_object_get(load_phase_schema(&root), "allOf");
	assert_int_equal(json_array_size(branches), PHASE_KINDS);
	for (unsigned int kind = 0; kind < PHASE_KINDS; kind++) {
		const char *name = phase_kind_name((enum phase_kind)kind);
		const json_t *then = find_branch(branches, name);
		const json_t *takes =
			json_object_get(json_object_get(then, "propertyNames"), "enum");
		const json_t *needs = json_object_get(then, "required");

		for (size_t i = 0; i < phase_keys_nr; i++) {
			const struct key *key = &phase_keys[i];
			const bool taken = key->takes & KIND_BIT(kind);
			const bool needed = key->needs & KIND_BIT(kind);

			if (contains(takes, key->name) != taken ||
			    contains(needs, key->name) != needed)
				fail_msg("%s of %s differs", key->name, name);
		}
	}
	json_decref(root);
}

static void unknown_schemas_are_absent(void **state)
{
	(void)state;
	assert_non_null(schema_text("profile"));
	assert_non_null(schema_text("result"));
	assert_null(schema_text("prof"));
	assert_null(schema_text(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_schema_knows_the_same_keys),
		cmocka_unit_test(the_schema_gives_each_kind_the_same_keys),
		cmocka_unit_test(unknown_schemas_are_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
