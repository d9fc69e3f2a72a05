// SPDX-License-Identifier: MIT
/* Names of engines and of what their rings use. */
#include <stdio.h>
#include <string.h>

#include "ring.h"

static const char *const kind_name[ENGINE_KINDS] = {
	[ENGINE_AUTO] = "auto",
	[ENGINE_IO_URING] = "io_uring",
	[ENGINE_IO_URING_CMD] = "io_uring_cmd",
	[ENGINE_LIBAIO] = "libaio",
	[ENGINE_SYNC] = "sync",
	[ENGINE_NULL] = "null",
};

const char *engine_kind_name(enum engine_kind kind)
{
	return kind_name[kind];
}

int engine_kind_parse(const char *name)
{
	for (int kind = 0; kind < ENGINE_KINDS; kind++) {
		if (strcmp(name, kind_name[kind]) == 0)
			return kind;
	}
	return -1;
}

static const struct {
	enum ring_feature bit;
	const char *name;
} feature_names[] = {
	{RING_FIXED_BUFFERS, "fixed_buffers"},
	{RING_FIXED_FILE, "fixed_file"},
	{RING_REGISTERED_FD, "registered_fd"},
	{RING_SINGLE_ISSUER, "single_issuer"},
	{RING_DEFER_TASKRUN, "defer_taskrun"},
	{RING_COOP_TASKRUN, "coop_taskrun"},
	{RING_IOPOLL, "iopoll"},
	{RING_SQPOLL, "sqpoll"},
	{RING_KERNEL_THREADS, "kernel_threads"},
};

const char *ring_features_text(unsigned int features, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(feature_names) / sizeof(feature_names[0]); i++) {
		if (!(features & feature_names[i].bit) || used >= size)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "",
					 feature_names[i].name);
	}
	return text;
}
