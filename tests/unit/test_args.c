// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <string.h>

#include "cmd/args.h"

struct input {
	const char *size;
	const char *word[4];
	size_t nr;
	int quiet;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *input = state->input;

	switch (key) {
	case 's': input->size = arg; return 0;
	case 'q': input->quiet = 1; return 0;
	case ARGP_KEY_ARG: input->word[input->nr++] = arg; return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"size", 's', "SIZE", 0, "A size", 0},
	{"quiet", 'q', NULL, 0, "Say less", 0},
	{"assume-this", 1, NULL, 0, "", 0},
	{"assume-that", 2, NULL, 0, "", 0},
	{0},
};
static const struct argp argp = {.options = options, .parser = parse};

/* argp wants words that it may move. */
static int parse_line(struct input *input, struct error *err, const char *line)
{
	static char copy[256];
	char *argv[16], *rest = NULL;
	int argc = 0;

	*input = (struct input){0};
	*err = (struct error){0};
	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	argv[argc] = NULL;
	return args_parse(&argp, argc, argv, input, err);
}

static void options_and_words_may_be_mixed(void **state)
{
	struct input input;
	struct error err;

	(void)state;
	assert_int_equal(parse_line(&input, &err, "run one --size 4k two -q"), 0);
	assert_string_equal(input.size, "4k");
	assert_int_equal(input.quiet, 1);
	assert_int_equal(input.nr, 2);
	assert_string_equal(input.word[0], "one");
	assert_string_equal(input.word[1], "two");
}

static void each_mistake_has_a_message_of_its_own(void **state)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{"run --siez=1", "unknown option '--siez=1': did you mean '--size'?"},
		{"run --nonsense", "unknown option '--nonsense'; see 'ssdbench run --help'"},
		{"run a b --size", "option '--size' needs a value (SIZE)"},
		{"run --quiet=2 a", "option '--quiet' takes no value"},
		{"run --assume", "option '--assume' is ambiguous; see 'ssdbench run --help'"},
		{"run a -z b", "unknown option '-z'; see 'ssdbench run --help'"},
	};
	struct input input;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(parse_line(&input, &err, cases[i].line), -EINVAL);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_string_equal(err.text, cases[i].text);
	}
}

static void numbers_are_whole_and_choices_are_listed(void **state)
{
	static const char *const list[] = {"table", "json", NULL};
	struct error err = {0};
	uint64_t number = 5;

	(void)state;
	assert_int_equal(arg_number("seed", "18446744073709551615", &number, &err), 0);
	assert_true(number == UINT64_MAX);
	assert_int_equal(arg_number("seed", "18446744073709551616", &number, &err), EINVAL);
	assert_string_equal(err.text,
			    "--seed: '18446744073709551616' is above 18446744073709551615");
	assert_int_equal(arg_number("seed", "-1", &number, NULL), EINVAL);
	assert_int_equal(arg_number("seed", " 1", &number, NULL), EINVAL);
	assert_int_equal(arg_number("seed", "1x", &number, NULL), EINVAL);
	assert_int_equal(arg_number("seed", "", &number, NULL), EINVAL);

	err = (struct error){0};
	assert_int_equal(arg_choice("format", "json", list, &err), 1);
	assert_int_equal(arg_choice("format", "xml", list, &err), -1);
	assert_string_equal(err.text, "--format: 'xml' is none of table, json");
}

static void a_size_of_0_and_an_empty_name_are_mistakes(void **state)
{
	const char *name = "kept";
	struct error err = {0};
	uint64_t bytes = 5;

	(void)state;
	assert_int_equal(arg_size("memory", "0", &bytes, &err), EINVAL);
	assert_string_equal(err.text, "--memory: must be above 0");
	assert_int_equal(bytes, 5);
	assert_int_equal(arg_size("memory", "4k", &bytes, NULL), 0);
	assert_int_equal(bytes, 4096);
	err = (struct error){0};
	assert_int_equal(arg_name("output", "", &name, &err), EINVAL);
	assert_string_equal(err.text, "--output: the name is empty (an unset variable?)");
	assert_string_equal(name, "kept");
	assert_int_equal(arg_name("output", "here", &name, NULL), 0);
	assert_string_equal(name, "here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_words_may_be_mixed),
		cmocka_unit_test(each_mistake_has_a_message_of_its_own),
		cmocka_unit_test(numbers_are_whole_and_choices_are_listed),
		cmocka_unit_test(a_size_of_0_and_an_empty_name_are_mistakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
