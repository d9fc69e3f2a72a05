// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/engine_internal.h"
#include "engine/limits.h"
#include "engine_fixture.h"

static const struct limits plenty = {
	.memory_bytes = LIMIT_UNKNOWN,
	.cgroup_memory_bytes = LIMIT_UNKNOWN,
	.cgroup_tasks = LIMIT_UNKNOWN,
	.threads = LIMIT_UNKNOWN,
	.open_files = LIMIT_UNKNOWN,
	.aio_max = LIMIT_UNKNOWN,
};

static void refuses(const struct limits *limits, const struct limits_need *need, int code,
		    const char *text)
{
	struct error err = {0};

	assert_int_equal(limits_check(limits, need, &err), code);
	assert_int_equal(err.kind, ERROR_HARNESS);
	if (!strstr(err.text, text))
		fail_msg("\"%s\" does not say \"%s\"", err.text, text);
}

static void each_limit_is_named_with_both_numbers_and_what_lifts_it(void **state)
{
	struct limits limits = plenty;
	struct limits_need need = {
		.workers = 512, .memory_bytes = GIB(2), .open_files = 2112, .aio_requests = 131072};

	(void)state;
	assert_int_equal(limits_check(&limits, &need, NULL), 0);
	limits.memory_bytes = GIB(1);
	refuses(&limits, &need, -ENOMEM, "2.15 GB of memory are needed, 1.07 GB are available");
	limits = plenty;
	limits.cgroup_memory_bytes = GIB(1);
	refuses(&limits, &need, -ENOMEM, "the memory limit of this cgroup leaves 1.07 GB");
	limits = plenty;
	limits.threads = 100;
	refuses(&limits, &need, -EAGAIN,
		"512 threads are needed, kernel.threads-max is 100: sysctl");
	limits = plenty;
	limits.cgroup_tasks = 100;
	refuses(&limits, &need, -EAGAIN, "leaves 100: raise pids.max");
	limits = plenty;
	limits.open_files = 1024;
	refuses(&limits, &need, -EMFILE,
		"2112 open files are needed, the limit is 1024: ulimit -n 2112");
	limits = plenty;
	limits.aio_max = 65536;
	limits.aio_used = 1000;
	refuses(&limits, &need, -EAGAIN,
		"room for 131072 requests, 64536 are left (fs.aio-max-nr 65536, in use 1000): "
		"sysctl -w fs.aio-max-nr=132072");
	need.aio_requests = 64536;
	assert_int_equal(limits_check(&limits, &need, NULL), 0);
}

/* A tree of proc and cgroup files in a temporary directory. */
struct tree {
	char root[64], proc[96], cgroup[96];
};

static void put(const struct tree *tree, const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", tree->root, path);
	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void make_tree(struct tree *tree)
{
	strcpy(tree->root, "/tmp/ssdbench-limits-XXXXXX");
	assert_non_null(mkdtemp(tree->root));
	snprintf(tree->proc, sizeof(tree->proc), "%s/proc", tree->root);
	snprintf(tree->cgroup, sizeof(tree->cgroup), "%s/cgroup", tree->root);
}

static void remove_tree(const struct tree *tree)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", tree->root);
	assert_int_equal(system(command), 0);
}

static void limits_are_read_from_cgroup_version_2_and_its_ancestors(void **state)
{
	struct limits limits;
	struct tree tree;

	(void)state;
	make_tree(&tree);
	put(&tree, "proc/meminfo", "MemTotal: 900 kB\nMemFree: 1 kB\nMemAvailable:  512 kB\n");
	put(&tree, "proc/self/cgroup", "0::/a/b\n");
	put(&tree, "proc/sys/kernel/threads-max", "1234\n");
	put(&tree, "proc/sys/fs/aio-max-nr", "65536\n");
	put(&tree, "proc/sys/fs/aio-nr", "12\n");
	put(&tree, "cgroup/a/b/memory.max", "max\n");
	put(&tree, "cgroup/a/b/memory.current", "1000\n");
	put(&tree, "cgroup/a/memory.max", "100000\n");
	put(&tree, "cgroup/a/memory.current", "60000\n");
	put(&tree, "cgroup/a/memory.stat", "anon 1\nfile 20000\n");
	put(&tree, "cgroup/a/b/pids.max", "100\n");
	put(&tree, "cgroup/a/b/pids.current", "30\n");
	limits_read(&limits, tree.proc, tree.cgroup);
	assert_int_equal(limits.memory_bytes, 512 * 1024);
	assert_int_equal(limits.cgroup_memory_bytes, 60000);
	assert_int_equal(limits.cgroup_tasks, 70);
	assert_int_equal(limits.threads, 1234);
	assert_int_equal(limits.aio_max, 65536);
	assert_int_equal(limits.aio_used, 12);
	remove_tree(&tree);
}

static void limits_are_read_from_cgroup_version_1(void **state)
{
	struct limits limits;
	struct tree tree;

	(void)state;
	make_tree(&tree);
	put(&tree, "proc/self/cgroup", "8:pids:/\n4:memory:/jobs/one\n0::/\n");
	put(&tree, "cgroup/memory/jobs/one/memory.limit_in_bytes", "9223372036854771712\n");
	put(&tree, "cgroup/memory/jobs/one/memory.usage_in_bytes", "5\n");
	put(&tree, "cgroup/memory/jobs/memory.limit_in_bytes", "1000000\n");
	put(&tree, "cgroup/memory/jobs/memory.usage_in_bytes", "400000\n");
	put(&tree, "cgroup/memory/jobs/memory.stat", "cache 1\ntotal_cache 100000\n");
	put(&tree, "cgroup/pids/pids.max", "max\n");
	limits_read(&limits, tree.proc, tree.cgroup);
	assert_int_equal(limits.cgroup_memory_bytes, 700000);
	assert_int_equal(limits.cgroup_tasks, LIMIT_UNKNOWN);
	assert_int_equal(limits.memory_bytes, LIMIT_UNKNOWN);
	remove_tree(&tree);
}

/* A plan of one step on one drive. */
struct plan_of_one {
	struct mix mix;
	struct step step;
	struct step_drive drive;
	struct plan plan;
};

static void make_plan(struct plan_of_one *p, uint64_t request, uint32_t numjobs, uint32_t iodepth)
{
	memset(p, 0, sizeof(*p));
	mix_single(&p->mix, request);
	p->step = step_of(&p->mix, ORDER_RANDOM);
	p->step.kind = PHASE_MEASURE;
	p->step.runtime_ns = 1;
	p->step.numjobs = numjobs;
	p->step.iodepth = iodepth;
	p->step.drive = &p->drive;
	p->drive.span.bytes = TIB(1);
	p->plan = (struct plan){.nr_drives = 1, .step = &p->step, .nr_steps = 1};
}

static void a_plan_is_checked_before_it_runs(void **state)
{
	struct engine_config config = {.kind = ENGINE_LIBAIO};
	struct plan_of_one p;
	struct error err = {0};
	struct tree tree;

	(void)state;
	make_tree(&tree);
	put(&tree, "proc/sys/fs/aio-max-nr", "65536\n");
	put(&tree, "proc/sys/fs/aio-nr", "0\n");
	make_plan(&p, KIB(4), 128, 1024);
	config.memory_bytes = GIB(1);
	assert_int_equal(engine_check_at(tree.proc, tree.cgroup, &config, &p.plan, &err), -EAGAIN);
	assert_non_null(strstr(err.text, "131072"));
	error_clear(&err);
	p.step.iodepth = 512;
	assert_int_equal(engine_check_at(tree.proc, tree.cgroup, &config, &p.plan, &err), 0);
	put(&tree, "proc/meminfo", "MemAvailable: 65536 kB\n");
	assert_int_equal(engine_check_at(tree.proc, tree.cgroup, &config, &p.plan, &err), -ENOMEM);
	assert_non_null(strstr(err.text, "MemAvailable"));
	error_clear(&err);
	/* A step that no drive runs needs nothing. */
	p.drive.skip = (char *)"not here";
	assert_int_equal(engine_check_at(tree.proc, tree.cgroup, &config, &p.plan, &err), 0);
	remove_tree(&tree);
}

static void a_bound_below_the_smallest_buffers_is_refused(void **state)
{
	struct engine_config config = {.kind = ENGINE_SYNC, .memory_bytes = MIB(16)};
	struct plan_of_one p;
	struct error err = {0};

	(void)state;
	make_plan(&p, GIB(1), 4, 10);
	assert_int_equal(engine_check(&config, &p.plan, &err), -ENOMEM);
	assert_string_equal(err.text, "test step: buffers need at least 40MiB, the bound is 16MiB: "
				      "raise --memory or lower iodepth or numjobs");
}

static void cpus_outside_the_allowed_set_are_named(void **state)
{
	static const unsigned int cpus[] = {5000, 1030};
	struct engine_config config = {.kind = ENGINE_SYNC, .cpus = cpus, .nr_cpus = 2};
	struct plan_of_one p;
	struct error err = {0};

	(void)state;
	make_plan(&p, KIB(4), 1, 1);
	assert_int_equal(engine_check(&config, &p.plan, &err), -EINVAL);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "CPUs 5000,1030 are not among"));
}

static void polling_without_io_uring_is_a_usage_error(void **state)
{
	struct engine_config config = {.kind = ENGINE_SYNC, .iopoll = true};
	struct plan_of_one p;
	struct error err = {0};

	(void)state;
	make_plan(&p, KIB(4), 1, 1);
	assert_int_equal(engine_check(&config, &p.plan, &err), -EINVAL);
	assert_int_equal(err.kind, ERROR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_limit_is_named_with_both_numbers_and_what_lifts_it),
		cmocka_unit_test(limits_are_read_from_cgroup_version_2_and_its_ancestors),
		cmocka_unit_test(limits_are_read_from_cgroup_version_1),
		cmocka_unit_test(a_plan_is_checked_before_it_runs),
		cmocka_unit_test(a_bound_below_the_smallest_buffers_is_refused),
		cmocka_unit_test(cpus_outside_the_allowed_set_are_named),
		cmocka_unit_test(polling_without_io_uring_is_a_usage_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
