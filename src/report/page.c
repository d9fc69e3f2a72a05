// SPDX-License-Identifier: MIT
#include "page.h"

#include <errno.h>
#include <stdlib.h>

int page_open(struct page *page)
{
	*page = (struct page){0};
	page->out = open_memstream(&page->data, &page->size);
	return page->out ? 0 : -ENOMEM;
}

static int write_out(const struct page *page, FILE *stream)
{
	errno = 0;
	if (fwrite(page->data, 1, page->size, stream) == page->size && fflush(stream) == 0)
		return 0;
	return errno ? -errno : -EIO;
}

int page_write(struct page *page, FILE *stream, int rc)
{
	if (fclose(page->out) != 0 && rc == 0)
		rc = -ENOMEM;
	if (rc == 0)
		rc = write_out(page, stream);
	free(page->data);
	*page = (struct page){0};
	return rc;
}
