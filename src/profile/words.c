// SPDX-License-Identifier: MIT
/* The vocabulary of profiles, in the order of the enums. */
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "ssdbench/nearest.h"
#include "ssdbench/profile.h"

#define WORDS(list)                                                                                \
	{                                                                                          \
		(list), sizeof(list) / sizeof((list)[0])                                           \
	}

/* Bytes that the words after a list take: the text and the word it probably was. */
#define HINT_ROOM 104

static const char *const phase_kinds[PHASE_KINDS] = {
	[PHASE_FILL] = "fill",         [PHASE_RANDOM_FILL] = "random-fill",
	[PHASE_SATURATE] = "saturate", [PHASE_MEASURE] = "measure",
	[PHASE_IDLE] = "idle",         [PHASE_PURGE] = "purge",
};

static const char *const rws[RW_KINDS] = {
	[RW_READ] = "read",           [RW_WRITE] = "write", [RW_RANDREAD] = "randread",
	[RW_RANDWRITE] = "randwrite", [RW_RW] = "rw",       [RW_RANDRW] = "randrw",
};

static const char *const purge_methods[PURGE_METHODS] = {
	[PURGE_NONE] = "none",
	[PURGE_AUTO] = "auto",
	[PURGE_FORMAT] = "format",
	[PURGE_FORMAT_CRYPTO] = "format-crypto",
	[PURGE_SANITIZE] = "sanitize",
	[PURGE_SANITIZE_BLOCK] = "sanitize-block",
	[PURGE_SANITIZE_CRYPTO] = "sanitize-crypto",
	[PURGE_SANITIZE_OVERWRITE] = "sanitize-overwrite",
	[PURGE_DISCARD] = "discard",
};

static const char *const purge_failures[PURGE_FAILURES] = {
	[PURGE_STOP] = "stop",
	[PURGE_CONTINUE] = "continue",
};

static const char *const axes[AXES] = {
	[AXIS_RW] = "rw",
	[AXIS_BS] = "bs",
	[AXIS_NUMJOBS] = "numjobs",
	[AXIS_IODEPTH] = "iodepth",
};

static const char *const facts[FACTS] = {
	[FACT_CAPACITY] = "capacity",
	[FACT_LOGICAL_BLOCK] = "logical_block",
	[FACT_INDIRECTION_UNIT] = "indirection_unit",
};

static const char *const comparisons[COMPARISONS] = {
	[CMP_LT] = "<",  [CMP_LE] = "<=", [CMP_EQ] = "==",
	[CMP_NE] = "!=", [CMP_GE] = ">=", [CMP_GT] = ">",
};

static const char *const metrics[METRICS] = {
	[METRIC_IOPS] = "iops",
	[METRIC_BANDWIDTH] = "bandwidth",
	[METRIC_LATENCY_MEAN] = "latency_mean",
	[METRIC_LATENCY_P99] = "latency_p99",
	[METRIC_ERRORS] = "errors",
};

static const char *const source_marks[SOURCE_MARKS] = {
	[SOURCE_PUBLISHED] = "published",
	[SOURCE_RECALLED] = "recalled",
	[SOURCE_OURS] = "ours",
};

const struct words phase_kind_words = WORDS(phase_kinds);
const struct words rw_words = WORDS(rws);
const struct words purge_method_words = WORDS(purge_methods);
const struct words purge_failure_words = WORDS(purge_failures);
const struct words axis_words = WORDS(axes);
const struct words fact_words = WORDS(facts);
const struct words comparison_words = WORDS(comparisons);
const struct words metric_words = WORDS(metrics);
const struct words source_mark_words = WORDS(source_marks);

const char *phase_kind_name(enum phase_kind kind)
{
	return phase_kinds[kind];
}

const char *rw_name(enum rw rw)
{
	return rws[rw];
}

const char *purge_method_name(enum purge_method method)
{
	return purge_methods[method];
}

const char *purge_failure_name(enum purge_failure failure)
{
	return purge_failures[failure];
}

const char *comparison_name(enum comparison comparison)
{
	return comparisons[comparison];
}

int words_find(const struct words *words, const char *text)
{
	for (size_t i = 0; i < words->nr; i++) {
		if (strcmp(words->name[i], text) == 0)
			return (int)i;
	}
	return -1;
}

const char *words_nearest(const struct words *words, const char *text)
{
	struct nearest nearest = {0};

	for (size_t i = 0; i < words->nr; i++)
		nearest_offer(&nearest, text, words->name[i]);
	return nearest.word;
}

const char *words_list(const struct words *words, char list[WORDS_MESSAGE_MAX])
{
	size_t used = 0;

	list[0] = '\0';
	for (size_t i = 0; i < words->nr; i++) {
		const size_t left = WORDS_MESSAGE_MAX - used;
		const int length =
			snprintf(list + used, left, "%s%s", i ? ", " : "", words->name[i]);

		/* Room for a hint after the list is kept. */
		if (length < 0 || (size_t)length + HINT_ROOM >= left) {
			snprintf(list + used, left, ", ...");
			break;
		}
		used += (size_t)length;
	}
	return list;
}

const char *words_hint(const struct words *words, const char *text, char message[WORDS_MESSAGE_MAX])
{
	const char *nearest = words_nearest(words, text);
	char list[WORDS_MESSAGE_MAX];

	if (nearest)
		snprintf(message, WORDS_MESSAGE_MAX, "one of %.680s; did you mean \"%s\"?",
			 words_list(words, list), nearest);
	else
		snprintf(message, WORDS_MESSAGE_MAX, "one of %.680s", words_list(words, list));
	return message;
}
