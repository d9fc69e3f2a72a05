/* SPDX-License-Identifier: MIT */
/* Words that name a drive by what it is and not by where it stands: names move between boots. */
#ifndef SSDBENCH_TARGET_SELECT_H
#define SSDBENCH_TARGET_SELECT_H

#include <limits.h>
#include <sys/types.h>

#include "ssdbench/target.h"

enum select_by { SELECT_SERIAL, SELECT_WWID };

/*
 * The one disk of this machine for which @value holds: its serial number, "SERIAL@NSID", or its wwid.
 * @word is for messages. 0 with its @node and @number; else ERROR_USAGE (@value is empty) or
 * ERROR_REFUSED: none, or several, which are listed.
 */
int select_disk(const struct target_roots *roots, enum select_by by, const char *value,
		const char *word, char node[PATH_MAX], dev_t *number, struct error *err);

#endif
