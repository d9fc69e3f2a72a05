/* SPDX-License-Identifier: MIT */
/*
 * What was measured, as plain data, and its JSON. man ssdbench-result(5) documents the document;
 * docs/schema/result.schema.json is its schema. jansson's type is opaque here: only .c files of
 * result/ and run/ include <jansson.h>; value.h has the rules of single values.
 */
#ifndef SSDBENCH_RESULT_H
#define SSDBENCH_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ssdbench/engine.h"
#include "ssdbench/plan.h"
#include "ssdbench/purge.h"
#include "ssdbench/target.h"

#define RESULT_SCHEMA_VERSION 1

struct json_t;

enum step_status {
	STEP_OK,
	STEP_SKIPPED,     /* reason says why; figures are null */
	STEP_FAILED,      /* the harness could not run it; figures are null */
	STEP_ERRORS,      /* ran, but I/Os failed; figures are marked */
	STEP_INTERRUPTED, /* stopped short by a signal; figures cover what was done */
};

enum flag_kind {
	FLAG_UNWRITTEN, /* reads a span that this run has not written */
	FLAG_ERRORS,
	FLAG_INTERRUPTED,
	FLAG_SHORT,           /* the counted window or the fill is not complete */
	FLAG_HOST_LIMITED,    /* a worker above 90 % CPU */
	FLAG_FALLBACK_ENGINE, /* not the first choice of engine */
	FLAG_NOT_A_DEVICE,    /* a file, or memory: no statement about a drive */
	FLAG_CLOCK_DRIFT,     /* the TSC and CLOCK_MONOTONIC disagree by more than 0.1 % */
	FLAG_THROTTLED,       /* the drive grew too hot and slowed down, by its own word */
	FLAG_NOT_PURGED,      /* a purge before it failed: the drive may hold anything */
	FLAGS,
};

struct flag {
	enum flag_kind kind;
	char evidence[200];
};

/* Figures of one direction of a row; meaningful only where ios > 0. */
struct row_figures {
	uint64_t ios, bytes;
	double iops, bandwidth; /* per second; bandwidth in bytes */
	double latency_mean_ns, latency_stddev_ns;
	uint64_t latency_min_ns, latency_max_ns;
	uint64_t latency_p50_ns, latency_p99_ns, latency_p99_9_ns, latency_p99_99_ns;
};

/* A line of the table: a step on one drive, or its total over the drives (drive = ROW_TOTAL; only where
 * there are two drives or more). All fields of a row have this one scope. */
#define ROW_TOTAL UINT32_MAX
struct row {
	const struct step *step; /* borrowed from the plan */
	uint32_t drive;
	enum step_status status;
	char reason[256];
	struct row_figures dir[DIRECTIONS];
	uint64_t
		latency_p99_ns; /* of reads and writes together, for gates; 0 where there was no I/O */
	uint64_t errors;        /* failed I/Os */
	uint64_t counted_ns;    /* 0: nothing ran */
	struct flag flag[FLAGS];
	uint32_t nr_flags;
	enum purge_method purge; /* of one drive: how it was purged; PURGE_NONE: no purge */
	uint64_t purge_ns;
};

/* What became of a purge on one drive. */
struct step_purge {
	enum step_status
		status; /* STEP_ERRORS: the drive failed; STEP_FAILED: not purged for another reason */
	char reason[256];
	struct purge_outcome outcome;
};

/* What happened to a step. */
struct step_outcome {
	const struct step *step;
	enum step_status status;
	char reason[256];
	enum engine_kind asked;                  /* the engine that the user asked for */
	const struct engine_result *engine;      /* NULL where it did not run; borrowed */
	const struct drive_facts *const *drives; /* borrowed */
	size_t nr_drives;
	/* Per drive: why what it reads was not written after all (a fill that failed), else NULL.
	 * NULL: known of no drive. Borrowed. Adds to step_drive.unwritten. */
	const char *const *unwritten;
	/* Per drive: by what its health shows that it throttled (health_throttled()), else NULL. NULL: not
	 * known of any. Borrowed. */
	const char *const *throttled;
	/* Per drive, of a PHASE_PURGE that was begun; else NULL. Borrowed. */
	const struct step_purge *purge;
	/* Per drive: which purge before it failed, else NULL. NULL: none did. Borrowed. */
	const char *const *not_purged;
};

/* Fill @row from an outcome for one drive, or for ROW_TOTAL (histograms are merged). */
void row_build(struct row *row, const struct step_outcome *outcome, uint32_t drive);

/* The figures of one direction over @ns of counted time. All zero where there was no I/O. */
void row_figures_build(struct row_figures *figures, const struct io_totals *totals, uint64_t ns);

/* Does @row hold @gate? A row without figures (skipped, failed) breaks every gate but is told apart:
 * 1 holds, 0 broken, -1 no figure. @value is set to what was found for 1 and 0. */
int gate_check(const struct gate *gate, const struct row *row, double *value);

/*
 * Has a drive throttled between the readings @before and @now, or is it as hot as its warning temperature @warning_c
 * (TEMPERATURE_UNKNOWN: not told)? True with the @evidence.
 */
bool health_throttled(const struct drive_health *before, const struct drive_health *now,
		      int32_t warning_c, char *evidence, size_t size);

/* The host as far as it bears on figures; strings NULL where unknown. */
struct host_facts {
	char *hostname, *kernel, *kernel_command_line, *cpu_model, *governor, *virtualisation;
	char *clocksource, *mitigations;
	char *idle_governor, *pcie_aspm_policy;
	uint64_t capabilities; /* effective ones, bits of capabilities(7); 0 also where unknown */
	uint32_t cpus_online, cpus_allowed;
	char *cpus_allowed_list;
	uint64_t memory_bytes, memory_available_bytes;
	uint64_t memlock_bytes; /* UINT64_MAX: unlimited */
	uint64_t nofile;
	uint64_t aio_max_nr, aio_nr;
	int io_uring_disabled; /* sysctl; -1 where it does not exist */
	struct fact_gap *gap;
	size_t nr_gaps;
};
/* Reads below @roots; never fails, what cannot be read is a gap. Release with host_facts_fini(). */
void host_facts_read(struct host_facts *host, const struct target_roots *roots);
void host_facts_fini(struct host_facts *host);

/* JSON of the parts; each returns a new reference that the caller releases with json_decref(), NULL when
 * out of memory. Keys and units: ssdbench-result(5). */
struct json_t *result_host_json(const struct host_facts *host);
struct json_t *result_drive_json(const struct drive_facts *facts);
/* A reading of a drive's health. */
struct json_t *result_health_json(const struct drive_health *health);
/* What grew from the reading @before to @after, both as JSON; null where either is null. */
struct json_t *result_health_change_json(const struct json_t *before, const struct json_t *after);
/* A reading in the series of a run is an array; the columns name its members. @step: its index, or null. */
struct json_t *result_health_columns_json(void);
struct json_t *result_health_row_json(const struct json_t *step, const struct json_t *reading);
struct json_t *result_step_json(const struct step_outcome *outcome);
/* A sample is an array; the columns name its members. */
struct json_t *result_sample_json(const struct sample *sample);
struct json_t *result_sample_columns_json(void);

const char *step_status_name(enum step_status status); /* "ok", "skipped", ... */
const char *flag_name(enum flag_kind kind);            /* "unwritten", ... */

#endif
