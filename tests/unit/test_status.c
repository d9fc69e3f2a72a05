// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <signal.h>

#include "cmd/status.h"

static void each_kind_of_error_has_its_status(void **state)
{
	struct error usage = {0}, refused = {0}, harness = {0};
	const struct error silent = {0};

	(void)state;
	error_usage(&usage, "wrong");
	error_refuse(&refused, "in use");
	error_set(&harness, -ENOMEM, "no memory");
	assert_int_equal(status_of_error(&usage), 2);
	assert_int_equal(status_of_error(&refused), 3);
	assert_int_equal(status_of_error(&harness), 4);
	assert_int_equal(status_of_error(&silent), 4);
}

static void the_worst_news_of_a_run_decides(void **state)
{
	static const struct {
		struct run_outcome outcome;
		int signal, status;
	} cases[] = {
		{{.saved = true}, 0, 0},
		/* a signal after the last step changes nothing */
		{{.saved = true}, SIGINT, 0},
		{{.saved = true, .gates_broken = 1}, 0, 1},
		{{.saved = true, .misbehaved = true}, 0, 1},
		{{.saved = true, .step_skipped = true}, 0, 1},
		{{.saved = true, .interrupted = true}, SIGINT, 130},
		{{.saved = true, .interrupted = true, .misbehaved = true, .gates_broken = 3},
		 SIGTERM,
		 143},
		{{.saved = true, .interrupted = true}, SIGHUP, 129},
		{{.saved = true, .step_failed = true}, 0, 4},
		{{.saved = true, .step_failed = true, .misbehaved = true}, 0, 4},
		{{.saved = true, .step_failed = true, .interrupted = true}, SIGINT, 4},
		{{.saved = false}, 0, 4},
		{{.saved = false, .interrupted = true}, SIGINT, 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(status_of_outcome(&cases[i].outcome, cases[i].signal),
				 cases[i].status);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_error_has_its_status),
		cmocka_unit_test(the_worst_news_of_a_run_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
