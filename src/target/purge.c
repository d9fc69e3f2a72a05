// SPDX-License-Identifier: MIT
/*
 * Which methods are tried in which order, and what is checked around them. A method that the drive does not
 * have leaves it as it was, so the next one may be tried; one that was begun and failed ends the purge, since
 * nobody knows then what is on the drive.
 */
#include "purge.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"
#include "ssdbench/clock.h"

/* A format reaches one namespace only and takes seconds. Overwriting is no way to a fresh drive: it writes
 * all of it. */
static const enum purge_method best[] = {
	PURGE_FORMAT,
	PURGE_SANITIZE_BLOCK,
	PURGE_SANITIZE_CRYPTO,
	PURGE_DISCARD,
};

static const enum purge_method best_sanitize[] = {
	PURGE_SANITIZE_BLOCK,
	PURGE_SANITIZE_CRYPTO,
	PURGE_SANITIZE_OVERWRITE,
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

void purge_say(struct purge *purge, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(purge->why, sizeof(purge->why), format, args);
	va_end(args);
}

bool purge_stopped(const struct purge *purge)
{
	const atomic_int *stop = purge->request->stop;

	return stop && atomic_load_explicit(stop, memory_order_relaxed) != 0;
}

void purge_tell(const struct purge *purge, double fraction)
{
	if (purge->request->progress)
		purge->request->progress(purge->request->context, fraction);
}

static purge_function *function_of(enum purge_method method)
{
	switch (method) {
	case PURGE_FORMAT:
	case PURGE_FORMAT_CRYPTO: return purge_by_format;
	case PURGE_DISCARD: return purge_by_discard;
	default: return purge_by_sanitize;
	}
}

/* The methods that @method stands for; most stand for themselves. */
static size_t methods_of(const enum purge_method *method, const enum purge_method **list)
{
	if (*method == PURGE_AUTO) {
		*list = best;
		return NR(best);
	}
	if (*method == PURGE_SANITIZE) {
		*list = best_sanitize;
		return NR(best_sanitize);
	}
	*list = method;
	return 1;
}

static void note_fallback(struct purge *purge, enum purge_method method)
{
	char *text = purge->outcome->fallback;
	const size_t room = sizeof(purge->outcome->fallback), used = strlen(text);

	snprintf(text + used, room - used, "%s%s: %s", used ? "; " : "", purge_method_name(method),
		 purge->why);
}

static int try_methods(struct purge *purge, struct error *err)
{
	const char *word = purge->target->facts->word;
	struct purge_outcome *outcome = purge->outcome;
	const enum purge_method *method;
	const size_t nr = methods_of(&purge->request->method, &method);
	bool refused = false;
	int ret;

	for (size_t i = 0; i < nr; i++) {
		ret = function_of(method[i])(purge, method[i], err);
		if (ret == 0)
			outcome->drive_failed = false; /* that of a method before */
		if (ret <= 0)
			return ret;
		refused |= ret == PURGE_REFUSED;
		note_fallback(purge, method[i]);
	}
	ret = refused ? error_refuse(err, "%s: not purged: %s", word, outcome->fallback)
		      : error_set(err, -ENOTSUP, "%s: cannot be purged: %s", word,
				  outcome->fallback);
	outcome->fallback[0] = '\0'; /* nothing was used instead */
	return ret;
}

/* A format makes the kernel look at the namespace anew: what is open must still be that drive. */
static int check_after(struct target *target, struct error *err)
{
	const struct drive_facts *facts = target->facts;
	uint64_t bytes;

	if (facts->kind == TARGET_BLOCK && target->fd >= 0 &&
	    (ioctl(target->fd, BLKGETSIZE64, &bytes) || bytes != facts->capacity_bytes))
		return error_set(err, -ENODEV, "%s: is another device since its purge",
				 facts->word);
	return target_recheck(target, err);
}

int target_purge(struct target *target, const struct purge_request *request,
		 struct purge_outcome *outcome, struct error *err)
{
	struct purge purge = {.target = target, .request = request, .outcome = outcome};
	const uint64_t start = clock_monotonic_ns();
	int ret;

	*outcome = (struct purge_outcome){.nvme_status = -1};
	if (request->method == PURGE_NONE)
		return 0;
	if (target->access != TARGET_WRITE)
		return error_refuse(err, "%s: not open for writing, so not purged",
				    target->facts->word);
	ret = target_recheck(target, err);
	if (!ret)
		ret = try_methods(&purge, err);
	if (!ret)
		ret = check_after(target, err);
	outcome->duration_ns = clock_monotonic_ns() - start;
	return ret;
}
