/* SPDX-License-Identifier: MIT */
/* Consent to the loss of all data on a drive: --destroy, or an answer on the terminal. */
#ifndef SSDBENCH_CMD_CONSENT_H
#define SSDBENCH_CMD_CONSENT_H

#include <stdatomic.h>

#include "targets.h"

/* Each word of --destroy must name one of the targets: a wrong one is a mistake about which drive this is. */
int consent_check(const struct targets *targets, const struct words *destroy, struct error *err);

/*
 * Ask for what --destroy does not name, if stdin and stderr are terminals; elsewhere target_open() refuses.
 * Agreed words are added to @destroy, borrowed from @targets. 0; ERROR_REFUSED where another word was
 * typed; -EINTR without words where *@stop was set.
 */
int consent_ask(const struct targets *targets, struct words *destroy, const atomic_int *stop,
		struct error *err);

#endif
