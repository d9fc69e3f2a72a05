// SPDX-License-Identifier: MIT
/* What becomes of io_uring where a sandbox refuses it: each case in a child with a seccomp filter. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/choose.h"

#define CANNOT_FILTER 77

/* io_uring_setup answers @error from here on; false: no filter can be set. */
static bool refuse_io_uring(unsigned int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = sizeof(code) / sizeof(code[0]), .filter = code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* In the child: 0 where all is as it must be, else the number of the check that failed. */
static int check_refused(unsigned int error)
{
	struct engine_config config = {.kind = ENGINE_AUTO};
	struct choice choice;
	struct error err = {0};

	if (!refuse_io_uring(error))
		return CANNOT_FILTER;
	if (choose_engine(&choice, &config, 32, true, &err) != 0)
		return 1;
	if (choice.ops != &ring_aio)
		return 2;
	if (!strstr(choice.reason, "io_uring cannot be used: blocked (seccomp or container)"))
		return 3;
	config.kind = ENGINE_IO_URING;
	if (choose_engine(&choice, &config, 32, true, &err) != -(int)error)
		return 4;
	if (err.kind != ERROR_HARNESS || !strstr(err.text, "io_uring cannot be used: blocked"))
		return 5;
	config.kind = ENGINE_AUTO;
	config.iopoll = true;
	error_clear(&err);
	if (choose_engine(&choice, &config, 32, true, &err) != -(int)error)
		return 6;
	return 0;
}

static int in_child(int (*check)(unsigned int), unsigned int argument)
{
	const pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(check(argument));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_blocked_io_uring_falls_back_and_is_an_error_when_asked_for(void **state)
{
	static const unsigned int answers[] = {EPERM, ENOSYS, EACCES};

	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		const int status = in_child(check_refused, answers[i]);

		if (status == CANNOT_FILTER)
			skip();
		assert_int_equal(status, 0);
	}
}

static int check_sysctl(unsigned int value)
{
	char root[] = "/tmp/ssdbench-proc-XXXXXX";
	char path[256], expected[64], why[160];
	FILE *file;
	int rc;

	if (!mkdtemp(root))
		return 1;
	snprintf(path, sizeof(path), "mkdir -p %s/sys/kernel", root);
	if (system(path) != 0)
		return 2;
	snprintf(path, sizeof(path), "%s/sys/kernel/io_uring_disabled", root);
	file = fopen(path, "w");
	if (!file)
		return 3;
	fprintf(file, "%u\n", value);
	fclose(file);
	if (!refuse_io_uring(EPERM))
		return CANNOT_FILTER;
	rc = engine_probe_uring(root, why, sizeof(why));
	snprintf(path, sizeof(path), "rm -r %s", root);
	if (system(path) != 0)
		return 4;
	snprintf(expected, sizeof(expected), "kernel.io_uring_disabled is %u", value);
	return rc == -EPERM && strstr(why, expected) ? 0 : 5;
}

static void the_sysctl_is_named_where_it_is_the_cause(void **state)
{
	(void)state;
	for (unsigned int value = 1; value <= 2; value++) {
		const int status = in_child(check_sysctl, value);

		if (status == CANNOT_FILTER)
			skip();
		assert_int_equal(status, 0);
	}
}

static void depth_1_is_sync_and_a_null_target_is_null(void **state)
{
	struct engine_config config = {.kind = ENGINE_AUTO};
	struct choice choice;
	struct error err = {0};

	(void)state;
	assert_int_equal(choose_engine(&choice, &config, 1, true, &err), 0);
	assert_ptr_equal(choice.ops, &ring_sync);
	assert_int_equal(choose_engine(&choice, &config, 1, false, &err), 0);
	assert_ptr_equal(choice.ops, &ring_null);
	assert_string_equal(choice.reason, "");
	config.kind = ENGINE_LIBAIO;
	assert_int_equal(choose_engine(&choice, &config, 1, true, &err), 0);
	assert_ptr_equal(choice.ops, &ring_aio);
	assert_string_equal(choice.reason, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blocked_io_uring_falls_back_and_is_an_error_when_asked_for),
		cmocka_unit_test(the_sysctl_is_named_where_it_is_the_cause),
		cmocka_unit_test(depth_1_is_sync_and_a_null_target_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
