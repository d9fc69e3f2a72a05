// SPDX-License-Identifier: MIT
/*
 * "scratch:SIZE": a file without a name, gone with its descriptor whatever ends the run. A directory in
 * memory is passed over, for it says nothing of a drive; where the user asks for one, the facts say so.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "facts.h"
#include "internal.h"
#include "sysfs.h"

static bool in_memory(const char *directory)
{
	struct statfs fs;

	return !statfs(directory, &fs) && (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

static const char *choose_directory(const char *asked)
{
	const char *temporary = getenv("TMPDIR");

	if (asked)
		return asked;
	if (temporary && *temporary && !in_memory(temporary))
		return temporary;
	return "/var/tmp";
}

int scratch_find(struct target *target, const char *word, uint64_t bytes, const char *directory,
		 struct error *err)
{
	char path[PATH_MAX];
	struct stat st;

	directory = choose_directory(directory);
	if (!realpath(directory, path) || stat(path, &st))
		return error_set(err, -errno, "%s: directory %s: %s", word, directory,
				 strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return error_set(err, -ENOTDIR, "%s: %s is no directory", word, directory);
	target->scratch_directory = strdup(path);
	target->facts = facts_new(TARGET_SCRATCH, word, "scratch");
	if (!target->facts || !target->scratch_directory)
		return error_set(err, -ENOMEM, "%s: out of memory", word);
	target->alignment = FILE_ALIGNMENT;
	target->facts->capacity_bytes = bytes;
	target->facts->logical_block_bytes = FILE_ALIGNMENT;
	target->facts->physical_block_bytes = FILE_ALIGNMENT;
	if (file_read_place(target, path, st.st_dev))
		return error_set(err, -ENOMEM, "%s: out of memory", word);
	return 0;
}

/* File systems without O_TMPFILE get a file whose name is removed at once. */
static int open_named(const char *directory)
{
	char path[PATH_MAX];
	int fd;

	if (path_format(path, "%s/ssdbench-XXXXXX", directory))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (unlink(path)) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

int scratch_open(struct target *target, struct error *err)
{
	const char *directory = target->scratch_directory;
	int fd, ret;

	fd = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = errno == EOPNOTSUPP || errno == EISDIR ? open_named(directory) : -errno;
	if (fd < 0)
		return error_set(err, fd, "%s: cannot create a file in %s: %s", target->facts->word,
				 directory, strerror(-fd));
	ret = file_prepare(fd, target->facts->capacity_bytes, directory, target->facts->filesystem,
			   err);
	if (ret) {
		error_prefix(err, "%s", target->facts->word);
		close(fd);
		return ret;
	}
	target->fd = fd;
	return 0;
}
