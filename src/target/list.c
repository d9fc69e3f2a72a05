// SPDX-License-Identifier: MIT
/* The disks of this machine, and what speaks against writing to each. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "facts.h"
#include "footprint.h"
#include "inuse.h"
#include "nvme.h"
#include "signature.h"
#include "sysfs.h"

/* @what of the disk, where its node is there and may be read; a list does not fail for it. */
static char *readable_signature(const struct drive_facts *facts)
{
	char *what = NULL;
	struct stat st;
	int fd = open(facts->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISBLK(st.st_mode) &&
	    st.st_rdev == makedev(facts->major, facts->minor))
		(void)signature_find(fd, &what); /* unreadable: the run will say so */
	close(fd);
	return what;
}

/* 0 with *@why NULL where nothing speaks against the disk, or -ENOMEM. */
static int judge(char **why, const struct target_roots *roots, const struct drive_facts *facts,
		 const char *dir)
{
	struct footprint footprint = {0};
	char *what;
	int ret = facts_unfit(facts, why);

	if (ret || *why)
		return ret;
	if (facts->read_only) {
		*why = strdup("read-only (ro=1)");
		return *why ? 0 : -ENOMEM;
	}
	ret = footprint_of_block(&footprint, roots, dir);
	if (!ret)
		ret = inuse_find(why, roots, &footprint);
	else if (asprintf(why, "cannot tell whether it is in use: %s", strerror(-ret)) < 0)
		*why = NULL;
	footprint_fini(&footprint);
	if (ret)
		return *why ? 0 : -ENOMEM;
	what = readable_signature(facts);
	if (!what)
		return 0;
	ret = asprintf(why, "holds %s", what);
	free(what);
	return ret < 0 ? -ENOMEM : 0;
}

static bool is_listed(const struct drive_facts *facts)
{
	return facts->capacity_bytes || !facts_virtual_kind(facts->disk);
}

/* What the drive itself tells. 0 or -ENOMEM. */
static int ask_drive(struct drive_entry *entry, const struct target_roots *roots)
{
	struct error err = {0};
	struct admin *admin;
	int ret = nvme_identify_drive(entry->facts, roots, &admin);

	if (!ret && admin) {
		entry->has_health = !nvme_health_read(&entry->health, admin, &err);
		if (!entry->has_health)
			ret = facts_gap(entry->facts, "health", "%s", err.text);
	}
	admin_close(admin);
	return ret;
}

/* 1: @entry filled, 0: not to be listed, or -ENOMEM. */
static int read_entry(struct drive_entry *entry, const struct target_roots *roots, const char *name)
{
	char dir[PATH_MAX], node[PATH_MAX];
	struct drive_entry found = {0};
	int ret;

	if (sysfs_block_by_name(roots, name, dir) || sysfs_flag(dir, "hidden") ||
	    sysfs_node_path(roots, name, node))
		return 0;
	ret = facts_read_block(&found.facts, dir, node, node);
	if (ret)
		return ret == -ENOMEM ? ret : 0; /* it went away */
	if (!is_listed(found.facts)) {
		drive_facts_free(found.facts);
		return 0;
	}
	ret = ask_drive(&found, roots);
	if (!ret)
		ret = judge(&found.why_not, roots, found.facts, dir);
	if (ret) {
		free(found.why_not);
		drive_facts_free(found.facts);
		return ret;
	}
	*entry = found;
	return 1;
}

int drives_list(struct drive_entry **entries, size_t *nr, const struct target_roots *roots,
		struct error *err)
{
	struct drive_entry *found = NULL;
	size_t nr_names, nr_found = 0;
	char block[PATH_MAX], **names;
	int ret = path_format(block, "%s/block", roots->sys);

	if (!ret)
		ret = sysfs_list(block, &names, &nr_names);
	if (ret)
		return error_set(err, ret, "cannot list the drives: %s: %s", block, strerror(-ret));
	found = calloc(nr_names + 1, sizeof(*found));
	ret = found ? 0 : -ENOMEM;
	for (size_t i = 0; i < nr_names && ret >= 0; i++) {
		ret = read_entry(&found[nr_found], roots, names[i]);
		if (ret > 0)
			nr_found++;
	}
	sysfs_list_free(names, nr_names);
	if (ret < 0) {
		drives_list_free(found, nr_found);
		return error_set(err, ret, "cannot list the drives: %s", strerror(-ret));
	}
	*entries = found;
	*nr = nr_found;
	return 0;
}

void drives_list_free(struct drive_entry *entries, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		drive_facts_free(entries[i].facts);
		free(entries[i].why_not);
	}
	free(entries);
}
