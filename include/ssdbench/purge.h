/* SPDX-License-Identifier: MIT */
/*
 * Purge: bring a drive into the state in which nothing has been written to it, and say truly whether that
 * came about. Section numbers are of the NVMe base specification 2.0.
 */
#ifndef SSDBENCH_PURGE_H
#define SSDBENCH_PURGE_H

#include <stdatomic.h>

#include "ssdbench/profile.h"
#include "ssdbench/target.h"

struct purge_request {
	enum purge_method method;
	/* All that are purged together, @target among them: what a method that reaches further than one
	 * namespace may reach. */
	struct target *const *targets;
	size_t nr_targets;
	const atomic_int *stop; /* not 0: end soon; NULL: cannot be stopped */
	/* About five times a second where the drive tells how far it is; NULL: not wanted. */
	void (*progress)(void *context, double fraction);
	void *context;
};

struct purge_outcome {
	enum purge_method
		used;       /* the one that was begun; PURGE_NONE: none, the data is as before */
	int nvme_status;    /* of the last erasing command, with DNR and More; -1: none was sent */
	bool drive_failed;  /* the drive answered that it could not, or would not */
	char fallback[256]; /* why not the methods that come before `used`; "" */
	uint64_t duration_ns;
};

/*
 * Purge one open target by request->method, which must have been opened for writing.
 * PURGE_AUTO takes the first that the drive has of format, sanitize-block, sanitize-crypto and discard;
 * PURGE_SANITIZE of block, crypto and overwrite; any other method is that one or none. What the drive has
 * is asked of it right before, and so are the identity and who uses it (target_recheck()).
 *
 * Format NVM (section 5.14) goes to the target's own namespace and keeps its format. Where the drive says
 * that an erase reaches all namespaces (FNA), and for Sanitize (section 5.24), each of them must be
 * one of request->targets.
 *
 * 0; else a negative errno with @err: ERROR_REFUSED as target_recheck(), or it would reach namespaces of
 * others; -ENOTSUP no method that was asked for is one of this drive; -EINTR stopped (a sanitize goes on in
 * the drive); -EIO the drive failed; others from the kernel. @outcome is filled in any case.
 */
int target_purge(struct target *target, const struct purge_request *request,
		 struct purge_outcome *outcome, struct error *err);

#endif
