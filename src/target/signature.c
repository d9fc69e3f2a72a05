// SPDX-License-Identifier: MIT
/* libblkid's low-level probe on an open descriptor, without its cache. */
#include "signature.h"

#include <blkid.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *value(blkid_probe probe, const char *name)
{
	const char *text;

	return blkid_probe_lookup_value(probe, name, &text, NULL) ? NULL : text;
}

static int describe(blkid_probe probe, char **what)
{
	const char *type = value(probe, "TYPE"), *usage = value(probe, "USAGE");
	const char *label = value(probe, "LABEL"), *uuid = value(probe, "UUID");
	const char *table = value(probe, "PTTYPE");
	const char *noun = "signature";

	if (!type)
		return asprintf(what, "%s partition table", table ? table : "unknown");
	if (usage && !strcmp(usage, "filesystem"))
		noun = "file system";
	else if (usage && !strcmp(usage, "raid"))
		noun = "RAID or volume member";
	else if (usage && !strcmp(usage, "crypto"))
		noun = "encrypted volume";
	return asprintf(what, "%s %s%s%s%s%s%s%s", type, noun, label ? " \"" : "",
			label ? label : "", label ? "\"" : "", uuid ? " (UUID " : "",
			uuid ? uuid : "", uuid ? ")" : "");
}

static int probe_chains(blkid_probe probe, char **what)
{
	int ret;

	blkid_probe_enable_superblocks(probe, true);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
							 BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID |
							 BLKID_SUBLKS_BADCSUM);
	blkid_probe_enable_partitions(probe, true);
	errno = 0;
	ret = blkid_do_safeprobe(probe);
	if (ret == 1)
		return 0;
	if (ret == -2) /* several, each of which could be the true one */
		return asprintf(what, "more than one signature") < 0 ? -ENOMEM : 1;
	if (ret < 0)
		return errno ? -errno : -EIO;
	return describe(probe, what) < 0 ? -ENOMEM : 1;
}

int signature_find(int fd, char **what)
{
	blkid_probe probe = blkid_new_probe();
	char *found = NULL;
	int ret;

	if (!probe)
		return -ENOMEM;
	errno = 0;
	if (blkid_probe_set_device(probe, fd, 0, 0))
		ret = errno ? -errno : -EIO;
	else
		ret = probe_chains(probe, &found);
	blkid_free_probe(probe);
	if (ret == 1)
		*what = found;
	return ret;
}
