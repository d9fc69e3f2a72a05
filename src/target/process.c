// SPDX-License-Identifier: MIT
/* Looks through /proc/PID/fd; processes that end meanwhile or that may not be read are passed over. */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfs.h"

pid_t process_number(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	return *end || number <= 0 || number > INT_MAX ? 0 : (pid_t)number;
}

void process_comm(const struct target_roots *roots, pid_t pid, char comm[64])
{
	char dir[PATH_MAX], text[SYSFS_TEXT_MAX] = "?";

	if (!path_format(dir, "%s/%d", roots->proc, pid))
		(void)sysfs_text(dir, "comm", text); /* "?" stays where it cannot be read */
	snprintf(comm, 64, "%.63s", text);
}

/* "flags:	0100002" of fdinfo: the access mode stands in the lowest two bits. */
static bool opened_for_writing(const char *process, const char *fd)
{
	char path[PATH_MAX], line[128];
	unsigned int flags = 0;
	FILE *file;

	if (path_format(path, "%s/fdinfo/%s", process, fd))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "flags: %o", &flags) == 1)
			break;
	fclose(file);
	return (flags & O_ACCMODE) != O_RDONLY;
}

/* The item of @footprint that the process has open; NULL: none. */
static const struct footprint_item *open_item(const char *process,
					      const struct footprint *footprint, bool writers)
{
	const struct footprint_item *found = NULL;
	struct dirent *entry;
	struct identity id;
	char path[PATH_MAX];
	DIR *fds;

	if (path_format(path, "%s/fd", process))
		return NULL;
	fds = opendir(path);
	if (!fds)
		return NULL;
	while (!found && (entry = readdir(fds))) {
		if (identity_of_path(dirfd(fds), entry->d_name, &id))
			continue;
		found = footprint_match(footprint, &id);
		if (found && writers && !opened_for_writing(process, entry->d_name))
			found = NULL;
	}
	closedir(fds);
	return found;
}

int process_find_opener(struct opener *opener, const struct target_roots *roots,
			const struct footprint *footprint, pid_t except, bool writers)
{
	const struct footprint_item *item = NULL;
	DIR *proc = opendir(roots->proc);
	struct dirent *entry;
	char path[PATH_MAX];

	if (!proc)
		return -errno;
	while (!item && (entry = readdir(proc))) {
		pid_t pid = process_number(entry->d_name);

		if (!pid || pid == except || path_format(path, "%s/%d", roots->proc, pid))
			continue;
		item = open_item(path, footprint, writers);
		if (item) {
			opener->pid = pid;
			opener->name = item->name;
			process_comm(roots, pid, opener->comm);
		}
	}
	closedir(proc);
	return item != NULL;
}
