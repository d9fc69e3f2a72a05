/* SPDX-License-Identifier: MIT */
/*
 * The result document, a function of run.json and the journal. It is streamed: at most one step's summary and
 * one batch of samples are in memory, however long the run was.
 */
#ifndef SSDBENCH_RUN_DOCUMENT_H
#define SSDBENCH_RUN_DOCUMENT_H

#include <stdio.h>

struct json_t;

struct result_document {
	const struct json_t *header; /* what run.json holds */
	int journal;                 /* file descriptor, read by pread() */
};

/* Writes @context, a struct result_document, to @out; a file_writer. 0 or a negative errno (-EBADMSG: a
 * line of the journal is not what a run writes). */
int result_document_write(FILE *out, const void *context);

#endif
