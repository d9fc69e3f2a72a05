// SPDX-License-Identifier: MIT
/*
 * Limits live in /proc, in rlimits and in cgroups. A cgroup's limit holds for all below it, so each
 * ancestor is asked; versions 1 and 2 may be mounted side by side. What cannot be read does not limit.
 */
#include "limits.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "ssdbench/units.h"

/* A number alone in a file; "max" and what cannot be read are LIMIT_UNKNOWN. */
static uint64_t read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long long value;
	int nr;

	if (!file)
		return LIMIT_UNKNOWN;
	nr = fscanf(file, "%llu", &value);
	fclose(file);
	return nr == 1 ? value : LIMIT_UNKNOWN;
}

/* The number after @key at the start of a line; LIMIT_UNKNOWN where there is none. */
static uint64_t read_keyed(const char *path, const char *key)
{
	FILE *file = fopen(path, "re");
	char line[256];
	uint64_t value = LIMIT_UNKNOWN;

	if (!file)
		return LIMIT_UNKNOWN;
	while (value == LIMIT_UNKNOWN && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, strlen(key)) == 0)
			value = strtoull(line + strlen(key), NULL, 10);
	}
	fclose(file);
	return value;
}

/* The files of one cgroup controller in one version of the interface. */
struct cgroup_files {
	const char *controller; /* in /proc/self/cgroup; "": version 2 */
	const char *mount;      /* below the cgroup root */
	const char *limit, *used;
	const char *stat, *cache; /* file and key of what can be freed of it; NULL: nothing */
};

static const struct cgroup_files memory_files[] = {
	{"", "", "memory.max", "memory.current", "memory.stat", "file "},
	{"", "unified/", "memory.max", "memory.current", "memory.stat", "file "},
	{"memory", "memory/", "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat",
	 "total_cache "},
};

static const struct cgroup_files pids_files[] = {
	{"", "", "pids.max", "pids.current", NULL, NULL},
	{"", "unified/", "pids.max", "pids.current", NULL, NULL},
	{"pids", "pids/", "pids.max", "pids.current", NULL, NULL},
};

/* What the cgroup in @directory has left. */
static uint64_t left_in(const char *directory, const struct cgroup_files *files)
{
	char path[2 * PATH_MAX + 64];
	uint64_t limit, used, cache = 0;

	snprintf(path, sizeof(path), "%s/%s", directory, files->limit);
	limit = read_number(path);
	snprintf(path, sizeof(path), "%s/%s", directory, files->used);
	used = read_number(path);
	if (limit == LIMIT_UNKNOWN || used == LIMIT_UNKNOWN)
		return LIMIT_UNKNOWN;
	if (files->stat) {
		snprintf(path, sizeof(path), "%s/%s", directory, files->stat);
		cache = read_keyed(path, files->cache);
		if (cache == LIMIT_UNKNOWN)
			cache = 0;
	}
	used -= cache < used ? cache : used;
	return limit > used ? limit - used : 0;
}

/* The least that @group ("/a/b") and its ancestors have left. Changes @group. */
static uint64_t left_upward(const char *cgroup, const struct cgroup_files *files, char *group)
{
	char directory[2 * PATH_MAX];
	uint64_t least = LIMIT_UNKNOWN;

	for (;;) {
		char *slash;
		uint64_t left;

		snprintf(directory, sizeof(directory), "%s/%s%s", cgroup, files->mount, group);
		left = left_in(directory, files);
		least = left < least ? left : least;
		slash = strrchr(group, '/');
		if (!slash)
			return least;
		*slash = '\0';
	}
}

/* The cgroup of this process in the hierarchy of @controller; false: none. */
static bool own_group(const char *proc, const char *controller, char *group, size_t size)
{
	char path[PATH_MAX], line[PATH_MAX];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/self/cgroup", proc);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		char *names = strchr(line, ':');
		char *where = names ? strchr(names + 1, ':') : NULL;

		if (!where)
			continue;
		*where++ = '\0';
		where[strcspn(where, "\n")] = '\0';
		found = strcmp(names + 1, controller) == 0;
		if (found)
			snprintf(group, size, "%s", where);
	}
	fclose(file);
	return found;
}

static uint64_t cgroup_left(const char *proc, const char *cgroup, const struct cgroup_files *files,
			    size_t nr)
{
	uint64_t least = LIMIT_UNKNOWN;

	for (size_t i = 0; i < nr; i++) {
		char group[PATH_MAX];
		uint64_t left;

		if (!own_group(proc, files[i].controller, group, sizeof(group)))
			continue;
		left = left_upward(cgroup, &files[i], group);
		least = left < least ? left : least;
	}
	return least;
}

static uint64_t read_proc(const char *proc, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", proc, name);
	return read_number(path);
}

void limits_read(struct limits *limits, const char *proc, const char *cgroup)
{
	char path[PATH_MAX];
	struct rlimit files;
	uint64_t kib;

	snprintf(path, sizeof(path), "%s/meminfo", proc);
	kib = read_keyed(path, "MemAvailable:");
	limits->memory_bytes = kib == LIMIT_UNKNOWN ? LIMIT_UNKNOWN : kib * 1024;
	limits->cgroup_memory_bytes = cgroup_left(proc, cgroup, memory_files,
						  sizeof(memory_files) / sizeof(*memory_files));
	limits->cgroup_tasks =
		cgroup_left(proc, cgroup, pids_files, sizeof(pids_files) / sizeof(*pids_files));
	limits->threads = read_proc(proc, "sys/kernel/threads-max");
	limits->aio_max = read_proc(proc, "sys/fs/aio-max-nr");
	limits->aio_used = read_proc(proc, "sys/fs/aio-nr");
	if (limits->aio_used == LIMIT_UNKNOWN)
		limits->aio_used = 0;
	limits->open_files = LIMIT_UNKNOWN;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY)
		limits->open_files = files.rlim_cur;
}

static int check_memory(const struct limits *limits, const struct limits_need *need,
			struct error *err)
{
	char needed[UNITS_TEXT_MAX], allowed[UNITS_TEXT_MAX];

	if (need->memory_bytes > limits->memory_bytes)
		return error_set(err, -ENOMEM,
				 "%s of memory are needed, %s are available (MemAvailable): lower "
				 "--memory, iodepth or numjobs",
				 capacity_human(need->memory_bytes, needed),
				 capacity_human(limits->memory_bytes, allowed));
	if (need->memory_bytes > limits->cgroup_memory_bytes)
		return error_set(err, -ENOMEM,
				 "%s of memory are needed, the memory limit of this cgroup leaves "
				 "%s: raise memory.max, or lower --memory, iodepth or numjobs",
				 capacity_human(need->memory_bytes, needed),
				 capacity_human(limits->cgroup_memory_bytes, allowed));
	return 0;
}

static int check_threads(const struct limits *limits, const struct limits_need *need,
			 struct error *err)
{
	if (need->workers > limits->threads)
		return error_set(err, -EAGAIN,
				 "%llu threads are needed, kernel.threads-max is %llu: sysctl -w "
				 "kernel.threads-max=%llu",
				 (unsigned long long)need->workers,
				 (unsigned long long)limits->threads,
				 (unsigned long long)need->workers * 2);
	if (need->workers > limits->cgroup_tasks)
		return error_set(err, -EAGAIN,
				 "%llu threads are needed, the limit of this cgroup leaves %llu: "
				 "raise pids.max",
				 (unsigned long long)need->workers,
				 (unsigned long long)limits->cgroup_tasks);
	return 0;
}

int limits_check(const struct limits *limits, const struct limits_need *need, struct error *err)
{
	const uint64_t aio_left =
		limits->aio_max > limits->aio_used ? limits->aio_max - limits->aio_used : 0;
	int rc = check_memory(limits, need, err);

	if (rc == 0)
		rc = check_threads(limits, need, err);
	if (rc)
		return rc;
	if (need->open_files > limits->open_files)
		return error_set(err, -EMFILE,
				 "%llu open files are needed, the limit is %llu: ulimit -n %llu",
				 (unsigned long long)need->open_files,
				 (unsigned long long)limits->open_files,
				 (unsigned long long)need->open_files);
	if (need->aio_requests > aio_left)
		return error_set(err, -EAGAIN,
				 "libaio needs room for %llu requests, %llu are left "
				 "(fs.aio-max-nr %llu, in use %llu): sysctl -w fs.aio-max-nr=%llu",
				 (unsigned long long)need->aio_requests,
				 (unsigned long long)aio_left, (unsigned long long)limits->aio_max,
				 (unsigned long long)limits->aio_used,
				 (unsigned long long)limits->aio_used + need->aio_requests);
	return 0;
}
