// SPDX-License-Identifier: MIT
/*
 * A block device's "device" link leads to its parent: the controller, or with native multipath the
 * subsystem. A subsystem lists its paths in "multipath" (Linux 6.15), before that one looks through the
 * subsystem's links to controllers for the hidden path with the same NSID.
 */
#include "controller.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"
#include "sysfs.h"

/* Each controller has a transport, a subsystem has none. */
static bool is_controller(const char *dir)
{
	return sysfs_exists(dir, "transport");
}

static char *text_or_null(const char *dir, const char *file)
{
	char text[SYSFS_TEXT_MAX];

	return sysfs_text(dir, file, text) > 0 ? strdup(text) : NULL;
}

static int append(struct drive_controller **list, size_t *nr, const char *dir, const char *path)
{
	struct drive_controller *grown = realloc(*list, (*nr + 1) * sizeof(*grown));
	struct drive_controller *added;

	if (!grown)
		return -ENOMEM;
	*list = grown;
	added = &grown[(*nr)++];
	*added = (struct drive_controller){
		.name = strdup(sysfs_name(dir)),
		.hidden_path = path ? strdup(path) : NULL,
		.address = text_or_null(dir, "address"),
		.transport = text_or_null(dir, "transport"),
	};
	if (added->transport && !strcmp(added->transport, "pcie"))
		link_read(&added->link, dir);
	return added->name && (!path || added->hidden_path) ? 0 : -ENOMEM;
}

static int append_listed_paths(const char *disk, struct drive_controller **list, size_t *nr)
{
	char multipath[PATH_MAX], path[PATH_MAX];
	size_t nr_names;
	char **names;
	int ret = 0;

	if (path_format(multipath, "%s/multipath", disk) ||
	    sysfs_list(multipath, &names, &nr_names))
		return 0;
	for (size_t i = 0; i < nr_names && !ret; i++)
		if (!sysfs_resolve(multipath, names[i], path) && sysfs_parent(path))
			ret = append(list, nr, path, names[i]);
	sysfs_list_free(names, nr_names);
	return ret;
}

/* The hidden namespace of @controller that has the NSID @nsid. */
static int append_path_of(const char *controller, uint64_t nsid, struct drive_controller **list,
			  size_t *nr)
{
	char child[PATH_MAX];
	size_t nr_names;
	uint64_t found;
	char **names;
	int ret = 0;

	if (sysfs_list(controller, &names, &nr_names))
		return 0;
	for (size_t i = 0; i < nr_names && !ret; i++)
		if (!path_format(child, "%s/%s", controller, names[i]) &&
		    sysfs_flag(child, "hidden") && !sysfs_number(child, "nsid", &found) &&
		    found == nsid)
			ret = append(list, nr, controller, names[i]);
	sysfs_list_free(names, nr_names);
	return ret;
}

static int append_searched_paths(const char *disk, const char *subsystem,
				 struct drive_controller **list, size_t *nr)
{
	char controller[PATH_MAX];
	size_t nr_names;
	uint64_t nsid;
	char **names;
	int ret = 0;

	if (sysfs_number(disk, "nsid", &nsid) || sysfs_list(subsystem, &names, &nr_names))
		return 0;
	for (size_t i = 0; i < nr_names && !ret; i++)
		if (!sysfs_resolve(subsystem, names[i], controller) && is_controller(controller))
			ret = append_path_of(controller, nsid, list, nr);
	sysfs_list_free(names, nr_names);
	return ret;
}

int controllers_find(const char *disk, struct drive_controller **list, size_t *nr)
{
	struct drive_controller *found = NULL;
	char parent[PATH_MAX];
	size_t nr_found = 0;
	int ret = 0;

	if (!sysfs_resolve(disk, "device", parent)) {
		if (is_controller(parent))
			ret = append(&found, &nr_found, parent, NULL);
		else
			ret = append_listed_paths(disk, &found, &nr_found);
		if (!ret && !nr_found)
			ret = append_searched_paths(disk, parent, &found, &nr_found);
	}
	if (ret) {
		controllers_free(found, nr_found);
		return ret;
	}
	for (size_t i = 0; i < nr_found; i++)
		link_judge(&found[i].link, nr_found > 1);
	*list = found;
	*nr = nr_found;
	return 0;
}

void controllers_free(struct drive_controller *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(list[i].name);
		free(list[i].hidden_path);
		free(list[i].address);
		free(list[i].transport);
	}
	free(list);
}

/* Is @wanted a controller of @disk (@by_path: one of its hidden paths)? */
static bool belongs(const char *disk, const char *wanted, bool by_path)
{
	struct drive_controller *list;
	bool found = false;
	size_t nr;

	if (controllers_find(disk, &list, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		const char *name = by_path ? list[i].hidden_path : list[i].name;

		found |= name && !strcmp(name, wanted);
	}
	controllers_free(list, nr);
	return found;
}

/* The visible disks that @wanted belongs to, "nvme0n1, nvme0n2". 0 or -ENOENT. */
static int disks_of(const struct target_roots *roots, const char *wanted, bool by_path, char *text,
		    size_t size)
{
	char block[PATH_MAX], disk[PATH_MAX];
	size_t nr, used = 0;
	char **names;

	if (path_format(block, "%s/block", roots->sys) || sysfs_list(block, &names, &nr))
		return -ENOENT;
	for (size_t i = 0; i < nr && used < size; i++)
		if (!sysfs_resolve(block, names[i], disk) && !sysfs_flag(disk, "hidden") &&
		    belongs(disk, wanted, by_path))
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 names[i]);
	sysfs_list_free(names, nr);
	return used && used < size ? 0 : -ENOENT;
}

int controller_head_of_path(const struct target_roots *roots, const char *name,
			    char head[NAME_MAX + 1])
{
	return disks_of(roots, name, true, head, NAME_MAX + 1);
}

int controller_namespaces(const struct target_roots *roots, const char *dir, char *names,
			  size_t size)
{
	const char *node = sysfs_name(dir);
	char sibling[PATH_MAX], parent[PATH_MAX];

	if (is_controller(dir))
		return disks_of(roots, node, false, names, size);
	/* ngXnY and nvmeXnY stand below the same parent; the kernel numbers them alike. */
	if (strncmp(node, "ng", 2) || path_format(parent, "%s", dir) || !sysfs_parent(parent))
		return -ENOENT;
	if (path_format(sibling, "nvme%s", node + 2))
		return -ENOENT;
	/* Class devices stand in a folder of the class's name where the parent is of no class. */
	if (!sysfs_exists(parent, sibling) &&
	    !(sysfs_parent(parent) && sysfs_exists(parent, sibling)))
		return -ENOENT;
	return snprintf(names, size, "%s", sibling) < (int)size ? 0 : -ENOENT;
}
