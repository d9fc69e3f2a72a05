/* SPDX-License-Identifier: MIT */
/* The methods of a purge, which purge.c tries in turn. */
#ifndef SSDBENCH_TARGET_PURGE_H
#define SSDBENCH_TARGET_PURGE_H

#include "ssdbench/purge.h"

#define PURGE_WHY_MAX 200

/* A purge under way. */
struct purge {
	struct target *target;
	const struct purge_request *request;
	struct purge_outcome *outcome;
	char why[PURGE_WHY_MAX]; /* of the last method that was unfit or refused */
};

/* What a method answers beside 0 and a negative errno with @err; both leave the drive as it was. */
enum {
	PURGE_UNFIT = 1,   /* the drive does not have it */
	PURGE_REFUSED = 2, /* it has, but others would lose their data */
};

typedef int purge_function(struct purge *purge, enum purge_method method, struct error *err);

purge_function purge_by_format;
purge_function purge_by_sanitize;
purge_function purge_by_discard;

/* Set purge->why. */
void purge_say(struct purge *purge, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does the user want the run to end? */
bool purge_stopped(const struct purge *purge);

void purge_tell(const struct purge *purge, double fraction);

#endif
