/* SPDX-License-Identifier: MIT */
/*
 * For check-static alone, which includes it before each file. The analyzer sees one file at a time
 * and would have to think that error_set() may return 0; this tells it what the three promise.
 */
#include <errno.h>

#include "ssdbench/error.h"

#define error_set(err, code, ...) ((error_set)(err, code, __VA_ARGS__), (code))
#define error_usage(...)          ((error_usage)(__VA_ARGS__), -EINVAL)
#define error_refuse(...)         ((error_refuse)(__VA_ARGS__), -EPERM)
