// SPDX-License-Identifier: MIT
/* Words that name no target: what they name instead, and which word would have been right. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "controller.h"
#include "internal.h"
#include "sysfs.h"

static bool has_outer_blank(const char *word)
{
	size_t len = strlen(word);

	return strchr(" \t\n", word[0]) || strchr(" \t\n", word[len - 1]);
}

int word_refuse_hidden(const struct target_roots *roots, const char *word, const char *name,
		       struct error *err)
{
	char head[NAME_MAX + 1];

	if (controller_head_of_path(roots, name, head))
		return error_refuse(err,
				    "%s: a hidden path of a multipath namespace; name the "
				    "namespace instead",
				    word);
	return error_refuse(err, "%s: a hidden path of a multipath namespace; use %s/%s", word,
			    roots->dev, head);
}

/* Is there a node of that name in /dev? "nvme0n1" is often meant so. */
static bool is_kernel_name(const struct target_roots *roots, const char *word)
{
	char path[PATH_MAX];
	struct stat st;

	return !strchr(word, '/') && !path_format(path, "%s/%s", roots->dev, word) &&
	       !stat(path, &st) && S_ISBLK(st.st_mode);
}

int word_refuse_absent(const struct target_roots *roots, const char *word, int error,
		       struct error *err)
{
	char dir[PATH_MAX];
	struct stat st;

	if (!sysfs_block_by_name(roots, sysfs_name(word), dir) && sysfs_flag(dir, "hidden"))
		return word_refuse_hidden(roots, word, sysfs_name(word), err);
	if (has_outer_blank(word))
		return error_refuse(
			err, "'%s': no such device; the name begins or ends with a blank", word);
	if (is_kernel_name(roots, word))
		return error_refuse(err, "%s: no such file; use %s/%s", word, roots->dev, word);
	if (!lstat(word, &st) && S_ISLNK(st.st_mode))
		return error_refuse(err, "%s: a link that leads nowhere: no such device", word);
	return error_refuse(
		err, "%s: no such device (%s); `ssdbench drives` lists those of this machine", word,
		strerror(-error));
}

int word_refuse_character(const struct target_roots *roots, const char *word, dev_t number,
			  struct error *err)
{
	char entry[64], dir[PATH_MAX], names[256];

	snprintf(entry, sizeof(entry), "dev/char/%u:%u", major(number), minor(number));
	if (sysfs_resolve(roots->sys, entry, dir) ||
	    controller_namespaces(roots, dir, names, sizeof(names)))
		return error_refuse(err, "%s: a character device, not a block device", word);
	return error_refuse(err, "%s: a character device, not a block device; use %s/%s", word,
			    roots->dev, names);
}
