// SPDX-License-Identifier: MIT
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ssdbench/value.h"

int journal_open(struct journal *journal, const char *path, const struct places *places)
{
	*journal = (struct journal){.fd = -1, .places = places};
	journal->path = strdup(path);
	if (!journal->path)
		return -ENOMEM;
	journal->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (journal->fd < 0) {
		const int ret = -errno;

		free(journal->path);
		journal->path = NULL;
		return ret;
	}
	return 0;
}

void journal_close(struct journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	free(journal->path);
	*journal = (struct journal){.fd = -1};
}

/* One write() a line: a short one (the disk is full) leaves no half of a line behind. */
static int append_text(int fd, off_t at, const char *text, size_t length)
{
	const ssize_t written = pwrite(fd, text, length, at);
	int ret = written < 0 ? -errno : -ENOSPC;

	if (written == (ssize_t)length)
		ret = fdatasync(fd) < 0 ? -errno : 0;
	if (ret < 0)
		(void)ftruncate(fd, at); /* a torn line is not read anyway */
	return ret;
}

static int copy_whole(int to, int from, off_t length)
{
	char block[65536];
	off_t at = 0;

	while (at < length) {
		const off_t left = length - at;
		const size_t want = left < (off_t)sizeof(block) ? (size_t)left : sizeof(block);
		const ssize_t nr = pread(from, block, want, at);

		if (nr <= 0)
			return nr < 0 ? -errno : -EIO;
		if (pwrite(to, block, (size_t)nr, at) != nr)
			return -ENOSPC;
		at += nr;
	}
	return 0;
}

/* The @index-th place for a nameless file; past the last directory: memory. */
static int open_nameless(const struct places *places, size_t index)
{
	if (index == places->nr)
		return memfd_create(JOURNAL_FILE, MFD_CLOEXEC);
	(void)directory_make(places->directory[index]); /* open() tells if it is not there */
	return open(places->directory[index], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* Go on in the first place that takes all lines so far and the new one. */
static int move_and_append(struct journal *journal, const char *text, size_t length,
			   const char **place)
{
	for (size_t i = 0; i <= journal->places->nr; i++) {
		const int fd = open_nameless(journal->places, i);

		if (fd < 0)
			continue;
		if (copy_whole(fd, journal->fd, journal->end) == 0 &&
		    append_text(fd, journal->end, text, length) == 0) {
			close(journal->fd);
			journal->fd = fd;
			*place = i < journal->places->nr ? journal->places->directory[i] : "memory";
			return 0;
		}
		close(fd);
	}
	return -ENOSPC;
}

/* An unlinked file takes lines as before, but nobody will find them after the run. */
static bool is_unlinked(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

static int append(struct journal *journal, const char *text, size_t length, char *why, size_t size)
{
	int ret = append_text(journal->fd, journal->end, text, length);
	const char *place = NULL;

	if (ret == 0 && (journal->moved || !is_unlinked(journal->fd)))
		return 0;
	if (ret == 0) {
		snprintf(why, size, "%s was removed: the journal goes on without a name",
			 journal->path);
		journal->moved = true;
		return 1;
	}
	if (move_and_append(journal, text, length, &place) < 0)
		return ret;
	snprintf(why, size, "%s: %s: the journal goes on in a nameless file in %s", journal->path,
		 strerrordesc_np(-ret), place);
	journal->moved = true;
	return 1;
}

int journal_append(struct journal *journal, const struct json_t *line, char *why, size_t size)
{
	char *text = json_dumps(line, VALUE_DUMP);
	const size_t length = text ? strlen(text) + 1 : 0;
	int ret = -ENOMEM;

	if (text) {
		text[length - 1] = '\n';
		ret = append(journal, text, length, why, size);
	}
	if (ret >= 0)
		journal->end += (off_t)length;
	else if (!journal->lost)
		journal->lost = ret;
	free(text);
	return ret;
}
