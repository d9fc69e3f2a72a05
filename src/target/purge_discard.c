// SPDX-License-Identifier: MIT
/* Deallocation by the kernel: a discard of a block device, a hole in a file. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"
#include "purge.h"
#include "sysfs.h"

/* Between two pieces the user may stop it and sees how far it is. A power of two, which the drive's own
 * unit divides. */
#define PIECES    128
#define PIECE_MIN (1ULL << 30)

static uint64_t piece_bytes(uint64_t capacity)
{
	return (capacity / PIECES + PIECE_MIN) / PIECE_MIN * PIECE_MIN;
}

static int deallocate(const struct target *target, uint64_t offset, uint64_t bytes)
{
	uint64_t range[2] = {offset, bytes};
	int ret;

	if (target->facts->kind == TARGET_BLOCK)
		ret = ioctl(target->fd, BLKDISCARD, range);
	else
		ret = fallocate(target->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				(off_t)offset, (off_t)bytes);
	return ret ? -errno : 0;
}

static bool has_discard(const struct target *target)
{
	char dir[PATH_MAX];
	uint64_t bytes = 0;

	return !sysfs_block_by_name(&target->roots, target->facts->disk, dir) &&
	       !sysfs_number(dir, "queue/discard_max_bytes", &bytes) && bytes > 0;
}

/* What became of a piece that could not be deallocated. */
static int judge(struct purge *purge, int error, uint64_t offset, struct error *err)
{
	const char *word = purge->target->facts->word;

	if (error == -EOPNOTSUPP && offset == 0) {
		purge->outcome->used = PURGE_NONE;
		purge_say(purge, "the kernel cannot do it here: %s", strerror(-error));
		return PURGE_UNFIT;
	}
	purge->outcome->drive_failed = error == -EIO;
	return error_set(err, error, "%s: discard at byte %llu: %s%s", word,
			 (unsigned long long)offset, strerror(-error),
			 error == -EBUSY ? "; another process uses it" : "");
}

int purge_by_discard(struct purge *purge, enum purge_method method, struct error *err)
{
	const struct target *target = purge->target;
	const uint64_t capacity = target->facts->capacity_bytes, piece = piece_bytes(capacity);
	int ret;

	if (target->facts->kind == TARGET_BLOCK && !has_discard(target)) {
		purge_say(purge, "the device has no discard (queue/discard_max_bytes)");
		return PURGE_UNFIT;
	}
	purge->outcome->used = method;
	purge->outcome->nvme_status = -1; /* the kernel's answer is all that there is */
	if (target->facts->kind == TARGET_NULL)
		return 0;
	for (uint64_t offset = 0; offset < capacity; offset += piece) {
		const uint64_t left = capacity - offset;

		if (purge_stopped(purge))
			return error_set(err, -EINTR, "%s: its discard was stopped at byte %llu",
					 target->facts->word, (unsigned long long)offset);
		ret = deallocate(target, offset, left < piece ? left : piece);
		if (ret)
			return judge(purge, ret, offset, err);
		purge_tell(purge, left < piece ? 1.0 : (double)(offset + piece) / (double)capacity);
	}
	ret = target_flush(purge->target);
	return ret ? error_set(err, ret, "%s: flush after its discard: %s", target->facts->word,
			       strerror(-ret))
		   : 0;
}
