/* SPDX-License-Identifier: MIT */
/*
 * A profile: the text of a workload made into a passive struct. Parsing touches no device. man
 * ssdbench-profile(5) documents the JSON; docs/schema/profile.schema.json is its schema.
 */
#ifndef SSDBENCH_PROFILE_H
#define SSDBENCH_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ssdbench/error.h"

enum phase_kind {
	PHASE_FILL,        /* sequential write of the whole span, `passes` times */
	PHASE_RANDOM_FILL, /* each block of the span written exactly once per pass, in random order */
	PHASE_SATURATE,    /* time-based load, recorded but outside the summary */
	PHASE_MEASURE,     /* time-based rows: the product of its sweeps */
	PHASE_IDLE,        /* nothing, for `runtime` */
	PHASE_PURGE,       /* the whole drive as if nothing had been written to it */
	PHASE_KINDS,
};

/* fio's names: read write randread randwrite rw randrw. */
enum rw { RW_READ, RW_WRITE, RW_RANDREAD, RW_RANDWRITE, RW_RW, RW_RANDRW, RW_KINDS };

/* How a drive is made as one to which nothing was written; nvme-cli's words where it has them. */
enum purge_method {
	PURGE_NONE,               /* not at all */
	PURGE_AUTO,               /* the best that the drive supports */
	PURGE_FORMAT,             /* Format NVM with user data erase */
	PURGE_FORMAT_CRYPTO,      /* Format NVM with cryptographic erase */
	PURGE_SANITIZE,           /* the best Sanitize operation that the drive supports */
	PURGE_SANITIZE_BLOCK,     /* Sanitize, block erase */
	PURGE_SANITIZE_CRYPTO,    /* Sanitize, cryptographic erase */
	PURGE_SANITIZE_OVERWRITE, /* Sanitize, one pass of overwriting */
	PURGE_DISCARD,            /* deallocate all blocks; of a file, give its blocks back */
	PURGE_METHODS,
};

/* What a purge that did not come about means for the rest of the run. */
enum purge_failure {
	PURGE_STOP,     /* it ends */
	PURGE_CONTINUE, /* it goes on, and its rows are marked */
	PURGE_FAILURES,
};

enum axis { AXIS_RW, AXIS_BS, AXIS_NUMJOBS, AXIS_IODEPTH, AXES };

/* What a `when` condition may ask of a drive; all in bytes. */
enum fact { FACT_CAPACITY, FACT_LOGICAL_BLOCK, FACT_INDIRECTION_UNIT, FACTS };

enum comparison { CMP_LT, CMP_LE, CMP_EQ, CMP_NE, CMP_GE, CMP_GT, COMPARISONS };

struct condition {
	enum fact fact;
	enum comparison comparison;
	uint64_t value; /* bytes */
};

/* What a gate may look at; of a row's total over its drives. */
enum metric {
	METRIC_IOPS,         /* I/Os per second */
	METRIC_BANDWIDTH,    /* bytes per second */
	METRIC_LATENCY_MEAN, /* ns; reads and writes together */
	METRIC_LATENCY_P99,  /* ns */
	METRIC_ERRORS,       /* failed I/Os */
	METRICS,
};

/* "iops >= 1000": a row that breaks it makes the run's exit status 1. */
struct gate {
	char *text; /* as written */
	enum metric metric;
	enum comparison comparison;
	double value; /* in the metric's unit */
};

struct size_share {
	uint64_t bytes;
	uint32_t basis_points; /* of the requests */
};

/* One request size or several with shares, which sum to 10000 basis points. */
struct size_mix {
	size_t nr; /* 1 to ALIAS_MAX */
	struct size_share *entry;
};

/* A size that a profile may give in bytes or as a share of the drive. A `size` is an upper bound:
 * where the drive holds less behind the offset, the span ends with the drive. */
struct extent {
	uint64_t bytes;        /* used when basis_points is 0 */
	uint32_t basis_points; /* of the capacity; 10000 is the whole drive */
};

struct point {
	uint32_t iodepth, numjobs;
};

/* Values mean what man ssdbench-profile(5) says of the key of the same name. */
struct phase {
	enum phase_kind kind;
	char *name;             /* unique in the profile */
	struct condition *when; /* all must hold; nr 0: always */
	size_t nr_when;

	enum rw *rw; /* fill, random-fill: one, RW_WRITE or RW_RANDWRITE; idle: none */
	size_t nr_rw;
	struct size_mix *bs; /* each element is one point of the sweep */
	size_t nr_bs;
	uint32_t rwmixread; /* percent of requests that are reads; for RW_RW and RW_RANDRW */
	/* Pairs in row order: the product of the lists `numjobs` and `iodepth` in this
	 * phase's axis order, or the list `points` as it stands. */
	struct point *point;
	size_t nr_points;
	/* Outermost first; numjobs and iodepth, where the points vary, stand side by side. */
	enum axis order[AXES];

	struct extent offset, size;
	uint64_t blockalign; /* 0: the smallest size of the mix */
	/* random_map: cut random requests as fio's random map does; a divisor of all sizes of
	 * `bs` and of blockalign. 0: whole requests. */
	uint64_t map_granule;
	uint64_t map_region; /* bytes that the map covers at most; 0: the span */
	unsigned int passes; /* fill, random-fill; 1 or more */
	uint64_t runtime_ns; /* saturate, measure, idle */
	uint64_t ramp_ns;    /* before the counted window */
	uint64_t idle_ns;    /* pause after each step */

	enum purge_method purge;       /* purge */
	enum purge_failure on_failure; /* purge */

	struct gate *gate;
	size_t nr_gates;
};

/* Where a statement about the workload comes from. */
enum source_mark { SOURCE_PUBLISHED, SOURCE_RECALLED, SOURCE_OURS, SOURCE_MARKS };

struct source_note {
	enum source_mark mark;
	char *text;
};

/* A value that --set can change; "$name" in a phase stands for it. */
struct parameter {
	char *name, *value, *about; /* value as text, after --set */
};

struct profile {
	char *name;   /* lower case letters, digits, '-' */
	char *title;  /* one line */
	char *origin; /* "embedded" or the path of the file */
	struct source_note *source;
	size_t nr_sources;
	struct parameter *parameter;
	size_t nr_parameters;
	struct phase *phase;
	size_t nr_phases;
	/* 64-bit FNV-1a of the resolved phases, hexadecimal: same hash, same workload. */
	char hash[17];
};

/* "key=value" of --set. */
struct profile_options {
	const char *const *set;
	size_t nr_set;
	const char *directory; /* own profiles, searched before the embedded ones; NULL: none */
};

/*
 * Load by name or path. @word with a '/' or ending in ".json" is a path; else a name, looked for in
 * @options->directory, then among the embedded ones.
 * 0 and *@profile set (release with profile_free()), else a negative errno:
 * -ENOENT no such profile (the nearest name is suggested), -EINVAL the text is wrong (file and JSON
 * pointer are named), others from reading the file. All are ERROR_USAGE.
 */
int profile_load(struct profile **profile, const char *word, const struct profile_options *options,
		 struct error *err);

/* The same from memory; @origin is what messages call it. @text need not end in NUL. */
int profile_parse(struct profile **profile, const char *text, size_t length, const char *origin,
		  const struct profile_options *options, struct error *err);

/* NULL is allowed. */
void profile_free(struct profile *profile);

/* The resolved profile as JSON (indented), valid input of profile_parse(), without parameters:
 * their values stand in the phases. No newline at the end. The caller releases it with free().
 * NULL: out of memory. */
char *profile_to_text(const struct profile *profile);

/* The profiles that the binary holds, in the order of the list, and those of @directory (NULL:
 * none). One entry each; broken files of the directory stand in it with their error. */
struct profile_entry {
	char *name, *title, *origin;
	char *broken; /* why it cannot be loaded, else NULL */
};
int profile_list(struct profile_entry **entries, size_t *nr, const char *directory,
		 struct error *err);
void profile_list_free(struct profile_entry *entries, size_t nr);

const char *phase_kind_name(enum phase_kind kind);          /* "fill", "random-fill", ... */
const char *rw_name(enum rw rw);                            /* "randread", ... */
const char *purge_method_name(enum purge_method method);    /* "sanitize-block", ... */
const char *purge_failure_name(enum purge_failure failure); /* "stop", "continue" */
const char *comparison_name(enum comparison comparison);    /* ">=", ... */

/* Kinds whose steps read or write, which the engine runs. */
static inline bool phase_kind_does_io(enum phase_kind kind)
{
	return kind != PHASE_IDLE && kind != PHASE_PURGE;
}

static inline bool rw_is_random(enum rw rw)
{
	return rw == RW_RANDREAD || rw == RW_RANDWRITE || rw == RW_RANDRW;
}

static inline bool rw_reads(enum rw rw)
{
	return rw != RW_WRITE && rw != RW_RANDWRITE;
}

static inline bool rw_writes(enum rw rw)
{
	return rw != RW_READ && rw != RW_RANDREAD;
}

/* Smallest and largest request of a mix, and its mean in bytes weighted by share. */
uint64_t size_mix_min(const struct size_mix *mix);
uint64_t size_mix_max(const struct size_mix *mix);
double size_mix_mean(const struct size_mix *mix);

#endif
