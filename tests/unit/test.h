/* SPDX-License-Identifier: MIT */
/* What every unit test includes: cmocka wants these four headers before it. */
#ifndef SSDBENCH_TESTS_TEST_H
#define SSDBENCH_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
