/* SPDX-License-Identifier: MIT */
/*
 * Preflight: what of the host and of the drives would spoil a result, before anything is measured. The facts
 * are read first; judging them is pure. Nothing here changes anything.
 */
#ifndef SSDBENCH_PREFLIGHT_H
#define SSDBENCH_PREFLIGHT_H

#include "ssdbench/drive_state.h"
#include "ssdbench/result.h"

/* What the run that is to come asks for. All zero: an ordinary one. */
struct preflight_options {
	bool iopoll;              /* poll queues are wanted */
	bool passthrough;         /* requests pass by the block layer */
	bool no_uring;            /* its absence is nothing to warn of */
	const unsigned int *cpus; /* --cpus, borrowed; nr 0: all that are allowed */
	size_t nr_cpus;
	uint64_t memory_bytes; /* of the buffers; 0: ENGINE_MEMORY_DEFAULT */
};

struct preflight_drive {
	const char *name;                /* for messages, borrowed */
	const struct drive_facts *facts; /* borrowed; NULL: no target at all, see refused */
	char *refused;                   /* why it can be no target; NULL: it can */
	struct drive_state state;
	char *node_cpus; /* CPUs of its NUMA node, "0-15,32-47"; NULL: unknown */
	/* I/O by others while it was watched; watched_ns 0: it was not. */
	struct drive_traffic others;
	uint64_t watched_ns;
};

/* The facts. All zero is empty. */
struct preflight {
	struct preflight_options options;
	struct host_facts host;
	char uring_gap[160]; /* why io_uring cannot be had; "": it can, or is not wanted */
	struct preflight_drive *drive;
	size_t nr_drives;
};

/*
 * Read the facts of the host and of @nr targets, and watch the disks among them for about half a second for
 * I/O of others. Where a target is NULL the caller sets name and refused of its drive.
 * 0, or a negative errno (out of memory). Release with preflight_fini() whatever it returns.
 */
int preflight_read(struct preflight *preflight, const struct preflight_options *options,
		   struct target *const *targets, size_t nr, const struct target_roots *roots);
void preflight_fini(struct preflight *preflight);

enum finding_level {
	FINDING_OK,
	FINDING_NOTE,    /* worth knowing beside the figures */
	FINDING_WARNING, /* would spoil them */
};

#define FINDING_HOST SIZE_MAX

struct finding {
	enum finding_level level;
	const char *code; /* "cpu_governor": stable, for programs; static */
	size_t drive;     /* index in preflight.drive, or FINDING_HOST */
	char found[160];  /* "": unknown */
	char wanted[80];  /* "": nothing in particular */
	char text[320];   /* a sentence with the evidence; "" where all is well */
	char cure[256];   /* a command or a step that mends it; "" where there is none */
};

struct findings {
	struct finding *finding; /* the host's first, then drive by drive */
	size_t nr;
	bool failed;         /* out of memory: some are missing */
	struct finding lost; /* where those went */
};

/* 0 and all findings, those that are well too; or -ENOMEM. Release with findings_fini(). */
int preflight_judge(struct findings *findings, const struct preflight *preflight);
void findings_fini(struct findings *findings);

size_t findings_count(const struct findings *findings, enum finding_level level);

/* "ok", "note", "warning" */
const char *finding_level_name(enum finding_level level);

/* A new reference to the list of those of @least and above, as ssdbench-result(5) has it; NULL: out of memory. */
struct json_t *findings_json(const struct findings *findings, enum finding_level least);

#endif
