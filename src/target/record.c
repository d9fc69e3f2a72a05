// SPDX-License-Identifier: MIT
/* struct drive_facts as a record: made, given gaps, imagined, released. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller.h"
#include "facts.h"
#include "nvme.h"
#include "text.h"

/* It stands in tables and in the name of the run's directory, and a file may be called anything. */
static char *printable(const char *name)
{
	char *copy = strdup(name);

	for (char *at = copy; at && *at; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	}
	return copy;
}

struct drive_facts *facts_new(enum target_kind kind, const char *word, const char *name)
{
	struct drive_facts *facts = calloc(1, sizeof(*facts));

	if (!facts)
		return NULL;
	facts->kind = kind;
	facts->numa_node = -1;
	facts->word = strdup(word);
	facts->name = printable(name);
	if (!facts->word || !facts->name) {
		drive_facts_free(facts);
		return NULL;
	}
	return facts;
}

int facts_gap(struct drive_facts *facts, const char *key, const char *format, ...)
{
	struct fact_gap *grown = realloc(facts->gap, (facts->nr_gaps + 1) * sizeof(*grown));
	struct fact_gap added = {0};
	va_list args;
	int len;

	if (!grown)
		return -ENOMEM;
	facts->gap = grown;
	va_start(args, format);
	len = vasprintf(&added.reason, format, args);
	va_end(args);
	if (len < 0)
		return -ENOMEM;
	added.key = strdup(key);
	if (!added.key) {
		free(added.reason);
		return -ENOMEM;
	}
	facts->gap[facts->nr_gaps++] = added;
	return 0;
}

const char *facts_gap_reason(const struct drive_facts *facts, const char *key)
{
	for (size_t i = 0; i < facts->nr_gaps; i++)
		if (!strcmp(facts->gap[i].key, key))
			return facts->gap[i].reason;
	return NULL;
}

void facts_gap_remove(struct drive_facts *facts, const char *key)
{
	size_t kept = 0;

	for (size_t i = 0; i < facts->nr_gaps; i++) {
		if (strcmp(facts->gap[i].key, key) != 0) {
			facts->gap[kept++] = facts->gap[i];
			continue;
		}
		free(facts->gap[i].key);
		free(facts->gap[i].reason);
	}
	facts->nr_gaps = kept;
}

int facts_set_text(struct drive_facts *facts, const char *key, char **field, const char *bytes,
		   size_t len, const char *source)
{
	bool changed;
	char *clean = text_clean(bytes, len, &changed), *hex;
	int ret;

	if (!clean)
		return -ENOMEM;
	if (!*clean) {
		free(clean);
		return facts_gap(facts, key, "%s is empty", source);
	}
	*field = clean;
	if (!changed)
		return 0;
	hex = text_hex(bytes, len);
	ret = hex ? facts_gap(facts, key, "not UTF-8; its bytes: %s", hex) : -ENOMEM;
	free(hex);
	return ret;
}

struct drive_facts *drive_facts_imagine(uint64_t capacity_bytes)
{
	static const char *const unknown[] = {"model", "serial",    "firmware",  "wwid",
					      "nsid",  "numa_node", "scheduler", "write_cache"};
	struct drive_facts *facts = facts_new(TARGET_NULL, "", "imagined");

	if (!facts)
		return NULL;
	facts->capacity_bytes = capacity_bytes;
	facts->logical_block_bytes = 512;
	facts->physical_block_bytes = 512;
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		if (facts_gap(facts, unknown[i], "no drive: planned by capacity alone")) {
			drive_facts_free(facts);
			return NULL;
		}
	}
	return facts;
}

void drive_facts_free(struct drive_facts *facts)
{
	if (!facts)
		return;
	for (size_t i = 0; i < facts->nr_gaps; i++) {
		free(facts->gap[i].key);
		free(facts->gap[i].reason);
	}
	free(facts->gap);
	nvme_facts_free(facts->nvme);
	controllers_free(facts->controller, facts->nr_controllers);
	free(facts->word);
	free(facts->path);
	free(facts->name);
	free(facts->disk);
	free(facts->model);
	free(facts->serial);
	free(facts->firmware);
	free(facts->wwid);
	free(facts->filesystem);
	free(facts->scheduler);
	free(facts->write_cache);
	free(facts->zoned);
	free(facts);
}

const char *target_kind_name(enum target_kind kind)
{
	switch (kind) {
	case TARGET_BLOCK: return "block";
	case TARGET_FILE: return "file";
	case TARGET_SCRATCH: return "scratch";
	case TARGET_NULL: return "null";
	}
	return "unknown";
}
