/* SPDX-License-Identifier: MIT */
/*
 * Errors that a person must read. A function returns 0 (or a count) or a negative errno; where the
 * cause needs words, its last parameter is a `struct error *`, which the caller owns and clears.
 * The first cause wins: a later error_*() call on a filled error changes nothing, so that callers
 * may report their own, vaguer view without hiding what really happened.
 */
#ifndef SSDBENCH_ERROR_H
#define SSDBENCH_ERROR_H

/* What kind of failure it is; main maps it to the exit status (man ssdbench, EXIT STATUS). */
enum error_kind {
	ERROR_NONE = 0,
	ERROR_USAGE,   /* a wrong word, option, profile or value: exit status 2 */
	ERROR_REFUSED, /* refused for safety, nothing was written: exit status 3 */
	ERROR_HARNESS, /* the harness could not measure or save: exit status 4 */
};

struct error {
	enum error_kind kind; /* ERROR_NONE: nothing happened */
	int code;             /* negative errno, 0 when nothing happened */
	char text[1024];      /* one line: a sentence or more, UTF-8, no control characters */
};

/* Empties @err, so that it can take the next first cause. NULL is allowed. */
void error_clear(struct error *err);

/*
 * Record that the harness could not do its work (ERROR_HARNESS).
 * @code: negative errno; it is returned, so that `return error_set(err, -ENOMEM, "...")` reads
 * well.
 * @err: NULL is allowed, then only the return value carries the failure.
 * Text longer than error.text is cut.
 */
int error_set(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for a wrong word of the user's (ERROR_USAGE); returns -EINVAL. */
int error_usage(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a refusal that protects data (ERROR_REFUSED); returns -EPERM. */
int error_refuse(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Put "where: " in front of the text of a filled @err (a file name, a JSON pointer, a drive).
 * Does nothing on an empty one. Callers use it on the way out, innermost first.
 */
void error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
