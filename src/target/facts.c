// SPDX-License-Identifier: MIT
/*
 * What sysfs tells of a block device. Two tables say which file holds which fact; the functions below
 * them hold what does not fit a table. `size` and `start` count 512-byte sectors whatever the format of the
 * drive, `nuse` counts logical blocks (Documentation/ABI/stable/sysfs-block).
 */
#include "facts.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "controller.h"
#include "sysfs.h"
#include "text.h"

#define SYSFS_SECTOR 512

/* The first file that is there counts; NVMe's comes first, then SCSI's, then virtio's. */
struct text_fact {
	const char *key;
	size_t offset;
	const char *file[3];
};
static const struct text_fact text_facts[] = {
	{"model", offsetof(struct drive_facts, model), {"device/model"}},
	{"serial", offsetof(struct drive_facts, serial), {"device/serial", "serial"}},
	{"firmware", offsetof(struct drive_facts, firmware), {"device/firmware_rev", "device/rev"}},
	{"wwid", offsetof(struct drive_facts, wwid), {"wwid", "device/wwid"}},
	{"write_cache", offsetof(struct drive_facts, write_cache), {"queue/write_cache"}},
	{"zoned", offsetof(struct drive_facts, zoned), {"queue/zoned"}},
};

struct number_fact {
	const char *key;
	size_t offset, width;
	const char *file;
	uint64_t scale;
};
#define NUMBER(key, file, scale)                                                                   \
	{                                                                                          \
#key, offsetof(struct drive_facts, key), sizeof(((struct drive_facts *)0)->key),   \
			file, scale                                                                \
	}
static const struct number_fact number_facts[] = {
	NUMBER(logical_block_bytes, "queue/logical_block_size", 1),
	NUMBER(physical_block_bytes, "queue/physical_block_size", 1),
	NUMBER(metadata_bytes, "metadata_bytes", 1),
	NUMBER(optimal_io_bytes, "queue/optimal_io_size", 1),
	NUMBER(nsid, "nsid", 1),
	NUMBER(max_sectors_bytes, "queue/max_sectors_kb", 1024),
	NUMBER(max_hw_sectors_bytes, "queue/max_hw_sectors_kb", 1024),
	NUMBER(nr_requests, "queue/nr_requests", 1),
	NUMBER(nuse_blocks, "nuse", 1),
};

const char *facts_virtual_kind(const char *disk_name)
{
	static const char *const kinds[] = {"loop", "zram", "ram"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t len = strlen(kinds[i]);

		if (!strncmp(disk_name, kinds[i], len) &&
		    strspn(disk_name + len, "0123456789") == strlen(disk_name + len))
			return kinds[i];
	}
	return NULL;
}

/* 0, or -ENOMEM: a file that cannot be read is a gap, no failure. */
static int gap_unreadable(struct drive_facts *facts, const char *key, const char *file, int error)
{
	const char *kind = facts->disk ? facts_virtual_kind(facts->disk) : NULL;

	if (error == -ENOENT && kind)
		return facts_gap(facts, key, "a %s device has none", kind);
	if (error == -ENOENT)
		return facts_gap(facts, key, "not in sysfs (%s)", file);
	return facts_gap(facts, key, "%s: %s", file, strerror(-error));
}

static int read_text(struct drive_facts *facts, const char *disk, const struct text_fact *fact)
{
	char raw[SYSFS_TEXT_MAX];
	const char *file = fact->file[0];
	ssize_t len = -ENOENT;

	for (size_t i = 0; i < 3 && fact->file[i] && len == -ENOENT; i++) {
		file = fact->file[i];
		len = sysfs_text(disk, file, raw);
	}
	if (len < 0)
		return gap_unreadable(facts, fact->key, fact->file[0], (int)len);
	return facts_set_text(facts, fact->key, (char **)((char *)facts + fact->offset), raw,
			      (size_t)len, file);
}

static int read_number(struct drive_facts *facts, const char *disk, const struct number_fact *fact)
{
	void *field = (char *)facts + fact->offset;
	uint64_t limit = fact->width == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;
	uint64_t value;
	int ret = sysfs_number(disk, fact->file, &value);

	if (!ret && value > limit / fact->scale)
		ret = -ERANGE;
	if (ret)
		return gap_unreadable(facts, fact->key, fact->file, ret);
	value *= fact->scale;
	if (fact->width == sizeof(uint32_t))
		*(uint32_t *)field = (uint32_t)value;
	else
		*(uint64_t *)field = value;
	return 0;
}

/* "[none] mq-deadline": the one in brackets is active. */
static int read_scheduler(struct drive_facts *facts, const char *disk)
{
	char text[SYSFS_TEXT_MAX], *first = text, *end;
	ssize_t len = sysfs_text(disk, "queue/scheduler", text);

	if (len < 0)
		return gap_unreadable(facts, "scheduler", "queue/scheduler", (int)len);
	if (strchr(text, '['))
		first = strchr(text, '[') + 1;
	end = strpbrk(first, "] ");
	if (end)
		*end = '\0';
	facts->scheduler = strdup(first);
	return facts->scheduler ? 0 : -ENOMEM;
}

/* NVMe reports the preferred write granularity (NPWG) as minimum_io_size; a value no larger than a logical
 * block says nothing. */
static int read_indirection_unit(struct drive_facts *facts, const char *disk)
{
	static const char *const key = "indirection_unit_bytes", *const file =
									 "queue/minimum_io_size";
	uint64_t bytes;
	int ret = sysfs_number(disk, file, &bytes);

	if (ret)
		return gap_unreadable(facts, key, file, ret);
	if (bytes <= facts->logical_block_bytes)
		return facts_gap(facts, key, "%s is one logical block: not reported", file);
	facts->indirection_unit_bytes = bytes;
	return 0;
}

/* The node of @dir or of the nearest device above it, false where none tells. */
static bool ancestor_node(const char *dir, int64_t *node)
{
	char path[PATH_MAX];

	if (path_format(path, "%s", dir))
		return false;
	do {
		if (!sysfs_integer(path, "numa_node", node))
			return true;
	} while (sysfs_parent(path) && strcmp(sysfs_name(path), "devices"));
	return false;
}

/* A multipath head hangs below no bus; its node is that of its controllers where they agree. */
static bool controllers_node(const struct drive_facts *facts, const char *disk, int64_t *node)
{
	char entry[PATH_MAX], path[PATH_MAX];
	bool known = false;
	int64_t found;

	for (size_t i = 0; i < facts->nr_controllers; i++) {
		const char *hidden = facts->controller[i].hidden_path;

		if (!hidden || path_format(entry, "multipath/%s", hidden) ||
		    sysfs_resolve(disk, entry, path) || !ancestor_node(path, &found))
			return false;
		if (known && found != *node)
			return false;
		*node = found;
		known = true;
	}
	return known;
}

static int read_numa_node(struct drive_facts *facts, const char *disk)
{
	char device[PATH_MAX];
	int64_t node = -1;
	bool known;

	facts->numa_node = -1;
	known = (!sysfs_resolve(disk, "device", device) && ancestor_node(device, &node)) ||
		controllers_node(facts, disk, &node);
	if (!known)
		return facts_gap(facts, "numa_node", "sysfs names none for this drive");
	if (node < 0 || node > INT32_MAX)
		return facts_gap(facts, "numa_node", "numa_node is -1: the platform tells none");
	facts->numa_node = (int32_t)node;
	return 0;
}

static int read_queue(struct drive_facts *facts, const char *disk)
{
	int ret = 0;

	for (size_t i = 0; i < sizeof(text_facts) / sizeof(text_facts[0]) && !ret; i++)
		ret = facts->model && !strcmp(text_facts[i].key, "model")
			      ? 0
			      : read_text(facts, disk, &text_facts[i]);
	for (size_t i = 0; i < sizeof(number_facts) / sizeof(number_facts[0]) && !ret; i++)
		ret = read_number(facts, disk, &number_facts[i]);
	if (!ret)
		ret = read_scheduler(facts, disk);
	if (!ret)
		ret = read_indirection_unit(facts, disk);
	if (!ret)
		ret = controllers_find(disk, &facts->controller, &facts->nr_controllers);
	if (!ret)
		ret = read_numa_node(facts, disk);
	facts->rotational = sysfs_flag(disk, "queue/rotational");
	facts->io_poll = sysfs_flag(disk, "queue/io_poll");
	return ret;
}

/* Size, place and number of the device itself; it may be a partition. */
static int read_extent(struct drive_facts *facts, const char *dir)
{
	uint64_t sectors, start;
	dev_t number;
	int ret = sysfs_number(dir, "size", &sectors);

	if (ret)
		return ret;
	facts->capacity_bytes = sectors * SYSFS_SECTOR;
	facts->read_only = sysfs_flag(dir, "ro");
	if (!sysfs_device_number(dir, &number)) {
		facts->major = major(number);
		facts->minor = minor(number);
	}
	if (facts->is_partition) {
		ret = sysfs_number(dir, "start", &start);
		if (ret)
			return ret;
		facts->partition_start_bytes = start * SYSFS_SECTOR;
	}
	return 0;
}

/* NVMe's namespace size; of the whole disk, also where the device is a partition. */
static void derive_namespace_size(struct drive_facts *facts, const char *disk)
{
	uint64_t sectors;

	if (facts->nsid && facts->logical_block_bytes && !sysfs_number(disk, "size", &sectors))
		facts->nsze_blocks = sectors * SYSFS_SECTOR / facts->logical_block_bytes;
}

int facts_read_block(struct drive_facts **facts, const char *dir, const char *word,
		     const char *path)
{
	struct drive_facts *found = facts_new(TARGET_BLOCK, word, sysfs_name(dir));
	char disk[PATH_MAX];
	const char *kind;
	int ret = -ENOMEM;

	if (!found || path_format(disk, "%s", dir))
		goto out;
	found->is_partition = sysfs_exists(dir, "partition");
	if (found->is_partition && !sysfs_parent(disk))
		goto out;
	found->path = strdup(path);
	found->disk = strdup(sysfs_name(disk));
	if (!found->path || !found->disk)
		goto out;
	kind = facts_virtual_kind(found->disk);
	found->ram_backed = kind && strcmp(kind, "loop");
	if (kind) {
		found->model = strdup(kind);
		if (!found->model)
			goto out;
	}
	ret = read_extent(found, dir);
	if (!ret)
		ret = read_queue(found, disk);
	if (ret)
		goto out;
	derive_namespace_size(found, disk);
	*facts = found;
	found = NULL;
out:
	drive_facts_free(found);
	return ret;
}

int facts_unfit(const struct drive_facts *facts, char **why)
{
	int ret = 0;

	*why = NULL;
	if (facts->zoned && !strcmp(facts->zoned, "host-managed"))
		ret = asprintf(why, "host-managed zoned: not supported");
	else if (!facts->capacity_bytes && facts->metadata_bytes)
		/* The kernel gives a namespace whose metadata it cannot carry a size of 0. */
		ret = asprintf(
			why,
			"its format %u+%u has metadata that the block device cannot carry; format "
			"it without metadata first",
			facts->logical_block_bytes, facts->metadata_bytes);
	else if (!facts->capacity_bytes)
		ret = asprintf(why, "no capacity (namespace not attached or drive failed)");
	if (ret < 0) {
		*why = NULL;
		return -ENOMEM;
	}
	return 0;
}
