// SPDX-License-Identifier: MIT
/*
 * One function a way of being in use; each returns as inuse_find() does. What can be asked by device
 * number is asked by number, because names in mount tables are what somebody once typed.
 */
#include "inuse.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "process.h"
#include "sysfs.h"

/* Another program counts as a writer when each of these looks finds one. */
#define WRITER_LOOKS    5
#define WRITER_PAUSE_NS 100000000L

/* Returns @result with *@why written, -ENOMEM with NULL where that fails. */
__attribute__((format(printf, 3, 4))) static int say(char **why, int result, const char *format,
						     ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(why, format, args);
	va_end(args);
	if (len < 0) {
		*why = NULL;
		return -ENOMEM;
	}
	return result;
}

/* btrfs mounts have a number of their own, so the source counts too. */
static const struct footprint_item *mounted_item(const struct footprint *footprint,
						 struct libmnt_fs *fs)
{
	struct identity id = {.is_device = true, .number = mnt_fs_get_devno(fs)};
	const struct footprint_item *item = footprint_match(footprint, &id);
	const char *source = mnt_fs_get_source(fs);

	if (!item && source && source[0] == '/' && !identity_of_path(AT_FDCWD, source, &id))
		item = footprint_match(footprint, &id);
	return item;
}

/* One process's view of what is mounted. @whose: "" or words that name another mount namespace. */
static int mounted_in(char **why, const char *mountinfo, const char *whose,
		      const struct footprint *footprint)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *each = mnt_new_iter(MNT_ITER_FORWARD);
	const struct footprint_item *item;
	struct libmnt_fs *fs;
	int ret = -ENOMEM;

	if (!table || !each)
		goto out;
	ret = mnt_table_parse_file(table, mountinfo);
	if (ret) {
		ret = ret < 0 ? ret : -EIO;
		goto out;
	}
	while (!mnt_table_next_fs(table, each, &fs)) {
		item = mounted_item(footprint, fs);
		if (item) {
			ret = say(why, 1, "%s is mounted at %s%s; unmount it first", item->name,
				  mnt_fs_get_target(fs), whose);
			break;
		}
	}
out:
	mnt_free_iter(each);
	mnt_unref_table(table);
	return ret;
}

static int mounted_here(char **why, const struct target_roots *roots,
			const struct footprint *footprint)
{
	char mountinfo[PATH_MAX];
	int ret = path_format(mountinfo, "%s/self/mountinfo", roots->proc);

	if (!ret)
		ret = mounted_in(why, mountinfo, "", footprint);
	if (ret < 0)
		return say(why, ret, "cannot tell what is mounted: %s: %s", mountinfo,
			   strerror(-ret));
	return ret;
}

/* Inode numbers of the mount namespaces that were looked at. */
struct seen {
	ino_t *inode;
	size_t nr;
};

/* 1: new and noted, 0: seen before, or -ENOMEM. One that cannot be told apart counts as new. */
static int note_namespace(struct seen *seen, const char *process)
{
	char path[PATH_MAX];
	struct stat st;
	ino_t *grown;

	if (path_format(path, "%s/ns/mnt", process) || stat(path, &st))
		return 1;
	for (size_t i = 0; i < seen->nr; i++)
		if (seen->inode[i] == st.st_ino)
			return 0;
	grown = realloc(seen->inode, (seen->nr + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	seen->inode = grown;
	seen->inode[seen->nr++] = st.st_ino;
	return 1;
}

static int mounted_for(char **why, const struct target_roots *roots, const char *name,
		       struct seen *seen, const struct footprint *footprint)
{
	char process[PATH_MAX], mountinfo[PATH_MAX], whose[128], comm[64];
	pid_t pid = process_number(name);
	int ret;

	if (!pid)
		return 0;
	if (path_format(process, "%s/%d", roots->proc, pid) ||
	    path_format(mountinfo, "%s/%d/mountinfo", roots->proc, pid))
		return 0;
	ret = note_namespace(seen, process);
	if (ret <= 0)
		return ret;
	process_comm(roots, pid, comm);
	snprintf(whose, sizeof(whose), " in the mount namespace of pid %d (%s)", pid, comm);
	ret = mounted_in(why, mountinfo, whose, footprint);
	return ret < 0 && ret != -ENOMEM ? 0 : ret; /* ended meanwhile, or not ours to read */
}

static int mounted_elsewhere(char **why, const struct target_roots *roots,
			     const struct footprint *footprint)
{
	struct seen seen = {0};
	char self[PATH_MAX];
	size_t nr_names;
	char **names;
	int ret = sysfs_list(roots->proc, &names, &nr_names);

	if (ret)
		return say(why, ret, "cannot look into %s: %s", roots->proc, strerror(-ret));
	ret = path_format(self, "%s/self", roots->proc);
	if (!ret)
		ret = note_namespace(&seen, self);
	ret = ret < 0 ? ret : 0;
	for (size_t i = 0; i < nr_names && !ret; i++)
		ret = mounted_for(why, roots, names[i], &seen, footprint);
	free(seen.inode);
	sysfs_list_free(names, nr_names);
	return ret;
}

static int swapped(char **why, const struct target_roots *roots, const struct footprint *footprint)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *each = mnt_new_iter(MNT_ITER_FORWARD);
	const struct footprint_item *item;
	char swaps[PATH_MAX];
	struct libmnt_fs *fs;
	struct identity id;
	int ret = -ENOMEM;

	if (!table || !each || path_format(swaps, "%s/swaps", roots->proc))
		goto out;
	ret = mnt_table_parse_swaps(table, swaps);
	if (ret) {
		/* A kernel without swap has no such file. */
		ret = ret == -ENOENT ? 0 : say(why, -EIO, "cannot tell what is swap: %s", swaps);
		goto out;
	}
	while (!mnt_table_next_fs(table, each, &fs)) {
		const char *source = mnt_fs_get_source(fs);

		if (!source || identity_of_path(AT_FDCWD, source, &id))
			continue;
		item = footprint_match(footprint, &id);
		if (item) {
			ret = say(why, 1, "%s is active swap; swapoff %s first", item->name,
				  source);
			break;
		}
	}
out:
	mnt_free_iter(each);
	mnt_unref_table(table);
	return ret;
}

/* "dm-0 vg_test-lv_data (LVM-...)": what stands on top of @item. */
static int say_holder(char **why, const struct footprint_item *item, const char *holder)
{
	char dir[PATH_MAX], name[SYSFS_TEXT_MAX], uuid[SYSFS_TEXT_MAX];
	bool has_name = false, has_uuid = false;

	if (!path_format(dir, "%s/holders/%s", item->dir, holder)) {
		has_name = sysfs_text(dir, "dm/name", name) > 0;
		has_uuid = sysfs_text(dir, "dm/uuid", uuid) > 0;
	}
	return say(why, 1, "%s is held by %s%s%s%s%s%s; remove that first", item->name, holder,
		   has_name ? " " : "", has_name ? name : "", has_uuid ? " (" : "",
		   has_uuid ? uuid : "", has_uuid ? ")" : "");
}

static int held(char **why, const struct footprint *footprint)
{
	char holders[PATH_MAX];
	size_t nr_names;
	char **names;
	int ret = 0;

	for (size_t i = 0; i < footprint->nr && !ret; i++) {
		const struct footprint_item *item = &footprint->item[i];

		if (!item->dir || path_format(holders, "%s/holders", item->dir) ||
		    sysfs_list(holders, &names, &nr_names))
			continue;
		if (nr_names)
			ret = say_holder(why, item, names[0]);
		sysfs_list_free(names, nr_names);
	}
	return ret;
}

/* Another loop device on the same bytes, mounted or not: whoever set it up means to use it. */
static int loop_base(char **why, const struct target_roots *roots, const char *name,
		     const struct footprint *footprint)
{
	char dir[PATH_MAX], node[PATH_MAX], given[SYSFS_TEXT_MAX];
	const struct footprint_item *item;
	struct identity id;
	int ret;

	if (strncmp(name, "loop", 4) || footprint_has_name(footprint, name) ||
	    sysfs_block_by_name(roots, name, dir) ||
	    loop_backing(roots, dir, &id, given, sizeof(given)))
		return 0;
	item = footprint_match(footprint, &id);
	if (!item || sysfs_node_path(roots, name, node))
		return 0;
	ret = say(why, 1, "%s is the base of the loop device %s; detach it first (losetup -d %s)",
		  item->name, node, node);
	return ret;
}

static int loop_bases(char **why, const struct target_roots *roots,
		      const struct footprint *footprint)
{
	char block[PATH_MAX];
	size_t nr_names;
	char **names;
	int ret = path_format(block, "%s/block", roots->sys);

	if (!ret)
		ret = sysfs_list(block, &names, &nr_names);
	if (ret == -ENOENT)
		return 0; /* no sysfs, no loop devices that one could tell of */
	if (ret)
		return say(why, ret, "cannot list %s: %s", block, strerror(-ret));
	for (size_t i = 0; i < nr_names && !ret; i++)
		ret = loop_base(why, roots, names[i], footprint);
	sysfs_list_free(names, nr_names);
	return ret;
}

/* A virtual machine or another benchmark needs no O_EXCL to write. Readers are let be: udev and monitoring
 * open every drive now and then. Some of those open it for writing, for a moment, so who is gone soon does
 * not count either. */
static int written_elsewhere(char **why, const struct target_roots *roots,
			     const struct footprint *footprint)
{
	const struct timespec pause = {.tv_nsec = WRITER_PAUSE_NS};
	struct opener opener;

	for (int look = 0; look < WRITER_LOOKS; look++) {
		if (look)
			nanosleep(&pause, NULL);
		if (process_find_opener(&opener, roots, footprint, getpid(), true) <= 0)
			return 0;
	}
	return say(why, 1, "%s is open for writing by pid %d (%s)", opener.name, opener.pid,
		   opener.comm);
}

int inuse_find(char **why, const struct target_roots *roots, const struct footprint *footprint)
{
	int ret;

	*why = NULL;
	ret = mounted_here(why, roots, footprint);
	if (!ret)
		ret = swapped(why, roots, footprint);
	if (!ret)
		ret = held(why, footprint);
	if (!ret)
		ret = loop_bases(why, roots, footprint);
	if (!ret)
		ret = mounted_elsewhere(why, roots, footprint);
	if (!ret)
		ret = written_elsewhere(why, roots, footprint);
	return ret;
}
