// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ssdbench/profile.h"

static const char idle[] =
	"{\"name\": \"%s\", \"title\": \"Own\", \"phases\": [{\"kind\": \"idle\", \"runtime\": \"1s\"}]}";

/* A directory with own profiles, removed at the end. */
struct fixture {
	char directory[64];
	char *file[4];
	size_t nr;
};

static void add_file(struct fixture *fixture, const char *name, const char *inside)
{
	char *path;
	FILE *file;

	assert_true(asprintf(&path, "%s/%s", fixture->directory, name) > 0);
	fixture->file[fixture->nr++] = path;
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, idle, inside);
	fclose(file);
}

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	strcpy(fixture->directory, "/tmp/ssdbench-test-XXXXXX");
	assert_non_null(mkdtemp(fixture->directory));
	add_file(fixture, "mine.json", "mine");
	add_file(fixture, "cdn.json", "cdn");
	add_file(fixture, "wrong.json", "other");
	add_file(fixture, "notes.txt", "notes");
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < fixture->nr; i++) {
		unlink(fixture->file[i]);
		free(fixture->file[i]);
	}
	rmdir(fixture->directory);
	free(fixture);
	return 0;
}

static void the_list_has_the_shipped_profiles_in_order(void **state)
{
	static const char *const names[] = {
		"quick", "ci", "cdn", "object-storage", "object-storage-map", "fio-sweep"};
	struct profile_entry *entries = NULL;
	size_t nr = 0;

	(void)state;
	assert_int_equal(profile_list(&entries, &nr, NULL, NULL), 0);
	assert_int_equal(nr, 6);
	for (size_t i = 0; i < nr; i++) {
		assert_string_equal(entries[i].name, names[i]);
		assert_string_equal(entries[i].origin, "embedded");
		assert_true(strlen(entries[i].title) > 0);
		assert_null(entries[i].broken);
	}
	profile_list_free(entries, nr);
}

static void own_profiles_follow_and_broken_ones_say_why(void **state)
{
	const struct fixture *fixture = *state;
	struct profile_entry *entries = NULL;
	size_t nr = 0;

	assert_int_equal(profile_list(&entries, &nr, fixture->directory, NULL), 0);
	assert_int_equal(nr, 9);
	assert_string_equal(entries[6].name, "cdn");
	assert_string_equal(entries[7].name, "mine");
	assert_string_equal(entries[7].title, "Own");
	assert_string_equal(entries[7].origin, fixture->file[0]);
	assert_null(entries[7].broken);
	assert_string_equal(entries[8].name, "wrong");
	assert_non_null(strstr(entries[8].broken, "/name: \"other\" differs from the file's name"));
	profile_list_free(entries, nr);
}

/* Else a misspelt directory would silently give the built-in profile of the same name. */
static void an_absent_directory_is_an_error(void **state)
{
	const struct profile_options options = {.directory = "/nonexistent/profiles"};
	struct profile_entry *entries = NULL;
	struct profile *profile = NULL;
	struct error err = {0};
	size_t nr = 0;

	(void)state;
	assert_int_equal(profile_list(&entries, &nr, "/nonexistent/profiles", NULL), -ENOENT);
	assert_null(entries);
	assert_int_equal(profile_load(&profile, "cdn", &options, &err), -ENOENT);
	assert_string_equal(err.text,
			    "/nonexistent/profiles: cannot read the directory of profiles: "
			    "No such file or directory");
	assert_null(profile);
}

/* Nobody writes into it: who waits for that waits for ever. */
static void a_pipe_in_the_directory_is_broken_and_not_read(void **state)
{
	char directory[] = "/tmp/ssdbench-test-XXXXXX", path[64];
	struct profile_entry *entries = NULL;
	size_t nr = 0;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/pipe.json", directory);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(profile_list(&entries, &nr, directory, NULL), 0);
	assert_string_equal(entries[nr - 1].name, "pipe");
	assert_non_null(strstr(entries[nr - 1].broken, "pipe.json: not a regular file"));
	profile_list_free(entries, nr);
	unlink(path);
	rmdir(directory);
}

static void a_name_is_looked_for_in_the_directory_first(void **state)
{
	const struct fixture *fixture = *state;
	const struct profile_options options = {.directory = fixture->directory};
	struct profile *profile = NULL;

	assert_int_equal(profile_load(&profile, "cdn", &options, NULL), 0);
	assert_string_equal(profile->title, "Own");
	assert_string_equal(profile->origin, fixture->file[1]);
	profile_free(profile);
	assert_int_equal(profile_load(&profile, "ci", &options, NULL), 0);
	assert_string_equal(profile->origin, "embedded");
	profile_free(profile);
}

static void a_word_with_a_slash_or_suffix_is_a_path(void **state)
{
	const struct fixture *fixture = *state;
	struct profile *profile = NULL;
	struct error err = {0};

	assert_int_equal(profile_load(&profile, fixture->file[3], NULL, NULL), 0);
	assert_string_equal(profile->name, "notes");
	profile_free(profile);
	assert_int_equal(profile_load(&profile, "absent.json", NULL, &err), -ENOENT);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(err.text,
			    "absent.json: cannot read the profile: No such file or directory");
}

static void an_unknown_name_brings_the_nearest(void **state)
{
	const struct fixture *fixture = *state;
	const struct profile_options options = {.directory = fixture->directory};
	struct profile *profile = NULL;
	struct error err = {0};

	assert_int_equal(profile_load(&profile, "fio_sweep", NULL, &err), -ENOENT);
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(
		err.text,
		"no profile \"fio_sweep\"; it is not one of quick, ci, cdn, object-storage, object-storage-map, fio-sweep; did you mean \"fio-sweep\"?");
	error_clear(&err);
	assert_int_equal(profile_load(&profile, "mien", &options, &err), -ENOENT);
	assert_non_null(strstr(err.text, "did you mean \"mine\"?"));
}

static void an_embedded_profile_is_named_in_messages(void **state)
{
	static const char *const set[] = {"runtime=soon"};
	const struct profile_options options = {.set = set, .nr_set = 1};
	struct profile *profile = NULL;
	struct error err = {0};

	(void)state;
	assert_int_equal(profile_load(&profile, "cdn", &options, &err), -EINVAL);
	assert_string_equal(
		err.text,
		"cdn: /phases/2/runtime: \"soon\": not a number; write a duration like 300s (the value of parameter \"runtime\")");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_has_the_shipped_profiles_in_order),
		cmocka_unit_test(own_profiles_follow_and_broken_ones_say_why),
		cmocka_unit_test(an_absent_directory_is_an_error),
		cmocka_unit_test(a_pipe_in_the_directory_is_broken_and_not_read),
		cmocka_unit_test(a_name_is_looked_for_in_the_directory_first),
		cmocka_unit_test(a_word_with_a_slash_or_suffix_is_a_path),
		cmocka_unit_test(an_unknown_name_brings_the_nearest),
		cmocka_unit_test(an_embedded_profile_is_named_in_messages),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
