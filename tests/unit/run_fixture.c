// SPDX-License-Identifier: MIT
#include "test.h"

#include "run_fixture.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define CAPACITY (64ULL << 20)

struct fixture *fixture;

/* The names are the linker's. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __wrap_engine_check(const struct engine_config *config, const struct plan *plan,
			struct error *err);
int __wrap_engine_run(struct engine_result *result, const struct engine_config *config,
		      const struct step *step, const struct engine_drive *drives, size_t nr,
		      const struct engine_hooks *hooks, struct error *err);
void __wrap_engine_result_fini(struct engine_result *result);
const struct drive_facts *__wrap_target_facts(const struct target *target);
int __wrap_target_recheck(struct target *target, struct error *err);
int __wrap_target_fd(const struct target *target);
const struct passthrough *__wrap_target_passthrough(const struct target *target);
uint32_t __wrap_target_offset_alignment(const struct target *target);
int __wrap_target_flush(struct target *target);
int __wrap_target_health(struct target *target, struct drive_health *health, struct error *err);
int __wrap_target_purge(struct target *target, const struct purge_request *request,
			struct purge_outcome *outcome, struct error *err);
char *__wrap_profile_to_text(const struct profile *profile);

int __wrap_engine_check(const struct engine_config *config, const struct plan *plan,
			struct error *err)
{
	(void)config;
	(void)plan;
	return fixture->check < 0 ? error_set(err, fixture->check, "no CPUs left") : 0;
}

int __wrap_engine_run(struct engine_result *result, const struct engine_config *config,
		      const struct step *step, const struct engine_drive *drives, size_t nr,
		      const struct engine_hooks *hooks, struct error *err)
{
	(void)config;
	(void)drives;
	fixture->nr_engine++;
	return fixture->engine(result, step, nr, hooks, err);
}

void __wrap_engine_result_fini(struct engine_result *result)
{
	free(result->drive);
	result->drive = NULL;
}

const struct drive_facts *__wrap_target_facts(const struct target *target)
{
	return &target->facts;
}

int __wrap_target_recheck(struct target *target, struct error *err)
{
	target->rechecks++;
	return target->recheck < 0 ? error_refuse(err, "%s is mounted now", target->facts.name) : 0;
}

int __wrap_target_fd(const struct target *target)
{
	(void)target;
	return -1;
}

const struct passthrough *__wrap_target_passthrough(const struct target *target)
{
	(void)target;
	return NULL;
}

uint32_t __wrap_target_offset_alignment(const struct target *target)
{
	(void)target;
	return 512;
}

int __wrap_target_flush(struct target *target)
{
	target->flushes++;
	return target->flush;
}

int __wrap_target_health(struct target *target, struct drive_health *health, struct error *err)
{
	target->healths++;
	if (!target->has_health)
		return error_set(err, -ENOTSUP, "not an NVMe drive");
	*health = target->health;
	return 0;
}

int __wrap_target_purge(struct target *target, const struct purge_request *request,
			struct purge_outcome *outcome, struct error *err)
{
	target->purges++;
	target->purged_with = request->nr_targets;
	*outcome = target->purged;
	request->progress(request->context, 0.5);
	if (target->purge == -EPERM)
		return error_refuse(err, "%s: would reach others", target->facts.name);
	return target->purge ? error_set(err, target->purge, "%s: no purge", target->facts.name)
			     : 0;
}

char *__wrap_profile_to_text(const struct profile *profile)
{
	char *text = NULL;

	return asprintf(&text, "{\"name\": \"%s\", \"phases\": []}", profile->name) < 0 ? NULL
											: text;
}

/* NOLINTEND(bugprone-reserved-identifier) */

static void on_begin(void *context, const struct step *step, const struct plan *plan)
{
	struct fixture *f = context;

	(void)step;
	(void)plan;
	f->begun++;
}

static void on_end(void *context, const struct row *rows, size_t nr)
{
	struct fixture *f = context;

	(void)rows;
	assert_true(nr > 0);
	f->ended++;
}

static void on_progress(void *context, const struct step *step, uint64_t bytes, uint64_t elapsed_ns,
			uint64_t left_ns)
{
	struct fixture *f = context;

	(void)step;
	(void)bytes;
	(void)elapsed_ns;
	f->last_left_ns = left_ns;
}

static void on_purge(void *context, const struct step *step, const char *drive, double fraction)
{
	struct fixture *f = context;

	(void)step;
	(void)drive;
	f->last_fraction = fraction;
}

static void on_warning(void *context, const char *text)
{
	struct fixture *f = context;
	const size_t length = strlen(f->warnings);

	snprintf(f->warnings + length, sizeof(f->warnings) - length, "%s\n", text);
}

static void init_drive(struct fixture *f, size_t index)
{
	static char name[FIXTURE_DRIVES][16];
	struct drive_facts *facts = &f->target[index].facts;

	snprintf(name[index], sizeof(name[index]), "nvme%zun1", index);
	*facts = (struct drive_facts){
		.kind = TARGET_BLOCK,
		.word = name[index],
		.name = name[index],
		.capacity_bytes = CAPACITY,
		.logical_block_bytes = 512,
		.numa_node = -1,
	};
	f->targets[index] = &f->target[index];
	f->facts[index] = facts;
}

static void init_step(struct fixture *f, size_t index)
{
	static char label[] = "randread 4KiB iodepth=1 numjobs=1";
	struct step *step = &f->step[index];

	*step = (struct step){
		.index = (unsigned int)index,
		.phase = (unsigned int)index,
		.phase_name = "rows",
		.kind = PHASE_MEASURE,
		.label = label,
		.rw = RW_RANDREAD,
		.read_percent = 100,
		.order = ORDER_RANDOM,
		.mix = &f->mix,
		.align = 4096,
		.iodepth = 1,
		.numjobs = 1,
		.runtime_ns = NSEC_PER_SEC,
		.drive = f->on[index],
		.estimate_ns = NSEC_PER_SEC,
	};
	for (size_t i = 0; i < FIXTURE_DRIVES; i++)
		f->on[index][i].span.bytes = CAPACITY;
}

static void init_config(struct fixture *f, size_t nr_drives)
{
	static const char *const words[] = {"ssdbench", "run", "rows", "nvme0n1"};

	f->listener = (struct run_listener){
		.context = f,
		.step_begin = on_begin,
		.progress = on_progress,
		.purge = on_purge,
		.step_end = on_end,
		.warning = on_warning,
	};
	f->config = (struct run_config){
		.profile = &f->profile,
		.plan = &f->plan,
		.targets = f->targets,
		.nr_targets = nr_drives,
		.engine = {.seed = 18446744073709551615ULL, .stop = &f->stop},
		.roots = &target_roots_default,
		.directory = f->directory,
		.argv = words,
		.argc = sizeof(words) / sizeof(words[0]),
		.listener = &f->listener,
	};
}

void fixture_init(struct fixture *f, size_t nr_steps, size_t nr_drives)
{
	static char name[] = "rows", title[] = "Rows of a test";

	memset(f, 0, sizeof(*f));
	fixture = f;
	f->engine = fixture_engine_ok;
	f->profile = (struct profile){.name = name, .title = title, .hash = "0123456789abcdef"};
	f->mix.nr = 1;
	f->mix.entry = calloc(1, sizeof(*f->mix.entry));
	assert_non_null(f->mix.entry);
	f->mix.entry[0].bytes = 4096;
	f->mix.entry[0].basis_points = 10000;
	for (size_t i = 0; i < nr_drives; i++)
		init_drive(f, i);
	for (size_t i = 0; i < nr_steps; i++)
		init_step(f, i);
	f->plan = (struct plan){
		.profile = &f->profile,
		.nr_drives = nr_drives,
		.step = f->step,
		.nr_steps = nr_steps,
		.read_bytes = f->bytes,
		.write_bytes = f->bytes,
	};
	strcpy(f->root, "/var/tmp/ssdbench-test-XXXXXX");
	assert_non_null(mkdtemp(f->root));
	snprintf(f->directory, sizeof(f->directory), "%s/run", f->root);
	init_config(f, nr_drives);
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

void fixture_fini(struct fixture *f)
{
	(void)nftw(f->root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	free(f->mix.entry);
	fixture = NULL;
}

void fixture_make_fill(struct fixture *f, size_t index)
{
	struct step *step = &f->step[index];

	step->kind = PHASE_FILL;
	step->rw = RW_WRITE;
	step->read_percent = 0;
	step->order = ORDER_SEQUENTIAL;
	step->passes = 1;
	step->runtime_ns = 0;
	for (size_t i = 0; i < f->plan.nr_drives; i++)
		step->drive[i].write_bytes = CAPACITY;
}

void fixture_make_purge(struct fixture *f, size_t index)
{
	static char label[] = "purge auto";
	struct step *step = &f->step[index];

	*step = (struct step){
		.index = (unsigned int)index,
		.phase = (unsigned int)index,
		.phase_name = "purge",
		.kind = PHASE_PURGE,
		.label = label,
		.purge = PURGE_AUTO,
		.drive = step->drive,
	};
	for (size_t i = 0; i < f->plan.nr_drives; i++)
		f->target[i].purged = (struct purge_outcome){.used = PURGE_FORMAT,
							     .duration_ns = 3 * NSEC_PER_SEC};
}

void fixture_result_init(struct engine_result *result, const struct step *step, size_t nr)
{
	*result = (struct engine_result){
		.used = ENGINE_SYNC,
		.clock = "clock_monotonic",
		.features = "one two",
		.started_realtime_ns = 1796040000123456789ULL,
		.counted_ns = step->runtime_ns ? step->runtime_ns : NSEC_PER_SEC,
		.nr_drives = nr,
		.drive = calloc(nr, sizeof(*result->drive)),
	};
	assert_non_null(result->drive);
	for (size_t i = 0; i < nr; i++) {
		result->drive[i].ran = step->drive[i].skip == NULL;
		result->drive[i].complete = true;
		result->drive[i].counted_ns = result->counted_ns;
		result->drive[i].ended_ns = result->counted_ns;
		for (enum direction dir = 0; dir < DIRECTIONS; dir++)
			histogram_reset(&result->drive[i].dir[dir].latency);
	}
}

int fixture_engine_ok(struct engine_result *result, const struct step *step, size_t nr,
		      const struct engine_hooks *hooks, struct error *err)
{
	const enum direction dir = rw_reads(step->rw) ? DIR_READ : DIR_WRITE;

	(void)err;
	fixture_result_init(result, step, nr);
	for (size_t i = 0; i < nr; i++) {
		struct io_totals *totals = &result->drive[i].dir[dir];
		struct sample sample = {.drive = (uint32_t)i};

		totals->ios = 100;
		totals->bytes = 100 * 4096;
		for (int k = 0; k < 100; k++)
			histogram_add(&totals->latency, NSEC_PER_MSEC);
		result->drive[i].read_bytes = dir == DIR_READ ? totals->bytes : 0;
		result->drive[i].written_bytes = dir == DIR_WRITE ? totals->bytes : 0;
		result->drive[i].mix_count[dir][0] = 100;
		sample.dir[dir].ios = 100;
		sample.dir[dir].bytes = totals->bytes;
		sample.dir[dir].latency_sum_ns = 100 * NSEC_PER_MSEC;
		sample.dir[dir].latency_min_ns = NSEC_PER_MSEC;
		sample.dir[dir].latency_max_ns = NSEC_PER_MSEC;
		sample.dir[dir].latency_p50_ns = NSEC_PER_MSEC;
		sample.dir[dir].latency_p99_ns = NSEC_PER_MSEC;
		hooks->sample(hooks->context, &sample);
	}
	hooks->progress(hooks->context, 100 * 4096, NSEC_PER_SEC);
	return 0;
}

void fixture_run(struct fixture *f, struct run_outcome *outcome)
{
	struct error err = {0};
	const int ret = run_execute(outcome, &f->config, &err);

	if (ret < 0)
		fail_msg("run_execute: %d: %s", ret, err.text);
}

char *read_whole_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		fail_msg("%s: %s", path, strerror(errno));
	assert_true(getdelim(&text, &size, '\0', file) > 0);
	fclose(file);
	return text;
}

void assert_valid_result(const char *path)
{
	char command[1024];

	if (system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0)
		return;
	snprintf(command, sizeof(command), "/usr/bin/python3 -W ignore -m jsonschema -i '%s' '%s'",
		 path, SSDBENCH_SOURCE_DIR "/docs/schema/result.schema.json");
	if (system(command) != 0)
		fail_msg("%s does not match the schema", path);
}

bool mount_small(const char *path, unsigned int bytes)
{
	char options[64];

	assert_true(mkdir(path, 0777) == 0 || errno == EEXIST);
	snprintf(options, sizeof(options), "size=%u", bytes);
	return mount("tmpfs", path, "tmpfs", 0, options) == 0;
}

void unmount_small(const char *path)
{
	assert_int_equal(umount2(path, MNT_DETACH), 0);
}
