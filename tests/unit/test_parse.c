// SPDX-License-Identifier: MIT
/* Each folder of profile-invalid/ is a test: input.json (and set.txt, a line per --set) must be refused
 * with the words of expected.txt. */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ssdbench/profile.h"

#define SET_MAX 8

/* The text of a file; NULL: there is none. The caller frees. */
static char *read_file(const char *folder, const char *name, size_t *length)
{
	char path[1024], *text;
	FILE *file;
	long size;

	snprintf(path, sizeof(path), "%s/%s/%s", PROFILE_INVALID, folder, name);
	file = fopen(path, "r");
	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = malloc((size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	fclose(file);
	text[size] = '\0';
	*length = (size_t)size;
	return text;
}

static size_t cut_lines(char *text, const char *lines[SET_MAX])
{
	size_t nr = 0;

	for (char *line = strtok(text, "\n"); line && nr < SET_MAX; line = strtok(NULL, "\n"))
		lines[nr++] = line;
	return nr;
}

static bool check_folder(const char *folder)
{
	struct profile *profile = NULL;
	struct profile_options options = {0};
	const char *set[SET_MAX];
	struct error err = {0};
	size_t length = 0, unused;
	char *input = read_file(folder, "input.json", &length);
	char *expected = read_file(folder, "expected.txt", &unused);
	char *settings = read_file(folder, "set.txt", &unused);
	bool right;
	int ret;

	assert_non_null(input);
	assert_non_null(expected);
	expected[strcspn(expected, "\n")] = '\0';
	options.set = set;
	options.nr_set = settings ? cut_lines(settings, set) : 0;
	ret = profile_parse(&profile, input, length, "input.json", &options, &err);
	right = ret == -EINVAL && err.kind == ERROR_USAGE && strcmp(err.text, expected) == 0;
	if (!right)
		print_error("%s: returned %d\n  says:     %s\n  expected: %s\n", folder, ret,
			    err.text, expected);
	assert_null(profile);
	free(input);
	free(expected);
	free(settings);
	return right;
}

static void every_invalid_profile_is_refused_in_the_right_words(void **state)
{
	DIR *dir = opendir(PROFILE_INVALID);
	struct dirent *entry;
	unsigned int nr = 0, wrong = 0;

	(void)state;
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		wrong += !check_folder(entry->d_name);
		nr++;
	}
	closedir(dir);
	assert_int_equal(wrong, 0);
	assert_true(nr >= 100);
}

static void a_text_above_the_limit_is_refused(void **state)
{
	struct profile *profile = NULL;
	struct error err = {0};
	const size_t length = (1U << 20) + 1;
	char *text = malloc(length);

	(void)state;
	assert_non_null(text);
	memset(text, ' ', length);
	assert_int_equal(profile_parse(&profile, text, length, "big.json", NULL, &err), -EINVAL);
	assert_string_equal(err.text, "big.json: larger than a profile may be (1048576 bytes)");
	free(text);
}

static void deep_nesting_is_refused(void **state)
{
	struct profile *profile = NULL;
	struct error err = {0};
	const size_t length = 1U << 20;
	char *text = malloc(length);

	(void)state;
	assert_non_null(text);
	memset(text, '[', length);
	assert_int_equal(profile_parse(&profile, text, length, "deep.json", NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "maximum parsing depth reached"));
	free(text);
}

static void the_text_need_not_end_in_nul(void **state)
{
	static const char text[] =
		"{\"name\": \"x\", \"title\": \"X\", \"phases\": [{\"kind\": \"idle\", \"runtime\": \"1s\"}]}!";
	struct profile *profile = NULL;

	(void)state;
	assert_int_equal(profile_parse(&profile, text, sizeof(text) - 2, "x.json", NULL, NULL), 0);
	assert_string_equal(profile->origin, "x.json");
	profile_free(profile);
}

static void an_error_that_stands_already_is_kept(void **state)
{
	struct profile *profile = NULL;
	struct error err = {0};

	(void)state;
	error_set(&err, -EIO, "first");
	assert_int_equal(profile_parse(&profile, "{", 1, "x.json", NULL, &err), -EINVAL);
	assert_string_equal(err.text, "first");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_invalid_profile_is_refused_in_the_right_words),
		cmocka_unit_test(a_text_above_the_limit_is_refused),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(the_text_need_not_end_in_nul),
		cmocka_unit_test(an_error_that_stands_already_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
