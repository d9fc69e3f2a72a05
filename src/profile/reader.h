/* SPDX-License-Identifier: MIT */
/*
 * Reading JSON strictly: typed values, objects by a table of keys, and errors that name the file
 * and the JSON pointer (RFC 6901). All functions return 0, or a negative errno with the reader's
 * error filled.
 */
#ifndef SSDBENCH_PROFILE_READER_H
#define SSDBENCH_PROFILE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ssdbench/error.h"
#include "words.h"

struct json_t;

/* A place in the document: a chain on the stack from a value up to the root. */
struct where {
	const struct where *up; /* NULL: the root */
	const char *key;        /* NULL: an element of an array */
	size_t index;
};

struct reader {
	const char *origin; /* what messages call the file */
	/* The document before parameters took the places of their "$name"; NULL: they did not yet.
	 */
	const struct json_t *written;
	struct error *err;
};

typedef int read_fn(struct reader *r, const struct where *at, const struct json_t *value,
		    void *out);

/* A key of an object. The sets are bit masks of the kinds of object that the table serves. */
struct key {
	const char *name;
	unsigned int takes; /* kinds that may have it */
	unsigned int needs; /* kinds that must have it */
	read_fn *read;
};

#define KEY_ALWAYS (~0U)

/* "origin: /pointer: text"; returns -EINVAL. */
int reader_fail(const struct reader *r, const struct where *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns -ENOMEM. */
int reader_no_memory(const struct reader *r);

#define SHOW_MAX 80

/* @value as JSON for a message, without control characters, cut. Returns @text. */
const char *reader_show(const struct json_t *value, char text[SHOW_MAX]);

/*
 * Read the object @value by the table @keys of @nr. @kind: one bit. @noun: "a fill", "a point".
 * Unknown keys, keys that the kind does not take and missing ones are errors; then each read()
 * is called with @out, in the order of the table.
 */
int reader_object(struct reader *r, const struct where *at, const struct json_t *value,
		  const struct key *keys, size_t nr, unsigned int kind, const char *noun,
		  void *out);

/* A string of 1 to @max bytes without control characters. @text is borrowed from @value. */
int reader_string(struct reader *r, const struct where *at, const struct json_t *value, size_t max,
		  const char **text);

/* The same, copied; the caller frees. */
int reader_copy(struct reader *r, const struct where *at, const struct json_t *value, size_t max,
		char **text);

/* A name: 1 to 64 of lower case letters, digits, @extra; the caller frees. */
int reader_name(struct reader *r, const struct where *at, const struct json_t *value, char extra,
		char **text);

int reader_bool(struct reader *r, const struct where *at, const struct json_t *value, bool *out);

int reader_integer(struct reader *r, const struct where *at, const struct json_t *value,
		   uint32_t min, uint32_t max, uint32_t *out);

/* "128KiB" */
int reader_size(struct reader *r, const struct where *at, const struct json_t *value, uint64_t min,
		uint64_t max, uint64_t *out);

/* "300s"; at most PROFILE_DURATION_MAX_NS. */
int reader_duration(struct reader *r, const struct where *at, const struct json_t *value,
		    uint64_t min, uint64_t *out);

/* A share above 0: 98.51 or "98.51", in basis points. */
int reader_percent(struct reader *r, const struct where *at, const struct json_t *value,
		   uint32_t *out);

/* The index of one of @words. */
int reader_word(struct reader *r, const struct where *at, const struct json_t *value,
		const struct words *words, unsigned int *out);

/*
 * Room for the elements of the array @value (1 to @max), or for the one value where @value is none:
 * @nr of @size bytes each, all zero, to be released with free(). NULL: an error was recorded.
 */
void *reader_allocate(struct reader *r, const struct where *at, const struct json_t *value,
		      size_t max, size_t size, size_t *nr);

/* Calls @read for each element of the array @value, or for the one value, with the element of the
 * array @out that has the same index. */
int reader_each(struct reader *r, const struct where *at, const struct json_t *value, read_fn *read,
		void *out, size_t size);

/* An error unless @value is an array. */
int reader_want_array(struct reader *r, const struct where *at, const struct json_t *value);

#endif
