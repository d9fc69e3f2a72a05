/* SPDX-License-Identifier: MIT */
/* Which way into the kernel a step takes, and the words for why not the one that was wished. */
#ifndef SSDBENCH_ENGINE_CHOOSE_H
#define SSDBENCH_ENGINE_CHOOSE_H

#include "ring.h"

struct choice {
	const struct ring_ops *ops; /* for drives that are not null */
	char reason[256];           /* why not the one asked for or the first choice; "" else */
};

/* The first choice for a step of @iodepth, before anything is tried. */
enum engine_kind choose_wished(const struct engine_config *config, uint32_t iodepth);

/*
 * For a step of @iodepth. @real: at least one drive is not a null target.
 * 0, or ERROR_USAGE (null engine on a real drive, iopoll or sqpoll without io_uring), or ERROR_HARNESS
 * (io_uring or io_uring_cmd asked for and not to be had).
 */
int choose_engine(struct choice *choice, const struct engine_config *config, uint32_t iodepth,
		  bool real, struct error *err);

/* engine_probe_uring() for io_uring or, where @kind is that, for io_uring_cmd. */
int choose_probe(enum engine_kind kind, const char *proc, char *why, size_t size);

/* io_uring and io_uring_cmd: rings that can poll. */
bool choose_is_uring(enum engine_kind kind);

/* 0, or ERROR_USAGE where @config wants a ring of @kind to poll that cannot. */
int choose_check_polling(const struct engine_config *config, enum engine_kind kind,
			 struct error *err);

#endif
