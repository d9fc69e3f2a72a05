// SPDX-License-Identifier: MIT
/*
 * Autoclear does the cleaning, of partitions too where the device scans for them: a test that crashes
 * leaves no device behind. The image is unlinked as soon as it is attached.
 */
#include "test.h"

#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Others may take the free device that the kernel named. */
#define ATTEMPTS 50

static int attach(struct loop *loop, int image, bool read_only, uint32_t block_bytes)
{
	struct loop_config config = {
		.fd = (uint32_t)image,
		.block_size = block_bytes,
		.info = {.lo_flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_PARTSCAN |
				     (read_only ? LO_FLAGS_READ_ONLY : 0)},
	};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int fd = -1;

	if (control < 0)
		return -1;
	snprintf((char *)config.info.lo_file_name, LO_NAME_SIZE, "%s", loop->image);
	for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		if (number < 0)
			break;
		snprintf(loop->node, sizeof(loop->node), "/dev/loop%d", number);
		fd = open(loop->node, (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
		if (fd >= 0 && ioctl(fd, LOOP_CONFIGURE, &config)) {
			close(fd);
			fd = -1;
			usleep(20000);
		}
	}
	close(control);
	return fd;
}

struct loop *loop_new(uint64_t bytes, const char *base, bool read_only, uint32_t block_bytes)
{
	struct loop *loop = calloc(1, sizeof(*loop));
	int image, writable;

	assert_non_null(loop);
	loop->fd = -1;
	if (base) {
		snprintf(loop->image, sizeof(loop->image), "%s", base);
		image = open(base, O_RDWR | O_CLOEXEC);
	} else {
		snprintf(loop->image, sizeof(loop->image), "/var/tmp/ssdbench-loop-XXXXXX");
		image = mkostemp(loop->image, O_CLOEXEC);
	}
	assert_true(image >= 0);
	if (!base)
		assert_int_equal(ftruncate(image, (off_t)bytes), 0);
	loop->fd = attach(loop, image, read_only, block_bytes);
	close(image);
	if (loop->fd < 0) {
		if (!base)
			unlink(loop->image);
		free(loop);
		return NULL;
	}
	if (!base)
		unlink(loop->image);
	/* Writers other than the one under test would count as users; hold it for reading only. */
	writable = loop->fd;
	loop->fd = open(loop->node, O_RDONLY | O_CLOEXEC);
	assert_true(loop->fd >= 0);
	close(writable);
	return loop;
}

struct loop *loop_new_or_skip(uint64_t bytes)
{
	struct loop *loop = loop_new(bytes, NULL, false, 512);

	if (!loop) {
		print_message("skipped: no loop device can be had (%s)\n",
			      geteuid() ? "needs root" : strerror(errno));
		skip();
	}
	return loop;
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	close(loop->fd);
	free(loop);
}

void loop_command(const char *format, ...)
{
	char line[1024];
	va_list args;
	int status;

	va_start(args, format);
	assert_true(vsnprintf(line, sizeof(line), format, args) < (int)sizeof(line));
	va_end(args);
	status = system(line);
	if (status)
		print_message("exit status %d: %s\n", status, line);
	assert_int_equal(status, 0);
}
