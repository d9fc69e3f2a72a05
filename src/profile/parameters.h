/* SPDX-License-Identifier: MIT */
/* Parameters: read them, apply --set, and put their values where phases say "$name". */
#ifndef SSDBENCH_PROFILE_PARAMETERS_H
#define SSDBENCH_PROFILE_PARAMETERS_H

#include "reader.h"
#include "ssdbench/profile.h"

struct parameters; /* values as JSON, beside the texts in the profile */

/*
 * Read @value (the object "parameters", NULL: absent) into @profile->parameter and apply
 * @options->set. 0 and *@out set; release it with parameters_free().
 */
int parameters_read(struct reader *r, const struct where *at, const struct json_t *value,
		    const struct profile_options *options, struct profile *profile,
		    struct parameters **out);

/*
 * *@resolved: @phases with each string "$name" replaced by the value; the caller releases it with
 * json_decref(). An unknown name and a parameter that no phase uses are errors.
 */
int parameters_resolve(struct reader *r, const struct where *at, struct parameters *parameters,
		       const struct json_t *phases, struct json_t **resolved);

void parameters_free(struct parameters *parameters);

#endif
