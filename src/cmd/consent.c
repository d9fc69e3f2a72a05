// SPDX-License-Identifier: MIT
#include "consent.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ssdbench/units.h"

#define STOP_CHECK_MS 200

static bool names(const char *word, const struct target *target)
{
	const struct drive_facts *facts = target_facts(target);
	const char *wanted = target_consent_word(target);

	if (wanted && strcmp(word, wanted) == 0)
		return true;
	return !facts->serial && facts->word && strcmp(word, facts->word) == 0;
}

int consent_check(const struct targets *targets, const struct words *destroy, struct error *err)
{
	for (size_t i = 0; i < destroy->nr; i++) {
		size_t k = 0;

		while (k < targets->nr && !names(destroy->word[i], targets->target[k]))
			k++;
		if (k == targets->nr)
			return error_usage(err,
					   "--destroy %s: none of the targets has this serial "
					   "number, or this path where it has none",
					   destroy->word[i]);
	}
	return 0;
}

static bool is_agreed(const struct target *target, const struct words *destroy)
{
	for (size_t i = 0; i < destroy->nr; i++) {
		if (names(destroy->word[i], target))
			return true;
	}
	return !target_consent_word(target);
}

/* A line of stdin without its end. A signal ends the wait, which read() alone would not. */
static int read_answer(char *line, int size, const atomic_int *stop)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	while (poll(&in, 1, STOP_CHECK_MS) <= 0) {
		if (atomic_load(stop)) {
			fputc('\n', stderr);
			return -EINTR;
		}
	}
	if (!fgets(line, size, stdin))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

static void print_question(const struct drive_facts *facts, const char *wanted)
{
	char capacity[UNITS_TEXT_MAX];

	fprintf(stderr, "All data on %s (%s%s%s) will be destroyed.\nType its %s, %s, to go on: ",
		facts->word, facts->model ? facts->model : "", facts->model ? ", " : "",
		capacity_human(facts->capacity_bytes, capacity),
		facts->serial ? "serial number" : "path", wanted);
	fflush(stderr);
}

static int ask(const struct target *target, struct words *destroy, const atomic_int *stop,
	       struct error *err)
{
	const char *wanted = target_consent_word(target);
	char answer[256];
	int rc;

	print_question(target_facts(target), wanted);
	rc = read_answer(answer, sizeof(answer), stop);
	if (rc)
		return rc;
	if (strcmp(answer, wanted) != 0)
		return error_refuse(err, "%s: not agreed to, nothing was written",
				    target_facts(target)->word);
	return words_add(destroy, wanted, err);
}

int consent_ask(const struct targets *targets, struct words *destroy, const atomic_int *stop,
		struct error *err)
{
	int rc = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return 0;
	for (size_t i = 0; rc == 0 && i < targets->nr; i++) {
		if (!is_agreed(targets->target[i], destroy))
			rc = ask(targets->target[i], destroy, stop, err);
	}
	return rc;
}
