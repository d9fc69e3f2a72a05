/* SPDX-License-Identifier: MIT */
/* Text that is composed in memory and then written as a whole, so that a failing stream is seen once. */
#ifndef SSDBENCH_REPORT_PAGE_H
#define SSDBENCH_REPORT_PAGE_H

#include <stdio.h>

struct page {
	FILE *out; /* print to this */
	char *data;
	size_t size;
};

/* 0 or -ENOMEM. End it with page_write(). */
int page_open(struct page *page);

/*
 * Write all of it to @stream, flush that, and release @page in any case. @rc: 0, or what went wrong
 * before: then nothing is written and @rc is returned. 0 or a negative errno (-ENOSPC on /dev/full).
 */
int page_write(struct page *page, FILE *stream, int rc);

#endif
