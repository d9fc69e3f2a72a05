/* SPDX-License-Identifier: MIT */
/* Loop devices for tests: gone with the process that made them, however it ends. */
#ifndef SSDBENCH_TESTS_LOOP_H
#define SSDBENCH_TESTS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct loop {
	char node[64];  /* "/dev/loop3" */
	char image[64]; /* the file below it */
	int fd;         /* keeps it attached; the device goes when this is closed */
};

/* Attach a file of @bytes zeros (@base: this existing file or device instead, with @bytes ignored).
 * NULL where loop devices cannot be had (not root, no module). Release with loop_free(). */
struct loop *loop_new(uint64_t bytes, const char *base, bool read_only, uint32_t block_bytes);
void loop_free(struct loop *loop);

/* loop_new() that skips the test where it gives NULL. */
struct loop *loop_new_or_skip(uint64_t bytes);

/* Run a command line; fails the test unless it exits 0. */
void loop_command(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
