/* SPDX-License-Identifier: MIT */
/* Strings that a drive tells of itself, made fit for JSON and terminals. */
#ifndef SSDBENCH_TARGET_TEXT_H
#define SSDBENCH_TARGET_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * @bytes as valid UTF-8: each byte that is no part of a well-formed sequence (RFC 3629), and each
 * control character, becomes U+FFFD; blanks and NULs at the end are cut. @changed tells whether a byte
 * was replaced. NULL: out of memory. The caller releases the string with free().
 */
char *text_clean(const char *bytes, size_t len, bool *changed);

/* "54455354ff": the bytes in hexadecimal. NULL: out of memory. Release with free(). */
char *text_hex(const char *bytes, size_t len);

#endif
