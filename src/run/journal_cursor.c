// SPDX-License-Identifier: MIT
#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_MIN 65536

void journal_cursor_init(struct journal_cursor *cursor, int fd, off_t at)
{
	*cursor = (struct journal_cursor){.fd = fd, .at = at, .read_at = at};
}

void journal_cursor_fini(struct journal_cursor *cursor)
{
	free(cursor->buffer);
	cursor->buffer = NULL;
}

/* More bytes behind those in the buffer, which moves to its start or grows. 1, 0 at the end, or a negative errno. */
static int read_more(struct journal_cursor *cursor)
{
	ssize_t nr;

	if (cursor->start > 0) {
		memmove(cursor->buffer, cursor->buffer + cursor->start,
			cursor->used - cursor->start);
		cursor->used -= cursor->start;
		cursor->start = 0;
	}
	if (cursor->used == cursor->size) {
		const size_t size = cursor->size ? cursor->size * 2 : BUFFER_MIN;
		char *grown = realloc(cursor->buffer, size);

		if (!grown)
			return -ENOMEM;
		cursor->buffer = grown;
		cursor->size = size;
	}
	nr = pread(cursor->fd, cursor->buffer + cursor->used, cursor->size - cursor->used,
		   cursor->read_at);
	if (nr < 0)
		return -errno;
	cursor->used += (size_t)nr;
	cursor->read_at += nr;
	return nr > 0;
}

int journal_cursor_next(struct journal_cursor *cursor, const char **line, size_t *length)
{
	size_t searched = 0;

	for (;;) {
		const size_t held = cursor->used - cursor->start;
		char *newline = NULL;
		int ret;

		if (held > searched)
			newline = memchr(cursor->buffer + cursor->start + searched, '\n',
					 held - searched);
		if (newline) {
			*newline = '\0';
			*line = cursor->buffer + cursor->start;
			*length = (size_t)(newline - *line);
			cursor->start += *length + 1;
			cursor->at += (off_t)*length + 1;
			return 1;
		}
		searched = held;
		ret = read_more(cursor);
		if (ret <= 0)
			return ret;
	}
}
