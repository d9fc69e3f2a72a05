// SPDX-License-Identifier: MIT
/*
 * Before each phase that writes: find the target once more by the user's word and compare. Names move
 * after a reset, and a partition may have been mounted in the meantime.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "internal.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static const char *or_none(const char *text)
{
	return text ? text : "none";
}

static int compare_text(const char *word, const char *what, const char *then, const char *now,
			struct error *err)
{
	if (same_text(then, now))
		return 0;
	return error_refuse(err, "%s: another %s than at the start: %s, was %s", word, what,
			    or_none(now), or_none(then));
}

static int compare_number(const char *word, const char *what, uint64_t then, uint64_t now,
			  struct error *err)
{
	if (then == now)
		return 0;
	return error_refuse(err, "%s: another %s than at the start: %llu, was %llu", word, what,
			    (unsigned long long)now, (unsigned long long)then);
}

static bool is_zero(const uint8_t *id, size_t size)
{
	return !id[0] && !memcmp(id, id + 1, size - 1);
}

static int compare_id(const char *word, const char *what, const uint8_t *then, const uint8_t *now,
		      size_t size, struct error *err)
{
	/* All zero: none, or the drive could not be asked this time. */
	if (is_zero(then, size) || is_zero(now, size) || !memcmp(then, now, size))
		return 0;
	return error_refuse(err, "%s: another %s than at the start", word, what);
}

/* What the drive itself says, where it could be asked both times. */
static int compare_namespace(const char *word, const struct nvme_facts *then,
			     const struct nvme_facts *now, struct error *err)
{
	int ret;

	if (!then || !now)
		return 0;
	ret = compare_id(word, "NGUID", then->ns.nguid, now->ns.nguid, sizeof(now->ns.nguid), err);
	if (!ret)
		ret = compare_id(word, "EUI-64", then->ns.eui64, now->ns.eui64,
				 sizeof(now->ns.eui64), err);
	return ret;
}

static int compare_block(const struct target *target, const struct target *fresh, struct error *err)
{
	const struct drive_facts *then = target->facts, *now = fresh->facts;
	const char *word = then->word;
	int ret = compare_text(word, "serial", then->serial, now->serial, err);

	if (!ret)
		ret = compare_text(word, "wwid", then->wwid, now->wwid, err);
	if (!ret)
		ret = compare_number(word, "nsid", then->nsid, now->nsid, err);
	if (!ret)
		ret = compare_namespace(word, then->nvme, now->nvme, err);
	if (!ret)
		ret = compare_number(word, "capacity in bytes", then->capacity_bytes,
				     now->capacity_bytes, err);
	if (!ret)
		ret = compare_number(word, "logical block size", then->logical_block_bytes,
				     now->logical_block_bytes, err);
	if (!ret && (then->major != now->major || then->minor != now->minor))
		ret = error_refuse(err, "%s: leads to another device than at the start", word);
	if (!ret && target->sequence && fresh->sequence && target->sequence != fresh->sequence)
		ret = error_refuse(err, "%s: was detached and attached again since the start",
				   word);
	return ret;
}

static int compare_file(const struct target *target, const struct target *fresh, struct error *err)
{
	const char *word = target->facts->word;
	struct stat st;

	if (target->file.number != fresh->file.number || target->file.inode != fresh->file.inode)
		return error_refuse(err, "%s: another file than at the start", word);
	if (fstat(target->fd, &st) || (uint64_t)st.st_size < target->facts->capacity_bytes)
		return error_refuse(err, "%s: shorter than at the start", word);
	return 0;
}

static int compare(const struct target *target, const struct target *fresh, struct error *err)
{
	const char *word = target->facts->word;

	if (fresh->facts->kind != target->facts->kind)
		return error_refuse(err, "%s: a %s now, was a %s at the start", word,
				    target_kind_name(fresh->facts->kind),
				    target_kind_name(target->facts->kind));
	if (fresh->facts->read_only && target->access == TARGET_WRITE)
		return error_refuse(err, "%s: became read-only (ro=1)", word);
	return target->facts->kind == TARGET_FILE ? compare_file(target, fresh, err)
						  : compare_block(target, fresh, err);
}

int target_recheck(struct target *target, struct error *err)
{
	struct target_options options = {
		.roots = &target->roots,
		.allow_partition = target->allow_partition,
	};
	struct target *fresh = NULL;
	int ret;

	/* Nobody else can reach a file without a name. */
	if (target->facts->kind == TARGET_NULL || target->facts->kind == TARGET_SCRATCH)
		return 0;
	ret = target_find(&fresh, target->facts->word, &options, err);
	if (!ret)
		ret = compare(target, fresh, err);
	if (!ret && target->access == TARGET_WRITE)
		ret = target_refuse_in_use(target, err);
	target_close(fresh);
	return ret;
}
