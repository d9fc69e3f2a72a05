/* SPDX-License-Identifier: MIT */
/*
 * A run without drives: plans made by hand, an engine and targets that do as the test says. The linker puts them in
 * the place of the real ones (--wrap), so what is tested is what users run.
 */
#ifndef SSDBENCH_TESTS_RUN_FIXTURE_H
#define SSDBENCH_TESTS_RUN_FIXTURE_H

#include "ssdbench/run.h"

#define FIXTURE_DRIVES 8
#define FIXTURE_STEPS  8

/* What the fake engine does in a step; fixture_engine_ok() unless the test says else. */
typedef int fake_engine(struct engine_result *result, const struct step *step, size_t nr,
			const struct engine_hooks *hooks, struct error *err);

struct target {
	struct drive_facts facts;
	int recheck, flush; /* what target_recheck() and target_flush() answer */
	unsigned int rechecks, flushes;
	bool has_health; /* else target_health() refuses: not an NVMe drive */
	struct drive_health health;
	unsigned int healths;        /* calls so far */
	struct purge_outcome purged; /* what target_purge() leaves, and answers: */
	int purge;                   /* negative errno, -EPERM as a refusal */
	unsigned int purges;
	size_t purged_with; /* targets that its last request named */
};

struct fixture {
	struct profile profile;
	struct size_mix mix;
	struct plan plan;
	struct step step[FIXTURE_STEPS];
	struct step_drive on[FIXTURE_STEPS][FIXTURE_DRIVES];
	uint64_t bytes[FIXTURE_DRIVES];
	struct target target[FIXTURE_DRIVES];
	struct target *targets[FIXTURE_DRIVES];
	const struct drive_facts *facts[FIXTURE_DRIVES];
	struct run_listener listener;
	struct run_config config;
	atomic_int stop;
	char root[64]; /* a temporary directory; the run's own is "run" in it */
	char directory[96];

	fake_engine *engine;
	int check;              /* what engine_check() answers */
	unsigned int nr_engine; /* calls so far */

	char warnings[4096]; /* told to the listener, one a line */
	unsigned int begun, ended;
	uint64_t last_left_ns;
	double last_fraction;
};

/* The fixture that the fakes look at; set by fixture_init(). */
extern struct fixture *fixture;

/* A plan of @nr_steps measure steps (4 KiB random reads of 1 s) on @nr_drives drives. */
void fixture_init(struct fixture *f, size_t nr_steps, size_t nr_drives);
void fixture_fini(struct fixture *f);

/* Make step @index a fill of the whole drive. */
void fixture_make_fill(struct fixture *f, size_t index);

/* Make step @index a purge that every drive succeeds in, by format. */
void fixture_make_purge(struct fixture *f, size_t index);

/* Fills in a result of @nr drives on which nothing happened; as the real one, its memory is the result's. */
void fixture_result_init(struct engine_result *result, const struct step *step, size_t nr);

/* 100 requests of 4 KiB and 1 ms on each drive, one sample per drive. */
int fixture_engine_ok(struct engine_result *result, const struct step *step, size_t nr,
		      const struct engine_hooks *hooks, struct error *err);

/* run_execute(), which must succeed. */
void fixture_run(struct fixture *f, struct run_outcome *outcome);

/* The text of a file; the caller frees. Fails the test where it cannot be read. */
char *read_whole_file(const char *path);

/* Fails the test unless docs/schema/result.schema.json holds for the document at @path. Without
 * python3-jsonschema it does nothing. */
void assert_valid_result(const char *path);

/* A tmpfs of @bytes at @path, which is made; false: not allowed here, the test is to be skipped. */
bool mount_small(const char *path, unsigned int bytes);
void unmount_small(const char *path);

#endif
