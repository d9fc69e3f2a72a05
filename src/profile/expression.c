// SPDX-License-Identifier: MIT
/* Both languages are triples of words: NAME OPERATOR VALUE, joined by "and" in a condition. */
#include "expression.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "ssdbench/units.h"

#define TRIPLE    3
#define WORDS_MAX (PROFILE_CONDITIONS_MAX * (TRIPLE + 1))

/* Cuts @text in place at its blanks. Returns the number of words, at most @max of them are set. */
static size_t split(char *text, char *words[], size_t max)
{
	char *rest = NULL;
	size_t nr = 0;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (nr < max)
			words[nr] = word;
		nr++;
	}
	return nr;
}

static int find_word(struct reader *r, const struct where *at, const struct words *words,
		     const char *text)
{
	char message[WORDS_MESSAGE_MAX];
	const int index = words_find(words, text);

	if (index >= 0)
		return index;
	return reader_fail(r, at, "\"%s\" is not %s", text, words_hint(words, text, message));
}

static int read_condition(struct reader *r, const struct where *at, char *const word[TRIPLE],
			  struct condition *condition)
{
	const int fact = find_word(r, at, &fact_words, word[0]);
	const int comparison = fact < 0 ? fact : find_word(r, at, &comparison_words, word[1]);
	struct error cause = {0};

	if (comparison < 0)
		return comparison;
	if (size_parse(word[2], &condition->value, &cause))
		return reader_fail(r, at, "%s", cause.text);
	condition->fact = (enum fact)fact;
	condition->comparison = (enum comparison)comparison;
	return 0;
}

/* @text is cut up. */
static int read_conditions(struct reader *r, const struct where *at, char *text,
			   struct phase *phase)
{
	char *word[WORDS_MAX];
	const size_t nr = split(text, word, WORDS_MAX);

	if (nr % (TRIPLE + 1) != TRIPLE || nr > WORDS_MAX)
		return reader_fail(
			r, at,
			"a condition is \"FACT OPERATOR SIZE\", and so on after \" and \", such as \"capacity > 1TB\"");
	phase->when = calloc(nr / (TRIPLE + 1) + 1, sizeof(*phase->when));
	if (!phase->when)
		return reader_no_memory(r);
	for (size_t i = 0; i < nr; i += TRIPLE + 1) {
		int ret;

		if (i > 0 && strcmp(word[i - 1], "and") != 0)
			return reader_fail(r, at, "conditions are joined by \"and\", not \"%s\"",
					   word[i - 1]);
		ret = read_condition(r, at, &word[i], &phase->when[phase->nr_when]);
		if (ret)
			return ret;
		phase->nr_when++;
	}
	return 0;
}

int expression_read_when(struct reader *r, const struct where *at, const json_t *value,
			 struct phase *phase)
{
	char *text = NULL;
	int ret;

	ret = reader_copy(r, at, value, PROFILE_EXPRESSION_MAX, &text);
	if (!ret)
		ret = read_conditions(r, at, text, phase);
	free(text);
	return ret;
}

static int parse_count(const char *text, uint64_t *count, struct error *err)
{
	uint64_t number = 0;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return error_usage(err, "\"%s\" is not a whole number", text);
	for (; *text; text++) {
		if (__builtin_mul_overflow(number, 10U, &number) ||
		    __builtin_add_overflow(number, (unsigned int)(*text - '0'), &number))
			return error_usage(err, "the number is above %" PRIu64, UINT64_MAX);
	}
	*count = number;
	return 0;
}

/* How the value of each metric is written. */
static int (*const parse_value[METRICS])(const char *text, uint64_t *value, struct error *err) = {
	[METRIC_IOPS] = parse_count,
	[METRIC_BANDWIDTH] = size_parse,
	[METRIC_LATENCY_MEAN] = duration_parse,
	[METRIC_LATENCY_P99] = duration_parse,
	[METRIC_ERRORS] = parse_count,
};

/* @text is cut up. */
static int read_comparison(struct reader *r, const struct where *at, char *text, struct gate *gate)
{
	struct error cause = {0};
	char *word[TRIPLE];
	uint64_t number;
	int metric, comparison;

	if (split(text, word, TRIPLE) != TRIPLE)
		return reader_fail(r, at,
				   "a gate is \"METRIC OPERATOR VALUE\", such as \"iops >= 1000\"");
	metric = find_word(r, at, &metric_words, word[0]);
	comparison = metric < 0 ? metric : find_word(r, at, &comparison_words, word[1]);
	if (comparison < 0)
		return comparison;
	if (parse_value[metric](word[2], &number, &cause))
		return reader_fail(r, at, "%s", cause.text);
	gate->metric = (enum metric)metric;
	gate->comparison = (enum comparison)comparison;
	gate->value = (double)number;
	return 0;
}

int expression_read_gate(struct reader *r, const struct where *at, const json_t *value, void *out)
{
	struct gate *gate = out;
	char *text = NULL;
	int ret;

	ret = reader_copy(r, at, value, PROFILE_EXPRESSION_MAX, &gate->text);
	if (!ret)
		ret = reader_copy(r, at, value, PROFILE_EXPRESSION_MAX, &text);
	if (!ret)
		ret = read_comparison(r, at, text, gate);
	free(text);
	return ret;
}

char *expression_when_text(const struct phase *phase)
{
	const size_t room = 80; /* the longest fact, operator and size, and " and " */
	char *text = malloc(phase->nr_when * room + 1);
	char size[UNITS_TEXT_MAX];
	size_t used = 0;

	if (!text)
		return NULL;
	text[0] = '\0';
	for (size_t i = 0; i < phase->nr_when; i++) {
		const struct condition *c = &phase->when[i];

		used += (size_t)snprintf(text + used, room, "%s%s %s %s", i ? " and " : "",
					 fact_words.name[c->fact], comparison_name(c->comparison),
					 size_format(c->value, size));
	}
	return text;
}
