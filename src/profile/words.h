/* SPDX-License-Identifier: MIT */
/* Lists of words that a profile may use, and what to say of a word that is not among them. */
#ifndef SSDBENCH_PROFILE_WORDS_H
#define SSDBENCH_PROFILE_WORDS_H

#include <stddef.h>

#define WORDS_MESSAGE_MAX 768

/* Index i is the name of enum value i. */
struct words {
	const char *const *name;
	size_t nr;
};

extern const struct words phase_kind_words;
extern const struct words rw_words;
extern const struct words purge_method_words;
extern const struct words purge_failure_words;
extern const struct words axis_words;
extern const struct words fact_words;
extern const struct words comparison_words;
extern const struct words metric_words;
extern const struct words source_mark_words;

/* The index of @text, or -1. */
int words_find(const struct words *words, const char *text);

/* The word that is so near to @text that it is probably meant, or NULL. Borrowed from @words. */
const char *words_nearest(const struct words *words, const char *text);

/* "a, b, c", cut with "..." where it does not fit. Returns @list. */
const char *words_list(const struct words *words, char list[WORDS_MESSAGE_MAX]);

/* 'one of a, b, c; did you mean "b"?' for the end of a message about @text. Returns @message. */
const char *words_hint(const struct words *words, const char *text,
		       char message[WORDS_MESSAGE_MAX]);

#endif
