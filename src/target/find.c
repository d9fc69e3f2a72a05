// SPDX-License-Identifier: MIT
/*
 * From a word to a target: which kind it names, then the facts. Nothing here writes, creates or opens for
 * writing. A scheme is one of four known prefixes; every other word is a path, colons and all.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "facts.h"
#include "internal.h"
#include "nvme.h"
#include "select.h"
#include "ssdbench/units.h"
#include "sysfs.h"

const struct target_roots target_roots_default = {.sys = "/sys", .proc = "/proc", .dev = "/dev"};

/* What follows "scheme:" in @word; NULL: another scheme. */
static const char *after_scheme(const char *word, const char *scheme)
{
	size_t len = strlen(scheme);

	return strncmp(word, scheme, len) || word[len] != ':' ? NULL : word + len + 1;
}

/* "foo:bar" that is no path: the user may have meant a scheme. */
static bool looks_like_scheme(const char *word)
{
	const char *colon = strchr(word, ':');
	const char *slash = strchr(word, '/');

	return colon && colon != word && (!slash || slash > colon);
}

static int parse_size(const char *word, const char *text, uint64_t unit, uint64_t *bytes,
		      struct error *err)
{
	int ret = size_parse(text, bytes, err);

	if (ret) {
		error_prefix(err, "%s", word);
		return ret;
	}
	if (!*bytes || *bytes % unit)
		return error_usage(err, "%s: the size must be a multiple of %llu bytes and not 0",
				   word, (unsigned long long)unit);
	return 0;
}

static int find_null(struct target *target, const char *word, const char *size, struct error *err)
{
	uint64_t bytes;
	int ret = parse_size(word, size, 512, &bytes, err);

	if (ret)
		return ret;
	target->facts = facts_new(TARGET_NULL, word, "null");
	if (!target->facts)
		return error_set(err, -ENOMEM, "%s: out of memory", word);
	target->facts->capacity_bytes = bytes;
	target->facts->logical_block_bytes = 512;
	target->facts->physical_block_bytes = 512;
	target->alignment = 512;
	return 0;
}

static int find_scratch(struct target *target, const char *word, const char *size,
			const char *directory, struct error *err)
{
	uint64_t bytes;
	int ret = parse_size(word, size, FILE_ALIGNMENT, &bytes, err);

	return ret ? ret : scratch_find(target, word, bytes, directory, err);
}

static int refuse_partition(const struct target *target, const char *word, struct error *err)
{
	char node[PATH_MAX];

	if (sysfs_node_path(&target->roots, target->facts->disk, node))
		return error_refuse(err, "%s: a partition", word);
	return error_refuse(err,
			    "%s: a partition, its capacity is not the drive's; use %s or "
			    "--allow-partition",
			    word, node);
}

/* The kernel's number for this attachment of the disk; 0: it counts none (before Linux 5.15). */
static uint64_t read_sequence(const char *dir)
{
	char disk[PATH_MAX];
	uint64_t sequence = 0;

	if (path_format(disk, "%s", dir))
		return 0;
	if (sysfs_exists(disk, "partition") && !sysfs_parent(disk))
		return 0;
	return sysfs_number(disk, "diskseq", &sequence) ? 0 : sequence;
}

/* @node: what @word names, or leads to. */
static int find_block(struct target *target, const char *word, const char *node, dev_t number,
		      struct error *err)
{
	char dir[PATH_MAX], path[PATH_MAX];
	char *why;
	int ret;

	if (!realpath(node, path))
		return error_refuse(err, "%s: %s", word, strerror(errno));
	if (sysfs_block_by_number(&target->roots, number, dir))
		return error_refuse(err,
				    "%s: no such device: the kernel knows no block device %u:%u",
				    word, major(number), minor(number));
	if (sysfs_flag(dir, "hidden"))
		return word_refuse_hidden(&target->roots, word, sysfs_name(dir), err);
	ret = facts_read_block(&target->facts, dir, word, path);
	if (ret)
		return error_set(err, ret, "%s: cannot read %s/size: %s", word, dir,
				 strerror(-ret));
	ret = nvme_identify_drive(target->facts, &target->roots, &target->admin);
	if (ret)
		return error_set(err, ret, "%s: out of memory", word);
	target->facts->major = major(number);
	target->facts->minor = minor(number);
	target->alignment = target->facts->logical_block_bytes;
	target->sequence = read_sequence(dir);
	if (target->facts->is_partition && !target->allow_partition)
		return refuse_partition(target, word, err);
	ret = facts_unfit(target->facts, &why);
	if (ret)
		return error_set(err, ret, "%s: out of memory", word);
	if (why)
		ret = error_refuse(err, "%s: %s", word, why);
	else if (!target->alignment)
		ret = error_refuse(err, "%s: the size of its logical blocks is unknown", word);
	free(why);
	return ret;
}

static int find_existing(struct target *target, const char *word, const struct stat *st,
			 struct error *err)
{
	if (target->create_bytes)
		return error_refuse(err, "%s: exists already; --create makes a new file only",
				    word);
	if (S_ISBLK(st->st_mode))
		return find_block(target, word, word, st->st_rdev, err);
	if (S_ISREG(st->st_mode))
		return file_find(target, word, st, err);
	if (S_ISCHR(st->st_mode))
		return word_refuse_character(&target->roots, word, st->st_rdev, err);
	if (S_ISDIR(st->st_mode))
		return error_refuse(err, "%s: a directory; name a block device or a file", word);
	return error_refuse(err, "%s: neither a block device nor a regular file", word);
}

static int find_path(struct target *target, const char *word, struct error *err)
{
	struct stat st;

	if (!stat(word, &st))
		return find_existing(target, word, &st, err);
	if (errno == EACCES)
		return error_set(err, -EACCES, "%s: permission denied", word);
	if (errno == ENOENT && looks_like_scheme(word))
		return error_usage(err,
				   "%s: no such file, and '%.*s' is no scheme; known are "
				   "serial:SN[@NSID], wwid:ID, null:SIZE and scratch:SIZE",
				   word, (int)strcspn(word, ":"), word);
	if (errno == ENOENT && target->create_bytes)
		return file_find_new(target, word, err);
	return word_refuse_absent(&target->roots, word, -errno, err);
}

static int find_selected(struct target *target, const char *word, enum select_by by,
			 const char *value, struct error *err)
{
	char node[PATH_MAX];
	struct stat st;
	dev_t number;
	int ret = select_disk(&target->roots, by, value, word, node, &number, err);

	if (ret)
		return ret;
	if (stat(node, &st))
		return error_refuse(err, "%s: is %s, which cannot be used: %s", word, node,
				    strerror(errno));
	if (!S_ISBLK(st.st_mode) || st.st_rdev != number)
		return error_refuse(err, "%s: is %s, but that node leads to another device", word,
				    node);
	return find_block(target, word, node, number, err);
}

static int find_word(struct target *target, const char *word, const char *scratch_directory,
		     struct error *err)
{
	const char *null_size = after_scheme(word, "null");
	const char *scratch_size = after_scheme(word, "scratch");
	const char *serial = after_scheme(word, "serial");
	const char *wwid = after_scheme(word, "wwid");

	if (!*word)
		return error_usage(err, "the name of the drive is empty (an unset variable?)");
	if ((null_size || scratch_size || serial || wwid) && target->create_bytes)
		return error_usage(err, "%s: --create goes with the path of a file", word);
	if (null_size)
		return find_null(target, word, null_size, err);
	if (scratch_size)
		return find_scratch(target, word, scratch_size, scratch_directory, err);
	if (serial)
		return find_selected(target, word, SELECT_SERIAL, serial, err);
	if (wwid)
		return find_selected(target, word, SELECT_WWID, wwid, err);
	return find_path(target, word, err);
}

int target_find(struct target **target, const char *word, const struct target_options *options,
		struct error *err)
{
	struct target *found = calloc(1, sizeof(*found));
	int ret;

	if (!found)
		return error_set(err, -ENOMEM, "%s: out of memory", word);
	found->roots = options->roots ? *options->roots : target_roots_default;
	found->allow_partition = options->allow_partition;
	found->create_bytes = options->create_bytes;
	found->fd = -1;
	ret = find_word(found, word, options->scratch_directory, err);
	if (ret) {
		target_free(found);
		return ret;
	}
	*target = found;
	return 0;
}

const struct drive_facts *target_facts(const struct target *target)
{
	return target->facts;
}

const char *target_consent_word(const struct target *target)
{
	const struct drive_facts *facts = target->facts;

	if (facts->kind == TARGET_NULL || facts->kind == TARGET_SCRATCH || target->create_bytes)
		return NULL;
	return facts->serial ? facts->serial : facts->path;
}

uint32_t target_offset_alignment(const struct target *target)
{
	return target->alignment;
}

int target_fd(const struct target *target)
{
	return target->fd;
}

int target_health(const struct target *target, struct drive_health *health, struct error *err)
{
	const struct drive_facts *facts = target->facts;

	if (!target->admin)
		return error_set(err, -ENOTSUP, "%s",
				 facts->nr_controllers ? facts_gap_reason(facts, "nvme")
						       : "not an NVMe drive");
	return nvme_health_read(health, target->admin, err);
}

void target_free(struct target *target)
{
	if (!target)
		return;
	if (target->fd >= 0)
		close(target->fd);
	if (target->passthrough.nsid)
		close(target->passthrough.fd);
	admin_close(target->admin);
	drive_facts_free(target->facts);
	free(target->scratch_directory);
	free(target);
}

void target_close(struct target *target)
{
	target_free(target);
}
