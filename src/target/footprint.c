// SPDX-License-Identifier: MIT
/*
 * One array of identities. The kernel does not claim what a loop device stands on, so O_EXCL alone would
 * let a run overwrite a mounted disk through a loop device, or a loop device's file from below.
 */
#include "footprint.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sysfs.h"

/* Loops on loops on loops: deeper than this is refused. */
#define DEPTH_MAX 16

int identity_of_path(int dirfd, const char *path, struct identity *id)
{
	struct statx stx;

	if (statx(dirfd, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT | AT_EMPTY_PATH,
		  STATX_TYPE | STATX_INO, &stx))
		return -errno;
	if (S_ISBLK(stx.stx_mode))
		*id = (struct identity){
			.is_device = true,
			.number = makedev(stx.stx_rdev_major, stx.stx_rdev_minor),
		};
	else if (S_ISREG(stx.stx_mode))
		*id = (struct identity){
			.number = makedev(stx.stx_dev_major, stx.stx_dev_minor),
			.inode = (ino_t)stx.stx_ino,
		};
	else
		return -ENXIO;
	return 0;
}

const struct footprint_item *footprint_match(const struct footprint *footprint,
					     const struct identity *id)
{
	for (size_t i = 0; i < footprint->nr; i++) {
		const struct identity *mine = &footprint->item[i].id;

		if (mine->is_device == id->is_device && mine->number == id->number &&
		    mine->inode == id->inode)
			return &footprint->item[i];
	}
	return NULL;
}

bool footprint_has_name(const struct footprint *footprint, const char *name)
{
	for (size_t i = 0; i < footprint->nr; i++)
		if (footprint->item[i].dir && !strcmp(footprint->item[i].name, name))
			return true;
	return false;
}

/* 1 added, 0 was there already, or -ENOMEM. */
static int append(struct footprint *footprint, const struct identity *id, const char *name,
		  const char *dir)
{
	struct footprint_item *grown, *added;

	if (footprint_match(footprint, id))
		return 0;
	grown = realloc(footprint->item, (footprint->nr + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	footprint->item = grown;
	added = &grown[footprint->nr++];
	*added = (struct footprint_item){
		.id = *id,
		.name = strdup(name),
		.dir = dir ? strdup(dir) : NULL,
	};
	return added->name && (!dir || added->dir) ? 1 : -ENOMEM;
}

/* LOOP_GET_STATUS64 names device and inode, which holds for deleted files and other mount namespaces. */
static int loop_status(const struct target_roots *roots, const char *dir, struct loop_info64 *info)
{
	char node[PATH_MAX];
	struct stat st;
	dev_t number;
	int fd, ret;

	ret = sysfs_device_number(dir, &number);
	if (ret || sysfs_node_path(roots, sysfs_name(dir), node))
		return ret ? ret : -ENAMETOOLONG;
	fd = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != number)
		ret = -ENODEV;
	else if (ioctl(fd, LOOP_GET_STATUS64, info))
		ret = -errno;
	close(fd);
	return ret;
}

int loop_backing(const struct target_roots *roots, const char *dir, struct identity *id, char *name,
		 size_t size)
{
	char text[SYSFS_TEXT_MAX];
	struct loop_info64 info;
	ssize_t len = sysfs_text(dir, "loop/backing_file", text);

	if (len < 0)
		return (int)len;
	snprintf(name, size, "%s", text);
	if (loop_status(roots, dir, &info))
		return identity_of_path(AT_FDCWD, text, id);
	*id = (struct identity){.is_device = info.lo_rdevice != 0};
	id->number = (dev_t)(id->is_device ? info.lo_rdevice : info.lo_device);
	id->inode = id->is_device ? 0 : (ino_t)info.lo_inode;
	return 0;
}

static int add_device(struct footprint *footprint, const char *dir)
{
	struct identity id = {.is_device = true};
	int ret = sysfs_device_number(dir, &id.number);

	return ret ? ret : append(footprint, &id, sysfs_name(dir), dir);
}

static int add_partitions(struct footprint *footprint, const char *disk)
{
	char child[PATH_MAX];
	size_t nr_names;
	char **names;
	int ret = sysfs_list(disk, &names, &nr_names);

	if (ret)
		return ret;
	for (size_t i = 0; i < nr_names && ret >= 0; i++)
		if (!path_format(child, "%s/%s", disk, names[i]) &&
		    sysfs_exists(child, "partition"))
			ret = add_device(footprint, child);
	sysfs_list_free(names, nr_names);
	return ret < 0 ? ret : 0;
}

/* The device at @dir, its partitions or its disk, then what the disk stands on, and so on down. */
static int add_down(struct footprint *footprint, const struct target_roots *roots, const char *dir)
{
	char disk[PATH_MAX], below[PATH_MAX], name[SYSFS_TEXT_MAX];
	struct identity id;
	int ret = path_format(disk, "%s", dir);

	for (int depth = 0; !ret; depth++) {
		if (depth == DEPTH_MAX)
			return -ELOOP;
		ret = add_device(footprint, disk);
		if (ret < 0)
			return ret;
		if (sysfs_exists(disk, "partition")) {
			if (!sysfs_parent(disk))
				return -EINVAL;
			ret = add_device(footprint, disk);
		} else {
			ret = add_partitions(footprint, disk);
		}
		if (ret < 0)
			return ret;
		ret = loop_backing(roots, disk, &id, name, sizeof(name));
		if (ret)
			return ret == -ENOENT ? 0 : ret;
		if (!id.is_device) {
			ret = append(footprint, &id, name, NULL);
			return ret < 0 ? ret : 0;
		}
		ret = sysfs_block_by_number(roots, id.number, below);
		if (!ret)
			ret = path_format(disk, "%s", below);
	}
	return ret;
}

int footprint_of_block(struct footprint *footprint, const struct target_roots *roots,
		       const char *dir)
{
	*footprint = (struct footprint){0};
	return add_down(footprint, roots, dir);
}

int footprint_of_file(struct footprint *footprint, const char *path)
{
	struct identity id;
	int ret = identity_of_path(AT_FDCWD, path, &id);

	*footprint = (struct footprint){0};
	if (!ret)
		ret = append(footprint, &id, path, NULL);
	return ret < 0 ? ret : 0;
}

void footprint_fini(struct footprint *footprint)
{
	for (size_t i = 0; i < footprint->nr; i++) {
		free(footprint->item[i].name);
		free(footprint->item[i].dir);
	}
	free(footprint->item);
	*footprint = (struct footprint){0};
}
