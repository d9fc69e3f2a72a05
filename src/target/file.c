// SPDX-License-Identifier: MIT
/*
 * Regular files: found, created, opened. O_DIRECT that cannot be had is an error and never a fallback to
 * the page cache, which would measure memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "facts.h"
#include "internal.h"
#include "process.h"
#include "ssdbench/units.h"
#include "sysfs.h"

/* Left free on a file system: 5 % of it, at most 1 GiB. */
#define MARGIN_SHARE 20
#define MARGIN_MAX   (1ULL << 30)

/* Multiple that O_DIRECT wants of offsets, lengths and addresses. 0: it says that it refuses O_DIRECT. */
static uint32_t direct_alignment(int dirfd, const char *path, int flags)
{
#ifdef STATX_DIOALIGN
	struct statx stx;

	if (!statx(dirfd, path, flags, STATX_DIOALIGN, &stx) && (stx.stx_mask & STATX_DIOALIGN))
		return stx.stx_dio_mem_align > stx.stx_dio_offset_align ? stx.stx_dio_mem_align
									: stx.stx_dio_offset_align;
#else
	(void)dirfd;
	(void)path;
	(void)flags;
#endif
	return FILE_ALIGNMENT;
}

/* The type of the file system that @path lies in, "ext4". NULL: unknown. Release with free(). */
static char *filesystem_of(const struct target_roots *roots, const char *path)
{
	struct libmnt_table *table = mnt_new_table();
	char mountinfo[PATH_MAX], *type = NULL;
	struct libmnt_fs *fs;

	if (table && !path_format(mountinfo, "%s/self/mountinfo", roots->proc) &&
	    !mnt_table_parse_file(table, mountinfo)) {
		fs = mnt_table_find_mountpoint(table, path, MNT_ITER_BACKWARD);
		if (fs && mnt_fs_get_fstype(fs))
			type = strdup(mnt_fs_get_fstype(fs));
	}
	mnt_unref_table(table);
	return type;
}

static bool is_ram(const char *path)
{
	struct statfs fs;

	if (statfs(path, &fs))
		return false;
	return fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC || fs.f_type == HUGETLBFS_MAGIC;
}

int file_read_place(struct target *target, const char *path, dev_t device)
{
	static const char *const none[] = {"model", "serial", "firmware", "wwid", "nsid"};
	struct drive_facts *facts = target->facts;
	char dir[PATH_MAX];
	const char *kind;
	int ret = 0;

	facts->filesystem = filesystem_of(&target->roots, path);
	if (!facts->filesystem)
		ret = facts_gap(facts, "filesystem", "no mount that holds %s", path);
	facts->ram_backed = is_ram(path);
	if (!sysfs_block_by_number(&target->roots, device, dir)) {
		if (sysfs_exists(dir, "partition"))
			sysfs_parent(dir);
		facts->disk = strdup(sysfs_name(dir));
		if (!facts->disk)
			return -ENOMEM;
		kind = facts_virtual_kind(facts->disk);
		facts->ram_backed |= kind && strcmp(kind, "loop");
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]) && !ret; i++)
		ret = facts_gap(facts, none[i], "a file, not a drive");
	return ret;
}

/* Files inside /dev itself are leftovers of misspelt device names. Other mounts below it (/dev/shm) are
 * ordinary places. */
static bool inside_dev(const struct target_roots *roots, const char *path, dev_t device)
{
	char dev[PATH_MAX];
	struct stat st;
	size_t len;

	if (!realpath(roots->dev, dev) || stat(dev, &st) || st.st_dev != device)
		return false;
	len = strlen(dev);
	return !strncmp(path, dev, len) && path[len] == '/';
}

static int set_file(struct target *target, const char *word, const char *path, uint64_t bytes,
		    struct error *err)
{
	struct drive_facts *facts = facts_new(TARGET_FILE, word, sysfs_name(path));

	target->facts = facts;
	if (!facts || !(facts->path = strdup(path)))
		return error_set(err, -ENOMEM, "%s: out of memory", word);
	facts->capacity_bytes = bytes - bytes % target->alignment;
	facts->logical_block_bytes = target->alignment;
	facts->physical_block_bytes = target->alignment;
	if (!facts->capacity_bytes)
		return error_refuse(err,
				    "%s: no capacity: %llu bytes, less than the %u that O_DIRECT "
				    "moves at least",
				    word, (unsigned long long)bytes, target->alignment);
	return 0;
}

int file_find(struct target *target, const char *word, const struct stat *st, struct error *err)
{
	char path[PATH_MAX];
	struct statvfs fs;
	int ret;

	if (!realpath(word, path))
		return error_refuse(err, "%s: %s", word, strerror(errno));
	if (inside_dev(&target->roots, path, st->st_dev))
		return error_refuse(err, "%s: not a block device but a regular file inside %s",
				    word, target->roots.dev);
	target->alignment = direct_alignment(AT_FDCWD, path, 0);
	if (!target->alignment)
		return error_refuse(err,
				    "%s: its file system does not do O_DIRECT on this file; a run "
				    "would measure the page cache",
				    word);
	ret = set_file(target, word, path, (uint64_t)st->st_size, err);
	if (ret)
		return ret;
	ret = identity_of_path(AT_FDCWD, path, &target->file);
	if (ret)
		return error_set(err, ret, "%s: %s", word, strerror(-ret));
	target->facts->read_only = !statvfs(path, &fs) && (fs.f_flag & ST_RDONLY);
	if (file_read_place(target, path, st->st_dev))
		return error_set(err, -ENOMEM, "%s: out of memory", word);
	return 0;
}

int file_find_new(struct target *target, const char *word, struct error *err)
{
	char parent[PATH_MAX], path[PATH_MAX];
	const char *name = sysfs_name(word);
	struct stat st;
	int ret;

	if (!lstat(word, &st))
		return word_refuse_absent(&target->roots, word, -ENOENT, err); /* a dangling link */
	if (!*name || path_format(path, "%.*s.", (int)(name - word), word) ||
	    !realpath(path, parent) || stat(parent, &st))
		return error_refuse(err, "%s: no such directory to create the file in", word);
	if (path_format(path, "%s/%s", strcmp(parent, "/") ? parent : "", name))
		return error_refuse(err, "%s: the path is too long", word);
	if (inside_dev(&target->roots, path, st.st_dev))
		return error_refuse(err,
				    "%s: no such device, and no file is ever created inside %s",
				    word, target->roots.dev);
	target->alignment = FILE_ALIGNMENT;
	ret = set_file(target, word, path, target->create_bytes, err);
	if (!ret && file_read_place(target, parent, st.st_dev))
		ret = error_set(err, -ENOMEM, "%s: out of memory", word);
	return ret;
}

int space_check(int fd, uint64_t bytes, const char *path, struct error *err)
{
	char need[UNITS_TEXT_MAX], have[UNITS_TEXT_MAX], keep[UNITS_TEXT_MAX];
	uint64_t free_bytes, margin;
	struct statvfs fs;

	if (fstatvfs(fd, &fs))
		return error_set(err, -errno, "%s: cannot tell the free space: %s", path,
				 strerror(errno));
	if (!fs.f_blocks)
		return 0; /* ramfs does not tell its size */
	free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	margin = (uint64_t)fs.f_blocks * fs.f_frsize / MARGIN_SHARE;
	if (margin > MARGIN_MAX)
		margin = MARGIN_MAX;
	if (bytes > free_bytes || free_bytes - bytes < margin)
		return error_set(
			err, -ENOSPC,
			"%s: not enough space: need %s, free are %s, of which %s stay free (5 %% "
			"of the file system, at most 1 GiB)",
			path, capacity_human(bytes, need), capacity_human(free_bytes, have),
			capacity_human(margin, keep));
	return 0;
}

static int no_direct(const char *path, const char *filesystem, int error, struct error *err)
{
	return error_set(
		err, error,
		"%s: %s does not do O_DIRECT here (%s); a run would measure the page cache", path,
		filesystem ? filesystem : "its file system", strerror(-error));
}

/* O_DIRECT is accepted by some file systems that then fail each transfer: try one. */
static int try_direct_read(int fd, uint32_t alignment)
{
	size_t len = alignment > FILE_ALIGNMENT ? alignment : FILE_ALIGNMENT;
	void *buffer = aligned_alloc(len, len);
	int ret = 0;

	if (!buffer)
		return -ENOMEM;
	if (pread(fd, buffer, len, 0) < 0)
		ret = -errno;
	free(buffer);
	return ret;
}

int file_prepare(int fd, uint64_t bytes, const char *path, const char *filesystem,
		 struct error *err)
{
	int ret = space_check(fd, bytes, path, err);

	if (ret)
		return ret;
	/* File systems without fallocate (ramfs, old NFS) get a sparse file. */
	if (fallocate(fd, 0, 0, (off_t)bytes) &&
	    (errno != EOPNOTSUPP || ftruncate(fd, (off_t)bytes)))
		return error_set(err, -errno, "%s: cannot allocate %llu bytes: %s", path,
				 (unsigned long long)bytes, strerror(errno));
	if (fcntl(fd, F_SETFL, O_DIRECT))
		return no_direct(path, filesystem, -errno, err);
	ret = try_direct_read(fd, FILE_ALIGNMENT);
	return ret ? no_direct(path, filesystem, ret, err) : 0;
}

/* The lock ends with the descriptor, so a killed run leaves nothing behind. */
static int lock(struct target *target, int fd, struct error *err)
{
	struct footprint footprint;
	struct opener opener;
	int found = 0;

	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno != EWOULDBLOCK)
		return error_set(err, -errno, "%s: cannot lock it: %s", target->facts->word,
				 strerror(errno));
	if (!footprint_of_file(&footprint, target->facts->path))
		found = process_find_opener(&opener, &target->roots, &footprint, getpid(), false);
	footprint_fini(&footprint);
	if (found > 0)
		return error_refuse(err, "%s: in use by pid %d (%s), which holds a lock on it",
				    target->facts->word, opener.pid, opener.comm);
	return error_refuse(err, "%s: in use: another process holds a lock on it",
			    target->facts->word);
}

int file_create(struct target *target, struct error *err)
{
	const char *path = target->facts->path;
	int fd, ret;

	/* O_DIRECT comes later: an open that fails for it would leave the file behind. */
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 && errno == EEXIST)
		return error_refuse(err, "%s: exists already; --create makes a new file only",
				    path);
	if (fd < 0)
		return error_set(err, -errno, "%s: cannot create it: %s", path, strerror(errno));
	ret = file_prepare(fd, target->create_bytes, path, target->facts->filesystem, err);
	if (!ret)
		ret = lock(target, fd, err);
	if (!ret && (ret = identity_of_path(fd, "", &target->file)))
		ret = error_set(err, ret, "%s: %s", path, strerror(-ret));
	if (ret) {
		unlink(path);
		close(fd);
		return ret;
	}
	target->fd = fd;
	return 0;
}

int file_open(struct target *target, enum target_access access, struct error *err)
{
	const struct drive_facts *facts = target->facts;
	int flags = access == TARGET_WRITE ? O_RDWR : O_RDONLY;
	struct identity id;
	struct stat st;
	int fd, ret = 0;

	fd = open(facts->path, flags | O_DIRECT | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == EINVAL)
		return no_direct(facts->word, facts->filesystem, -EINVAL, err);
	if (fd < 0)
		return error_set(err, -errno, "%s: cannot open it: %s", facts->word,
				 strerror(errno));
	if (identity_of_path(fd, "", &id) || id.number != target->file.number ||
	    id.inode != target->file.inode || fstat(fd, &st) ||
	    (uint64_t)st.st_size < facts->capacity_bytes)
		ret = error_refuse(err, "%s: another file, or another size, than a moment ago",
				   facts->word);
	if (!ret && access == TARGET_WRITE)
		ret = lock(target, fd, err);
	if (!ret) {
		ret = try_direct_read(fd, target->alignment);
		if (ret)
			ret = no_direct(facts->word, facts->filesystem, ret, err);
	}
	if (ret) {
		close(fd);
		return ret;
	}
	target->fd = fd;
	return 0;
}
