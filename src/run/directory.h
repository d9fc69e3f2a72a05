/* SPDX-License-Identifier: MIT */
/* Directories and files of a run: made, and written so that no half of a file has a final name. */
#ifndef SSDBENCH_RUN_DIRECTORY_H
#define SSDBENCH_RUN_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ssdbench/error.h"

#define RUN_FILE     "run.json"
#define JOURNAL_FILE "journal.jsonl"
#define RESULT_FILE  "result.json"

/* Makes @path and what leads to it. ERROR_USAGE where it holds a run already, ERROR_HARNESS where it cannot be made. */
int directory_prepare(const char *path, struct error *err);

/* "@directory/@name". The caller frees; NULL: no memory. */
char *path_join(const char *directory, const char *name);

/* mkdir -p. 0 or a negative errno. */
int directory_make(const char *path);

/* Writes to @out what a file shall hold. 0 or a negative errno; the cause of a failed stream is found by the caller. */
typedef int file_writer(FILE *out, const void *context);

/*
 * Make @path hold what @writer writes: into a temporary file beside it, fsync, rename, fsync of the directory. On
 * failure (negative errno) whatever stood at @path stands there still.
 */
int file_replace(const char *path, file_writer *writer, const void *context);

/* Write into what stands at @path (a device, a pipe). 0 or a negative errno; -ENXIO: a FIFO without a reader. */
int file_write_in_place(const char *path, file_writer *writer, const void *context);

#define PLACES_MAX 3

/* Where results and journals go when their own place fails, in this order. */
struct places {
	char *directory[PLACES_MAX]; /* owned */
	size_t nr;
};

/* $XDG_STATE_HOME/ssdbench or ~/.local/state/ssdbench, /var/tmp, /tmp. Makes none of them. */
void places_init(struct places *places);
void places_fini(struct places *places);

#endif
