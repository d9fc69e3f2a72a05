/* SPDX-License-Identifier: MIT */
/* A tree in a temporary directory that stands in for /sys, /proc and /dev. */
#ifndef SSDBENCH_TESTS_FIXTURE_H
#define SSDBENCH_TESTS_FIXTURE_H

#include <limits.h>
#include <sys/types.h>

#include "ssdbench/target.h"

/* A major number for local use (Documentation/admin-guide/devices.txt): no driver answers. */
#define FIXTURE_MAJOR 60

struct fixture {
	char root[64];
	char sys[80], proc[80], dev[80];
	struct target_roots roots;
	char **paths; /* handed out by fixture_path() */
	size_t nr_paths;
};

/* An empty sys/block, proc/self/mountinfo and proc/swaps, and dev. Fails the test if it cannot. */
struct fixture *fixture_new(void);
void fixture_free(struct fixture *fixture);

/* All paths are relative to the root; parent directories are made. */
void fixture_write(struct fixture *fixture, const char *path, const char *text);
void fixture_write_bytes(struct fixture *fixture, const char *path, const void *bytes, size_t len);
void fixture_link(struct fixture *fixture, const char *path, const char *to);
void fixture_remove(struct fixture *fixture, const char *path);

/* dev/NAME with the number FIXTURE_MAJOR:@minor; @type S_IFBLK or S_IFCHR. Skips the test where making
 * nodes is not allowed. */
void fixture_node(struct fixture *fixture, const char *name, mode_t type, unsigned int minor);

/* A disk with the sysfs directory @dir: number, size, queue, and the links that lead to it. */
void fixture_disk(struct fixture *fixture, const char *dir, unsigned int minor,
		  const char *sectors);

/* The same for a partition inside a disk's directory. */
void fixture_partition(struct fixture *fixture, const char *dir, unsigned int minor,
		       const char *start, const char *sectors);

/* An absolute path below the root; lives as long as the fixture. */
const char *fixture_path(struct fixture *fixture, const char *path);

/* nvme1n1 with two controllers and native multipath, as a dual-port drive shows itself. */
void fixture_dual_port(struct fixture *fixture);

/* A plain drive: controller nvmeC with one namespace, both named by the caller. @dir: of the namespace. */
void fixture_nvme(struct fixture *fixture, const char *controller, const char *name,
		  unsigned int minor, const char *serial);

#endif
