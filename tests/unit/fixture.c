// SPDX-License-Identifier: MIT
/* Links are absolute inside the temporary tree; readers follow them with realpath() either way. */
#include "test.h"

#include "fixture.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

const char *fixture_path(struct fixture *fixture, const char *path)
{
	char **grown = realloc(fixture->paths, (fixture->nr_paths + 1) * sizeof(*grown));
	char *joined;

	assert_non_null(grown);
	fixture->paths = grown;
	assert_true(asprintf(&joined, "%s/%s", fixture->root, path) > 0);
	grown[fixture->nr_paths++] = joined;
	return joined;
}

static void make_parents(const char *path)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *slash = copy + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		assert_true(!mkdir(copy, 0755) || errno == EEXIST);
		*slash = '/';
	}
}

void fixture_write_bytes(struct fixture *fixture, const char *path, const void *bytes, size_t len)
{
	const char *full = fixture_path(fixture, path);
	FILE *file;

	make_parents(full);
	file = fopen(full, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

void fixture_write(struct fixture *fixture, const char *path, const char *text)
{
	fixture_write_bytes(fixture, path, text, strlen(text));
}

void fixture_link(struct fixture *fixture, const char *path, const char *to)
{
	const char *full = fixture_path(fixture, path);

	make_parents(full);
	(void)unlink(full); /* replaces an older link, if any */
	assert_int_equal(symlink(fixture_path(fixture, to), full), 0);
}

void fixture_remove(struct fixture *fixture, const char *path)
{
	assert_int_equal(remove(fixture_path(fixture, path)), 0);
}

void fixture_node(struct fixture *fixture, const char *name, mode_t type, unsigned int minor)
{
	char path[PATH_MAX];

	assert_true(snprintf(path, sizeof(path), "%s/%s", fixture->dev, name) < PATH_MAX);
	if (!mknod(path, type | 0600, makedev(FIXTURE_MAJOR, minor)))
		return;
	assert_int_equal(errno, EPERM);
	print_message("skipped: making device nodes needs root\n");
	skip();
}

static void write_in(struct fixture *fixture, const char *dir, const char *file, const char *text)
{
	char path[PATH_MAX];

	assert_true(snprintf(path, sizeof(path), "%s/%s", dir, file) < PATH_MAX);
	fixture_write(fixture, path, text);
}

static void write_number(struct fixture *fixture, const char *dir, unsigned int minor)
{
	char text[32], link[64];

	snprintf(text, sizeof(text), "%d:%u\n", FIXTURE_MAJOR, minor);
	write_in(fixture, dir, "dev", text);
	snprintf(link, sizeof(link), "sys/dev/block/%d:%u", FIXTURE_MAJOR, minor);
	fixture_link(fixture, link, dir);
}

void fixture_disk(struct fixture *fixture, const char *dir, unsigned int minor, const char *sectors)
{
	static const char *const queue[][2] = {
		{"queue/logical_block_size", "512\n"},
		{"queue/physical_block_size", "4096\n"},
		{"queue/minimum_io_size", "512\n"},
		{"queue/optimal_io_size", "0\n"},
		{"queue/max_sectors_kb", "128\n"},
		{"queue/max_hw_sectors_kb", "2048\n"},
		{"queue/nr_requests", "1023\n"},
		{"queue/rotational", "0\n"},
		{"queue/scheduler", "[none] mq-deadline\n"},
		{"queue/write_cache", "write back\n"},
		{"queue/zoned", "none\n"},
		{"queue/io_poll", "1\n"},
		{"ro", "0\n"},
		{"hidden", "0\n"},
	};
	char link[PATH_MAX];

	for (size_t i = 0; i < sizeof(queue) / sizeof(queue[0]); i++)
		write_in(fixture, dir, queue[i][0], queue[i][1]);
	write_in(fixture, dir, "size", sectors);
	write_number(fixture, dir, minor);
	snprintf(link, sizeof(link), "sys/block/%s", strrchr(dir, '/') + 1);
	fixture_link(fixture, link, dir);
}

void fixture_partition(struct fixture *fixture, const char *dir, unsigned int minor,
		       const char *start, const char *sectors)
{
	write_in(fixture, dir, "partition", "1\n");
	write_in(fixture, dir, "start", start);
	write_in(fixture, dir, "size", sectors);
	write_in(fixture, dir, "ro", "0\n");
	write_number(fixture, dir, minor);
}

#define MODEL_3T2 "ACME 3.2TB NVMe U.2 SSD                 \n"

static void write_controller(struct fixture *fixture, const char *dir, const char *address,
			     const char *serial)
{
	char padded[32], link[PATH_MAX];

	snprintf(padded, sizeof(padded), "%-20s\n", serial);
	write_in(fixture, dir, "model", MODEL_3T2);
	write_in(fixture, dir, "serial", padded);
	write_in(fixture, dir, "firmware_rev", "TESTFW01\n");
	write_in(fixture, dir, "transport", "pcie\n");
	write_in(fixture, dir, "state", "live\n");
	write_in(fixture, dir, "address", address);
	write_in(fixture, dir, "numa_node", "0\n");
	snprintf(link, sizeof(link), "sys/class/nvme/%s", strrchr(dir, '/') + 1);
	fixture_link(fixture, link, dir);
}

void fixture_nvme(struct fixture *fixture, const char *controller, const char *name,
		  unsigned int minor, const char *serial)
{
	char parent[PATH_MAX / 4], dir[PATH_MAX / 2], link[PATH_MAX];

	snprintf(parent, sizeof(parent), "sys/devices/pci0000:00/0000:01:00.0/nvme/%s", controller);
	snprintf(dir, sizeof(dir), "%s/%s", parent, name);
	write_controller(fixture, parent, "0000:01:00.0\n", serial);
	fixture_disk(fixture, dir, minor, "978143920\n");
	write_in(fixture, dir, "nsid", "1\n");
	write_in(fixture, dir, "nuse", "978143920\n");
	write_in(fixture, dir, "metadata_bytes", "0\n");
	write_in(fixture, dir, "wwid", "eui.0000000000000001a1b2c30000000001\n");
	snprintf(link, sizeof(link), "%s/device", dir);
	fixture_link(fixture, link, parent);
}

static void write_path(struct fixture *fixture, const char *dir, const char *controller)
{
	char link[PATH_MAX];

	write_in(fixture, dir, "hidden", "1\n");
	write_in(fixture, dir, "nsid", "1\n");
	write_in(fixture, dir, "size", "11233968\n");
	write_in(fixture, dir, "nuse", "11233968\n");
	snprintf(link, sizeof(link), "sys/block/%s", strrchr(dir, '/') + 1);
	fixture_link(fixture, link, dir);
	snprintf(link, sizeof(link), "%s/device", dir);
	fixture_link(fixture, link, controller);
}

void fixture_dual_port(struct fixture *fixture)
{
	static const char *const one = "sys/devices/pci0000:40/0000:40:00.0/nvme/nvme1";
	static const char *const two = "sys/devices/pci0000:c0/0000:c0:00.0/nvme/nvme2";
	static const char *const subsystem = "sys/devices/virtual/nvme-subsystem/nvme-subsys1";
	static const char *const head = "sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1";

	write_controller(fixture, one, "0000:40:00.0\n", "TESTSN0007");
	write_controller(fixture, two, "0000:c0:00.0\n", "TESTSN0007");
	write_path(fixture, "sys/devices/pci0000:40/0000:40:00.0/nvme/nvme1/nvme1c1n1", one);
	write_path(fixture, "sys/devices/pci0000:c0/0000:c0:00.0/nvme/nvme2/nvme1c2n1", two);
	write_in(fixture, subsystem, "model", MODEL_3T2);
	write_in(fixture, subsystem, "serial", "TESTSN0007          \n");
	write_in(fixture, subsystem, "firmware_rev", "TESTFW01\n");
	write_in(fixture, subsystem, "iopolicy", "numa\n");
	fixture_link(fixture, "sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1", one);
	fixture_link(fixture, "sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme2", two);
	fixture_disk(fixture, head, 11, "11233968\n");
	write_in(fixture, head, "nsid", "1\n");
	write_in(fixture, head, "nuse", "11233968\n");
	write_in(fixture, head, "metadata_bytes", "0\n");
	write_in(fixture, head, "wwid", "eui.0000000000000001a1b2c30000000007\n");
	fixture_link(fixture, "sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1/device",
		     subsystem);
	fixture_link(fixture,
		     "sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1/multipath/nvme1c1n1",
		     "sys/devices/pci0000:40/0000:40:00.0/nvme/nvme1/nvme1c1n1");
	fixture_link(fixture,
		     "sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1/multipath/nvme1c2n1",
		     "sys/devices/pci0000:c0/0000:c0:00.0/nvme/nvme2/nvme1c2n1");
}

struct fixture *fixture_new(void)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	snprintf(fixture->root, sizeof(fixture->root), "/tmp/ssdbench-fixture-XXXXXX");
	assert_non_null(mkdtemp(fixture->root));
	snprintf(fixture->sys, sizeof(fixture->sys), "%s/sys", fixture->root);
	snprintf(fixture->proc, sizeof(fixture->proc), "%s/proc", fixture->root);
	snprintf(fixture->dev, sizeof(fixture->dev), "%s/dev", fixture->root);
	fixture->roots = (struct target_roots){
		.sys = fixture->sys,
		.proc = fixture->proc,
		.dev = fixture->dev,
	};
	fixture_write(fixture, "proc/self/mountinfo",
		      "22 27 0:21 / /proc rw,relatime - proc proc rw\n");
	fixture_write(fixture, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	make_parents(fixture_path(fixture, "sys/block/x"));
	make_parents(fixture_path(fixture, "dev/x"));
	return fixture;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void fixture_free(struct fixture *fixture)
{
	if (!fixture)
		return;
	(void)nftw(fixture->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	for (size_t i = 0; i < fixture->nr_paths; i++)
		free(fixture->paths[i]);
	free(fixture->paths);
	free(fixture);
}
