// SPDX-License-Identifier: MIT
/* The kernel's small text files: one read each, no caching, nothing known of drives. */
#include "sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int path_format(char path[PATH_MAX], const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
	return len < 0 || len >= PATH_MAX ? -ENAMETOOLONG : 0;
}

ssize_t sysfs_text(const char *dir, const char *file, char text[SYSFS_TEXT_MAX])
{
	char path[PATH_MAX];
	ssize_t len;
	int fd;

	if (path_format(path, "%s/%s", dir, file))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, text, SYSFS_TEXT_MAX - 1);
	if (len < 0)
		len = -errno;
	close(fd);
	if (len < 0)
		return len;
	while (len && strchr(" \t\n", text[len - 1]))
		len--;
	text[len] = '\0';
	return len;
}

int sysfs_integer(const char *dir, const char *file, int64_t *value)
{
	char text[SYSFS_TEXT_MAX], *end;
	ssize_t len = sysfs_text(dir, file, text);
	long long number;

	if (len < 0)
		return (int)len;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return -EINVAL;
	*value = number;
	return 0;
}

int sysfs_number(const char *dir, const char *file, uint64_t *value)
{
	int64_t number;
	int ret = sysfs_integer(dir, file, &number);

	if (!ret && number < 0)
		ret = -EINVAL;
	if (!ret)
		*value = (uint64_t)number;
	return ret;
}

bool sysfs_flag(const char *dir, const char *file)
{
	int64_t value;

	return !sysfs_integer(dir, file, &value) && value == 1;
}

bool sysfs_exists(const char *dir, const char *entry)
{
	char path[PATH_MAX];

	return !path_format(path, "%s/%s", dir, entry) && !access(path, F_OK);
}

int sysfs_resolve(const char *dir, const char *entry, char path[PATH_MAX])
{
	char joined[PATH_MAX];

	if (path_format(joined, "%s/%s", dir, entry))
		return -ENAMETOOLONG;
	return realpath(joined, path) ? 0 : -errno;
}

int sysfs_block_by_name(const struct target_roots *roots, const char *name, char dir[PATH_MAX])
{
	char entry[PATH_MAX];

	if (path_format(entry, "block/%s", name))
		return -ENAMETOOLONG;
	return sysfs_resolve(roots->sys, entry, dir);
}

int sysfs_block_by_number(const struct target_roots *roots, dev_t number, char dir[PATH_MAX])
{
	char entry[64];

	snprintf(entry, sizeof(entry), "dev/block/%u:%u", major(number), minor(number));
	return sysfs_resolve(roots->sys, entry, dir);
}

int sysfs_device_number(const char *dir, dev_t *number)
{
	char text[SYSFS_TEXT_MAX];
	unsigned int high, low;
	ssize_t len = sysfs_text(dir, "dev", text);

	if (len < 0)
		return (int)len;
	if (sscanf(text, "%u:%u", &high, &low) != 2)
		return -EINVAL;
	*number = makedev(high, low);
	return 0;
}

bool sysfs_parent(char path[PATH_MAX])
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

const char *sysfs_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int sysfs_list(const char *dir, char ***names, size_t *nr)
{
	struct dirent **entries;
	int count = scandir(dir, &entries, visible, versionsort);
	char **list;
	int ret = 0;

	if (count < 0)
		return -errno;
	list = calloc((size_t)count + 1, sizeof(*list));
	for (int i = 0; i < count; i++) {
		if (list)
			list[i] = strdup(entries[i]->d_name);
		if (!list || !list[i])
			ret = -ENOMEM;
		free(entries[i]);
	}
	free(entries);
	if (ret || !list) {
		sysfs_list_free(list, (size_t)count);
		return -ENOMEM;
	}
	*names = list;
	*nr = (size_t)count;
	return 0;
}

void sysfs_list_free(char **names, size_t nr)
{
	if (!names)
		return;
	for (size_t i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}

int sysfs_node_path(const struct target_roots *roots, const char *name, char path[PATH_MAX])
{
	size_t root = strlen(roots->dev);

	if (path_format(path, "%s/%s", roots->dev, name))
		return -ENAMETOOLONG;
	for (char *mark = path + root; (mark = strchr(mark, '!'));)
		*mark = '/';
	return 0;
}
