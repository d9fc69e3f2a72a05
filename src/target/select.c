// SPDX-License-Identifier: MIT
#include "select.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "facts.h"
#include "ssdbench/units.h"
#include "sysfs.h"

#define LISTED_MAX 4 /* candidates that a message names */

/* What is looked for, and what was found so far. */
struct search {
	const struct target_roots *roots;
	enum select_by by;
	const char *value;
	size_t serial_length; /* of @value before "@NSID"; 0: it has none */
	uint32_t nsid;
	char node[PATH_MAX]; /* of the first one found */
	dev_t number;
	unsigned int nr;
	char list[512]; /* of candidates, for the message */
};

/* A serial number may hold a '@' itself, so both readings count. */
static void parse_nsid(struct search *search)
{
	const char *at = strrchr(search->value, '@');
	unsigned long nsid;
	char *end;

	if (search->by != SELECT_SERIAL || !at || at == search->value || at[1] < '0' || at[1] > '9')
		return;
	nsid = strtoul(at + 1, &end, 10);
	if (*end || nsid == 0 || nsid >= UINT32_MAX)
		return;
	search->serial_length = (size_t)(at - search->value);
	search->nsid = (uint32_t)nsid;
}

static bool matches(const struct search *search, const struct drive_facts *facts)
{
	const char *value = search->value, *serial = facts->serial;

	if (search->by == SELECT_WWID)
		return facts->wwid && !strcmp(facts->wwid, value);
	if (!serial)
		return false;
	if (!strcmp(serial, value))
		return true;
	return search->serial_length && search->nsid == facts->nsid &&
	       strlen(serial) == search->serial_length &&
	       !strncmp(serial, value, search->serial_length);
}

static void __attribute__((format(printf, 2, 3)))
list_add(struct search *search, const char *format, ...)
{
	size_t used = strlen(search->list);
	va_list args;

	va_start(args, format);
	vsnprintf(search->list + used, sizeof(search->list) - used, format, args);
	va_end(args);
}

/* "/dev/nvme5n1 (nsid 1, wwid eui.1, 3.2 TB)" */
static void list_candidate(struct search *search, const char *node, const struct drive_facts *facts)
{
	char size[UNITS_TEXT_MAX];

	if (search->nr > LISTED_MAX)
		return;
	list_add(search, "%s%s (", search->nr > 1 ? ", " : "", node);
	if (facts->nsid)
		list_add(search, "nsid %" PRIu32 ", ", facts->nsid);
	list_add(search, "wwid %.80s, %s)", facts->wwid ? facts->wwid : "unknown",
		 capacity_human(facts->capacity_bytes, size));
}

/* 0, or -ENOMEM; a disk that goes away meanwhile is none. */
static int look_at(struct search *search, const char *name)
{
	char dir[PATH_MAX], node[PATH_MAX];
	struct drive_facts *facts;
	int ret;

	if (sysfs_block_by_name(search->roots, name, dir) || sysfs_flag(dir, "hidden") ||
	    sysfs_node_path(search->roots, name, node))
		return 0;
	ret = facts_read_block(&facts, dir, node, node);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	if (matches(search, facts)) {
		if (search->nr++ == 0) {
			memcpy(search->node, node, sizeof(search->node));
			search->number = makedev(facts->major, facts->minor);
		}
		list_candidate(search, node, facts);
	}
	drive_facts_free(facts);
	return 0;
}

static int look_at_all(struct search *search)
{
	char block[PATH_MAX], **names;
	size_t nr;
	int ret = path_format(block, "%s/block", search->roots->sys);

	if (!ret)
		ret = sysfs_list(block, &names, &nr);
	if (ret)
		return ret;
	for (size_t i = 0; i < nr && !ret; i++)
		ret = look_at(search, names[i]);
	sysfs_list_free(names, nr);
	return ret;
}

static int refuse_ambiguous(struct search *search, const char *word, struct error *err)
{
	if (search->nr > LISTED_MAX)
		list_add(search, " and %u more", search->nr - LISTED_MAX);
	return error_refuse(err,
			    "%s: %u drives answer to this: %s; name one of them by its wwid, or "
			    "by its path",
			    word, search->nr, search->list);
}

int select_disk(const struct target_roots *roots, enum select_by by, const char *value,
		const char *word, char node[PATH_MAX], dev_t *number, struct error *err)
{
	struct search search = {.roots = roots, .by = by, .value = value};
	int ret;

	if (!*value)
		return error_usage(err, "%s: nothing stands after the colon (an unset variable?)",
				   word);
	parse_nsid(&search);
	ret = look_at_all(&search);
	if (ret)
		return error_set(err, ret, "%s: cannot list the drives: %s", word, strerror(-ret));
	if (search.nr == 0)
		return error_refuse(err,
				    "%s: no drive has this %s; `ssdbench drives --format json` "
				    "tells those of this machine",
				    word, by == SELECT_WWID ? "wwid" : "serial number");
	if (search.nr > 1)
		return refuse_ambiguous(&search, word, err);
	memcpy(node, search.node, sizeof(search.node));
	*number = search.number;
	return 0;
}
