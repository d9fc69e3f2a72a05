// SPDX-License-Identifier: MIT
/*
 * The generic node of an NVMe namespace. It stands beside the block node, below the same controller or (with
 * native multipath) subsystem, and answers with the same NSID; its name need not have the same numbers.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "ssdbench/nvme.h"
#include "sysfs.h"

/* The least that a page of an NVMe controller has, and each segment of a transfer by registered or
 * locked pages. */
#define PAGE_BYTES 4096U
/* Where neither the queue nor the drive tells; every drive takes as much. */
#define COMMAND_BYTES 4096U
/* Blocks are counted in 16 bits, from 1. */
#define COMMAND_BLOCKS 65536ULL

static bool is_generic(const char *parent, const char *name)
{
	char dir[PATH_MAX], class[PATH_MAX];

	return !path_format(dir, "%s/%s", parent, name) &&
	       !sysfs_resolve(dir, "subsystem", class) &&
	       !strcmp(sysfs_name(class), "nvme-generic");
}

/* What the namespace's block device hangs below, and what is there. */
static int list_siblings(const struct target *target, char parent[PATH_MAX], char ***names,
			 size_t *nr)
{
	char disk[PATH_MAX];

	if (sysfs_block_by_name(&target->roots, target->facts->disk, disk) ||
	    sysfs_resolve(disk, "device", parent))
		return -ENOENT;
	return sysfs_list(parent, names, nr);
}

static int refuse_nodeless(const struct target *target, struct error *err)
{
	return error_set(
		err, -ENOENT,
		"%s: it has no generic node for NVMe commands (Linux 5.19 and later do): use "
		"another engine than io_uring_cmd",
		target->facts->word);
}

int target_check_passthrough(const struct target *target, struct error *err)
{
	const struct drive_facts *facts = target->facts;
	const char *word = facts->word;
	char parent[PATH_MAX], **names;
	bool found = false;
	size_t nr;

	if (facts->kind == TARGET_NULL)
		return 0;
	if (facts->kind != TARGET_BLOCK || !facts->nsid || !facts->nr_controllers)
		return error_usage(err,
				   "%s: io_uring_cmd needs an NVMe namespace, which this is not: "
				   "use another engine",
				   word);
	if (facts->is_partition)
		return error_usage(err,
				   "%s: io_uring_cmd would reach the whole of %s, not only this "
				   "partition: use another engine",
				   word, facts->disk);
	if (facts->metadata_bytes)
		return error_usage(err,
				   "%s: io_uring_cmd does not carry metadata (%u bytes for each "
				   "block): use another engine",
				   word, facts->metadata_bytes);
	if (list_siblings(target, parent, &names, &nr))
		return refuse_nodeless(target, err);
	for (size_t i = 0; i < nr; i++)
		found |= is_generic(parent, names[i]);
	sysfs_list_free(names, nr);
	return found ? 0 : refuse_nodeless(target, err);
}

/* A descriptor of the generic node @name; -ENXIO: it is that of another namespace. */
static int open_node(const struct target *target, const char *parent, const char *name)
{
	const int flags = target->access == TARGET_WRITE ? O_RDWR : O_RDONLY;
	char dir[PATH_MAX], path[PATH_MAX];
	struct stat st;
	dev_t number;
	int fd;

	if (path_format(dir, "%s/%s", parent, name) || sysfs_device_number(dir, &number) ||
	    sysfs_node_path(&target->roots, name, path))
		return -ENXIO;
	/* It knows no O_DIRECT: there is no page cache to go past. */
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISCHR(st.st_mode) && st.st_rdev == number &&
	    ioctl(fd, NVME_IOCTL_ID) == (int)target->facts->nsid)
		return fd;
	close(fd);
	return -ENXIO;
}

static int open_failed(const struct target *target, const char *name, int error, struct error *err)
{
	const char *word = target->facts->word;

	if (error == -EACCES || error == -EPERM)
		return error_set(err, error, "%s: cannot open its generic node %s: %s; run as root",
				 word, name, strerror(-error));
	return error_set(err, error, "%s: cannot open its generic node %s: %s", word, name,
			 strerror(-error));
}

static int find_node(const struct target *target, struct error *err)
{
	char parent[PATH_MAX], **names;
	int fd = -ENXIO;
	size_t nr;

	if (list_siblings(target, parent, &names, &nr))
		return refuse_nodeless(target, err);
	for (size_t i = 0; i < nr && fd == -ENXIO; i++) {
		if (!is_generic(parent, names[i]))
			continue;
		fd = open_node(target, parent, names[i]);
		if (fd < 0 && fd != -ENXIO)
			open_failed(target, names[i], fd, err);
	}
	sysfs_list_free(names, nr);
	return fd == -ENXIO ? refuse_nodeless(target, err) : fd;
}

static uint64_t least_known(uint64_t a, uint64_t b)
{
	if (!a || !b)
		return a ? a : b;
	return a < b ? a : b;
}

/*
 * The largest power of two that one command may transfer: what the queue and MDTS say, and as many segments as
 * the queue takes where no two pages of the buffer lie side by side in memory.
 */
static uint32_t command_bytes(const struct target *target)
{
	const struct drive_facts *facts = target->facts;
	uint64_t bytes = facts->max_hw_sectors_bytes, segments, power = COMMAND_BYTES;
	char disk[PATH_MAX];

	if (facts->nvme)
		bytes = least_known(bytes, facts->nvme->max_transfer_bytes);
	if (!sysfs_block_by_name(&target->roots, facts->disk, disk) &&
	    !sysfs_number(disk, "queue/max_segments", &segments))
		bytes = least_known(bytes, segments * PAGE_BYTES);
	bytes = least_known(bytes, COMMAND_BLOCKS * facts->logical_block_bytes);
	while (power * 2 <= bytes && power < (1U << 30))
		power *= 2;
	return (uint32_t)(power > facts->logical_block_bytes ? power : facts->logical_block_bytes);
}

int target_open_passthrough(struct target *target, struct error *err)
{
	int fd, ret = target_check_passthrough(target, err);

	if (ret || target->facts->kind == TARGET_NULL)
		return ret;
	assert(target->fd >= 0 && !target->passthrough.nsid);
	fd = find_node(target, err);
	if (fd < 0)
		return fd;
	target->passthrough = (struct passthrough){
		.fd = fd,
		.nsid = target->facts->nsid,
		.block_bytes = target->facts->logical_block_bytes,
		.max_bytes = command_bytes(target),
	};
	return 0;
}

const struct passthrough *target_passthrough(const struct target *target)
{
	return target->passthrough.nsid ? &target->passthrough : NULL;
}
