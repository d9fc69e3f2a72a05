/* SPDX-License-Identifier: MIT */
/*
 * The journal: one JSON object a line, appended whole and synced, so that what it holds is true after a
 * crash or a power cut; a torn last line is the one that was being written and is not read.
 * When its place fails (full, broken, removed) it goes on elsewhere, without losing a line.
 */
#ifndef SSDBENCH_RUN_JOURNAL_H
#define SSDBENCH_RUN_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "directory.h"

struct json_t;

struct journal {
	int fd;
	char *path;
	off_t end;                   /* of the last whole line */
	const struct places *places; /* borrowed */
	bool moved;                  /* the run's directory does not hold all of it */
	int lost;                    /* negative errno: a line could be kept nowhere */
};

/* Creates @path, which must not exist. 0 or a negative errno. Release with journal_close(). */
int journal_open(struct journal *journal, const char *path, const struct places *places);

/*
 * Append @line. 0: kept where all others are. 1: kept, but the journal has just left its place; @why says
 * so in a sentence. Negative errno: the line is lost, which journal->lost remembers.
 */
int journal_append(struct journal *journal, const struct json_t *line, char *why, size_t size);

void journal_close(struct journal *journal);

/* Reads lines by pread(), so that several cursors and the writer share one file. */
struct journal_cursor {
	int fd;
	off_t at;      /* in the file, of the next line */
	off_t read_at; /* in the file, of the end of the buffer */
	char *buffer;
	size_t size, start, used; /* the buffer holds [start, used) */
};

void journal_cursor_init(struct journal_cursor *cursor, int fd, off_t at);

/* 1 and @line (NUL for newline, valid until the next call) with its @length, 0 at the end, or a negative errno. */
int journal_cursor_next(struct journal_cursor *cursor, const char **line, size_t *length);

void journal_cursor_fini(struct journal_cursor *cursor);

#endif
