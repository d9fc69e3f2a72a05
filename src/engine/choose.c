// SPDX-License-Identifier: MIT
#include "choose.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* 0 allowed, 1 only for a group or CAP_SYS_ADMIN, 2 for nobody (kernel.io_uring_disabled, Linux 6.6);
 * 0 where the kernel does not know it. */
static int uring_disabled(const char *proc)
{
	char path[4096];
	FILE *file;
	int value = 0;

	snprintf(path, sizeof(path), "%s/sys/kernel/io_uring_disabled", proc);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%d", &value) != 1)
		value = 0;
	fclose(file);
	return value;
}

int engine_probe_uring(const char *proc, char *why, size_t size)
{
	const int rc = ring_uring_probe();
	const int disabled = uring_disabled(proc);

	if (rc == 0)
		return 0;
	if (rc == -EPERM && disabled)
		snprintf(why, size,
			 "kernel.io_uring_disabled is %d (sysctl -w "
			 "kernel.io_uring_disabled=0 allows it)",
			 disabled);
	else if (rc == -EPERM || rc == -EACCES || rc == -ENOSYS)
		snprintf(why, size, "blocked (seccomp or container): %s", strerror(-rc));
	else
		snprintf(why, size, "its set-up failed: %s", strerror(-rc));
	return rc;
}

int choose_probe(enum engine_kind kind, const char *proc, char *why, size_t size)
{
	int rc = engine_probe_uring(proc, why, size);

	if (rc || kind != ENGINE_IO_URING_CMD)
		return rc;
	rc = ring_uring_cmd_probe();
	if (rc)
		snprintf(why, size,
			 "this kernel's io_uring carries no NVMe commands (Linux 5.19 and later "
			 "do): %s",
			 strerror(-rc));
	return rc;
}

static const struct ring_ops *ops_of(enum engine_kind kind)
{
	switch (kind) {
	case ENGINE_IO_URING: return &ring_uring;
	case ENGINE_IO_URING_CMD: return &ring_uring_cmd;
	case ENGINE_LIBAIO: return &ring_aio;
	case ENGINE_SYNC: return &ring_sync;
	default: return &ring_null;
	}
}

enum engine_kind choose_wished(const struct engine_config *config, uint32_t iodepth)
{
	if (config->kind != ENGINE_AUTO)
		return config->kind;
	/* pread is the shortest way for one request; see docs/architecture.md. */
	return iodepth == 1 && !config->iopoll && !config->sqpoll ? ENGINE_SYNC : ENGINE_IO_URING;
}

bool choose_is_uring(enum engine_kind kind)
{
	return kind == ENGINE_IO_URING || kind == ENGINE_IO_URING_CMD;
}

int choose_check_polling(const struct engine_config *config, enum engine_kind kind,
			 struct error *err)
{
	if ((!config->iopoll && !config->sqpoll) || choose_is_uring(kind))
		return 0;
	return error_usage(err,
			   "iopoll and sqpoll need the engine io_uring or io_uring_cmd, not %s",
			   engine_kind_name(kind));
}

int choose_engine(struct choice *choice, const struct engine_config *config, uint32_t iodepth,
		  bool real, struct error *err)
{
	const enum engine_kind kind = choose_wished(config, iodepth);
	char why[160];
	int rc;

	choice->reason[0] = '\0';
	rc = choose_check_polling(config, kind, err);
	if (rc)
		return rc;
	choice->ops = ops_of(real ? kind : ENGINE_NULL);
	if (!real) {
		if (config->kind != ENGINE_AUTO && config->kind != ENGINE_NULL)
			snprintf(choice->reason, sizeof(choice->reason),
				 "a null target has no file that %s could use",
				 engine_kind_name(kind));
		return 0;
	}
	if (kind == ENGINE_NULL)
		return error_usage(err, "the engine null is for null targets only: a real drive "
					"would not be touched");
	if (!choose_is_uring(kind))
		return 0;
	rc = choose_probe(kind, "/proc", why, sizeof(why));
	if (rc == 0)
		return 0;
	if (config->kind == kind || config->iopoll || config->sqpoll)
		return error_set(err, rc, "%s cannot be used: %s", engine_kind_name(kind), why);
	choice->ops = &ring_aio;
	snprintf(choice->reason, sizeof(choice->reason), "io_uring cannot be used: %s", why);
	return 0;
}
