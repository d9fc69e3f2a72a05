/* SPDX-License-Identifier: MIT */
/*
 * A plan: the profile multiplied out for the drives at hand. Steps leave nothing to decide. Pure: no
 * I/O, so that every profile can be planned for every drive without one.
 */
#ifndef SSDBENCH_PLAN_H
#define SSDBENCH_PLAN_H

#include "ssdbench/profile.h"
#include "ssdbench/target.h"
#include "ssdbench/units.h"

/* Assumed where neither the user nor the run knows better; bytes per second and ns. */
#define PLAN_ASSUMED_WRITE_RATE 3000000000ULL
#define PLAN_ASSUMED_READ_RATE  7000000000ULL

/* A purge's duration is a guess; an overwrite takes the time of the writes. */
#define PLAN_ASSUMED_PURGE_NS (60 * NSEC_PER_SEC)

struct plan_options {
	uint64_t
		runtime_ns; /* --runtime: replaces the runtime of saturate and measure; 0: as written */
	uint64_t ramp_ns;    /* --ramp; UINT64_MAX: as written */
	uint64_t idle_ns;    /* --idle: replaces pauses and idle phases; UINT64_MAX: as written */
	uint64_t size_bytes; /* --size: spans are at most this long; 0: as written */
	const char *const *only; /* --only: names of phases; nr_only 0: all */
	size_t nr_only;
	uint64_t write_rate, read_rate; /* bytes/s per drive for estimates; 0: PLAN_ASSUMED_* */
	bool assume_filled; /* --assume-filled: the user says that the drive holds data */
};

struct span {
	uint64_t offset, bytes; /* [offset, offset + bytes) of the drive */
};

enum offset_order {
	ORDER_SEQUENTIAL, /* each job its own contiguous part */
	ORDER_RANDOM,     /* uniform with replacement over the whole span */
	ORDER_ONCE,       /* each block once per pass, a permutation shared out among the jobs */
	ORDER_MAP,        /* as fio's random map: requests are cut at what is already done */
};

/* A step on one drive. */
struct step_drive {
	char *skip; /* why the drive does not run it ("bs 512 < LBA 4096"); NULL: it runs */
	struct span span;
	bool unwritten; /* reads a span that no fill of this plan covers before; never on a null target */
	uint64_t read_bytes, write_bytes; /* estimates for time-based steps, exact for fills */
};

struct step {
	unsigned int index;     /* from 0, in order */
	unsigned int phase;     /* index in the profile */
	const char *phase_name; /* borrowed from the profile */
	enum phase_kind kind;
	char *label; /* unique within the phase: "randwrite 128KiB iodepth=32 numjobs=4" */
	enum rw rw;
	uint32_t read_percent; /* 0 to 100 of the requests */
	enum offset_order order;
	const struct size_mix *mix; /* borrowed from the profile */
	uint64_t align;             /* offsets are multiples of this, from the start of the span */
	uint64_t map_granule;       /* ORDER_MAP */
	uint32_t iodepth, numjobs;
	unsigned int passes; /* for steps that end with their bytes: 1 or more */
	uint64_t runtime_ns; /* 0: ends when the span is done `passes` times */
	uint64_t ramp_ns, idle_ns;
	bool short_last; /* the last block of the span may be short and is done too (fills) */
	enum purge_method purge; /* PHASE_PURGE: never PURGE_NONE; its span is the whole drive */
	enum purge_failure on_failure;
	const struct gate *gate; /* borrowed from the profile */
	size_t nr_gates;
	struct step_drive *drive; /* plan->nr_drives of them */
	uint64_t estimate_ns;     /* with ramp and pause */
};

struct plan {
	const struct profile *profile; /* borrowed */
	size_t nr_drives;
	struct step *step;
	size_t nr_steps;
	bool writes; /* any step writes to any drive, or purges it */
	uint64_t estimate_ns;
	uint64_t write_rate, read_rate;     /* what the estimates assume */
	uint64_t *read_bytes, *write_bytes; /* per drive */
	char **warning;                     /* words for the user */
	size_t nr_warnings;
};

/*
 * A purge by PURGE_NONE is left out. What the plan has written before a purge, and --assume-filled, count
 * no more after it.
 * A row that a drive cannot do (a size that its LBA does not divide, a `when` that holds on other drives only)
 * stays in the plan and is skipped there with the reason; a phase whose `when` holds on no drive is left
 * out with a warning. A drive that does not report its indirection unit counts
 * as having one of its LBA size or 4 KiB, whichever is larger; a warning says so.
 * @profile and @drives must outlive the plan; release it with plan_free().
 * 0 or -EINVAL (ERROR_USAGE): --only names no phase, every step is skipped on every drive,
 * a span is smaller than the largest request ("need 1 GiB, have 16 MiB"). -ENOMEM.
 */
int plan_build(struct plan **plan, const struct profile *profile,
	       const struct drive_facts *const *drives, size_t nr_drives,
	       const struct plan_options *options, struct error *err);

void plan_free(struct plan *plan);

/* Does the plan leave nothing of what @drive holds, where its steps reach? */
bool plan_destroys(const struct plan *plan, size_t drive);

/* True where every drive skips the step. */
bool step_is_skipped(const struct step *step, size_t nr_drives);

#endif
