// SPDX-License-Identifier: MIT
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sysfs.h"

#define LANES_MAX 32 /* of PCI Express; the kernel gives 63 or 255 where it does not know */

/* "16.0 GT/s PCIe", "8 GT/s", "Unknown": in megatransfers per second, 0 where unknown. */
static uint32_t read_speed(const char *device, const char *file)
{
	char text[SYSFS_TEXT_MAX], *end;
	unsigned long whole, tenths = 0;

	if (sysfs_text(device, file, text) <= 0 || text[0] < '0' || text[0] > '9')
		return 0;
	whole = strtoul(text, &end, 10);
	if (end[0] == '.' && end[1] >= '0' && end[1] <= '9') {
		tenths = (unsigned long)(end[1] - '0');
		end += 2;
	}
	if (strncmp(end, " GT/s", 5) != 0 || whole > 1000)
		return 0;
	return (uint32_t)(whole * 1000 + tenths * 100);
}

static uint32_t read_width(const char *device, const char *file)
{
	uint64_t lanes;

	return sysfs_number(device, file, &lanes) || lanes > LANES_MAX ? 0 : (uint32_t)lanes;
}

void link_read(struct pcie_link *link, const char *controller)
{
	char device[PATH_MAX];

	*link = (struct pcie_link){0};
	if (sysfs_resolve(controller, "device", device))
		return;
	link->speed_mt_per_s = read_speed(device, "current_link_speed");
	link->max_speed_mt_per_s = read_speed(device, "max_link_speed");
	link->width = read_width(device, "current_link_width");
	link->max_width = read_width(device, "max_link_width");
}

void link_judge(struct pcie_link *link, bool dual_port)
{
	const bool is_port = dual_port && link->width * 2 == link->max_width;

	link->slow = link->speed_mt_per_s && link->speed_mt_per_s < link->max_speed_mt_per_s;
	link->narrow = link->width && link->width < link->max_width && !is_port;
}

uint32_t controller_page_bytes(const char *controller)
{
	const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	const volatile uint32_t *registers;
	char path[PATH_MAX];
	uint32_t high;
	int fd;

	if (path_format(path, "%s/device/resource0", controller))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	registers = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (registers == MAP_FAILED)
		return 0;
	high = registers[1];
	munmap((void *)(uintptr_t)registers, bytes);
	/* A device that is gone reads as ones. */
	return high == UINT32_MAX ? 0 : 4096U << (high >> 16 & 0xf);
}
