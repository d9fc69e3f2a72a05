// SPDX-License-Identifier: MIT
#include "targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The same node or file; two scratch files or null targets are two. */
static bool is_same_drive(const struct drive_facts *a, const struct drive_facts *b)
{
	if (a->kind != b->kind || !a->path || !b->path)
		return false;
	if (a->kind == TARGET_BLOCK)
		return a->major == b->major && a->minor == b->minor;
	return strcmp(a->path, b->path) == 0;
}

static int check_twins(const struct targets *targets, struct error *err)
{
	const struct drive_facts *last = targets->facts[targets->nr - 1];

	for (size_t i = 0; i + 1 < targets->nr; i++) {
		if (is_same_drive(targets->facts[i], last))
			return error_usage(err, "%s and %s are the same drive: name it once",
					   targets->facts[i]->word, last->word);
	}
	return 0;
}

int targets_find(struct targets *targets, const struct words *words,
		 const struct target_options *options, struct error *err)
{
	int rc = 0;

	targets->target = calloc(words->nr, sizeof(struct target *));
	targets->facts = calloc(words->nr, sizeof(*targets->facts));
	if (!targets->target || !targets->facts)
		return error_set(err, -ENOMEM, "not enough memory for %zu targets", words->nr);
	for (size_t i = 0; rc == 0 && i < words->nr; i++) {
		rc = target_find(&targets->target[i], words->word[i], options, err);
		if (rc)
			break;
		targets->facts[i] = target_facts(targets->target[i]);
		targets->nr++;
		rc = check_twins(targets, err);
	}
	return rc;
}

int targets_open(struct targets *targets, enum target_access access, const struct words *destroy,
		 bool passthrough, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < targets->nr; i++) {
		rc = target_open(targets->target[i], access, destroy->word, destroy->nr, err);
		if (rc == 0 && passthrough)
			rc = target_open_passthrough(targets->target[i], err);
	}
	return rc;
}

int targets_check_passthrough(const struct targets *targets, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < targets->nr; i++)
		rc = target_check_passthrough(targets->target[i], err);
	return rc;
}

void targets_close(struct targets *targets)
{
	for (size_t i = 0; i < targets->nr; i++)
		target_close(targets->target[i]);
	free(targets->target);
	free(targets->facts);
	*targets = (struct targets){0};
}
