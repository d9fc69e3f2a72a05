// SPDX-License-Identifier: MIT
/*
 * Opening for measuring. For writing everything that speaks against it is asked first, from what can be
 * told by looking to what takes hold: read-only, in use, signature and consent, then O_EXCL, with which the
 * kernel keeps mounts and other runs away for as long as the descriptor is open.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "inuse.h"
#include "internal.h"
#include "process.h"
#include "signature.h"
#include "sysfs.h"

int target_footprint(const struct target *target, struct footprint *footprint)
{
	const struct drive_facts *facts = target->facts;
	char dir[PATH_MAX];
	int ret;

	*footprint = (struct footprint){0};
	if (facts->kind == TARGET_FILE)
		return footprint_of_file(footprint, facts->path);
	if (facts->kind != TARGET_BLOCK)
		return 0;
	ret = sysfs_block_by_number(&target->roots, makedev(facts->major, facts->minor), dir);
	return ret ? ret : footprint_of_block(footprint, &target->roots, dir);
}

int target_refuse_in_use(const struct target *target, struct error *err)
{
	const char *word = target->facts->word;
	struct footprint footprint;
	char *why = NULL;
	int ret = target_footprint(target, &footprint);

	if (!ret)
		ret = inuse_find(&why, &target->roots, &footprint);
	if (ret > 0)
		ret = error_refuse(err, "%s: in use: %s", word, why);
	else if (ret < 0)
		ret = error_set(err, ret, "%s: cannot tell whether it is in use: %s", word,
				why ? why : strerror(-ret));
	free(why);
	footprint_fini(&footprint);
	return ret;
}

/* A serial where there is one; only without one a path, for paths move from drive to drive. */
static bool is_consented(const struct target *target, const char *const *destroy, size_t nr)
{
	const struct drive_facts *facts = target->facts;

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(destroy[i], target_consent_word(target)))
			return true;
		if (!facts->serial && !strcmp(destroy[i], facts->word))
			return true;
	}
	return false;
}

int target_signature(const struct target *target, char **what, struct error *err)
{
	const struct drive_facts *facts = target->facts;
	int fd, ret;

	fd = open(facts->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return error_set(err, -errno, "%s: cannot open it: %s%s", facts->word,
				 strerror(errno), errno == EACCES ? "; run as root" : "");
	ret = signature_find(fd, what);
	close(fd);
	if (ret < 0)
		return error_set(err, ret, "%s: cannot look for file systems on it: %s",
				 facts->word, strerror(-ret));
	return ret;
}

/* What is on the target matters only to those who have not yet agreed to lose it. */
static int refuse_without_consent(const struct target *target, const char *const *destroy,
				  size_t nr, struct error *err)
{
	char *what = NULL;
	int ret;

	if (!target_consent_word(target) || is_consented(target, destroy, nr))
		return 0;
	ret = target_signature(target, &what, err);
	if (ret >= 0)
		ret = error_refuse(err,
				   "%s: %s%s%swriting destroys all data on it; if that is meant, "
				   "add --destroy %s",
				   target->facts->word, what ? "holds " : "", what ? what : "",
				   what ? "; " : "", target_consent_word(target));
	free(what);
	return ret;
}

/* Who has the target open: 1 and @opener, 0 nobody that can be seen, or a negative errno. In all cases
 * @footprint, which @opener borrows from, is to be released with footprint_fini(). */
static int find_opener(const struct target *target, struct footprint *footprint,
		       struct opener *opener)
{
	int ret = target_footprint(target, footprint);

	if (!ret)
		ret = process_find_opener(opener, &target->roots, footprint, getpid(), false);
	if (!ret) /* the same drive named twice in one run */
		ret = process_find_opener(opener, &target->roots, footprint, 0, false);
	return ret;
}

static int refuse_busy(const struct target *target, struct error *err)
{
	const char *word = target->facts->word;
	struct footprint footprint;
	struct opener opener;
	int ret;

	if (find_opener(target, &footprint, &opener) > 0)
		ret = error_refuse(err, "%s: in use: pid %d (%s) has %s open", word, opener.pid,
				   opener.comm, opener.name);
	else
		ret = error_refuse(err,
				   "%s: in use by the kernel or by a process that cannot be seen "
				   "from here",
				   word);
	footprint_fini(&footprint);
	return ret;
}

static bool has_opener(const struct target *target)
{
	struct footprint footprint;
	struct opener opener;
	const bool found = find_opener(target, &footprint, &opener) > 0;

	footprint_fini(&footprint);
	return found;
}

static int open_failed(const struct target *target, int error, struct error *err)
{
	const char *word = target->facts->word;

	switch (error) {
	case -EBUSY: return refuse_busy(target, err);
	case -EINVAL: return error_set(err, error, "%s: the device does not do O_DIRECT", word);
	case -EACCES:
	case -EPERM:
		return error_set(err, error, "%s: cannot open it: %s; run as root", word,
				 strerror(-error));
	default: return error_set(err, error, "%s: cannot open it: %s", word, strerror(-error));
	}
}

/* The node may lead elsewhere by now. */
static int check_opened(const struct target *target, int fd, struct error *err)
{
	const struct drive_facts *facts = target->facts;
	uint64_t bytes;
	struct stat st;

	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) ||
	    st.st_rdev != makedev(facts->major, facts->minor))
		return error_refuse(err, "%s: leads to another device than a moment ago",
				    facts->word);
	if (ioctl(fd, BLKGETSIZE64, &bytes))
		return error_set(err, -errno, "%s: cannot ask for its size: %s", facts->word,
				 strerror(errno));
	if (bytes != facts->capacity_bytes)
		return error_refuse(err, "%s: has %llu bytes, a moment ago it had %llu",
				    facts->word, (unsigned long long)bytes,
				    (unsigned long long)facts->capacity_bytes);
	return 0;
}

/*
 * A descriptor or a negative errno, as open(); but it waits a while for a drive that nobody has open:
 * after the end of a process the kernel keeps what its io_uring used for some milliseconds more, and
 * the next run would be refused.
 */
static int open_when_released(const struct target *target, int flags)
{
	const struct timespec wait = {.tv_nsec = 50000000};
	int fd = -EBUSY;

	for (unsigned int tries = 0; tries < 40 && fd == -EBUSY; tries++) {
		fd = open(target->facts->path, flags);
		if (fd >= 0)
			break;
		fd = -errno;
		if (fd == -EBUSY && has_opener(target))
			break;
		if (fd == -EBUSY)
			nanosleep(&wait, NULL);
	}
	return fd;
}

static int open_block(struct target *target, enum target_access access, struct error *err)
{
	int flags = access == TARGET_WRITE ? O_RDWR | O_EXCL : O_RDONLY;
	int ret, fd = open_when_released(target, flags | O_DIRECT | O_CLOEXEC);

	if (fd < 0)
		return open_failed(target, fd, err);
	ret = check_opened(target, fd, err);
	if (ret) {
		close(fd);
		return ret;
	}
	target->fd = fd;
	return 0;
}

/* Everything that speaks against writing to a device or file that exists. */
static int refuse_to_write(const struct target *target, const char *const *destroy, size_t nr,
			   struct error *err)
{
	int ret;

	if (target->facts->read_only)
		return error_refuse(err, "%s: %s is read-only (ro=1)", target->facts->word,
				    target->facts->kind == TARGET_BLOCK ? "device" : "file system");
	ret = target_refuse_in_use(target, err);
	return ret ? ret : refuse_without_consent(target, destroy, nr, err);
}

static int open_kind(struct target *target, enum target_access access, const char *const *destroy,
		     size_t nr, struct error *err)
{
	enum target_kind kind = target->facts->kind;
	int ret = 0;

	if (kind == TARGET_SCRATCH)
		return scratch_open(target, err);
	if (target->create_bytes)
		return file_create(target, err);
	if (access == TARGET_WRITE)
		ret = refuse_to_write(target, destroy, nr, err);
	if (!ret)
		ret = kind == TARGET_FILE ? file_open(target, access, err)
					  : open_block(target, access, err);
	return ret;
}

/* Asked of the kernel: what it dropped would be missing. It does not keep O_EXCL. */
static void note_flags(struct target *target)
{
	struct drive_facts *facts = target->facts;
	const int flags = fcntl(target->fd, F_GETFL);
	const bool writes = (flags & O_ACCMODE) == O_RDWR;

	snprintf(facts->open_flags, sizeof(facts->open_flags), "%s%s%s",
		 writes ? "O_RDWR" : "O_RDONLY",
		 writes && facts->kind == TARGET_BLOCK ? "|O_EXCL" : "",
		 flags & O_DIRECT ? "|O_DIRECT" : "");
}

int target_open(struct target *target, enum target_access access, const char *const *destroy,
		size_t nr, struct error *err)
{
	int ret;

	assert(target->fd < 0);
	target->access = access;
	if (target->facts->kind == TARGET_NULL)
		return 0;
	ret = open_kind(target, access, destroy, nr, err);
	if (ret == 0)
		note_flags(target);
	return ret;
}

int target_flush(struct target *target)
{
	if (target->fd < 0)
		return 0;
	return fsync(target->fd) ? -errno : 0;
}
