// SPDX-License-Identifier: MIT
#include "nvme_command.h"

#include <errno.h>
#include <stddef.h>

uint64_t nvme_command_count(uint64_t length, uint32_t max_bytes)
{
	return length ? (length - 1) / max_bytes + 1 : 0;
}

/* Generic (0xx), command specific (1xx), media (2xx) and path (3xx) status values: Base Specification,
 * figures 94 to 98; NVM Command Set, figures 12 to 14. The errno is that of the kernel's block layer. */
static const struct {
	uint16_t status;
	int code;
} errnos[] = {
	{0x001, EOPNOTSUPP}, /* Invalid Command Opcode */
	{0x002, EOPNOTSUPP}, /* Invalid Field in Command */
	{0x00b, EOPNOTSUPP}, /* Invalid Namespace or Format */
	{0x021, EREMOTEIO},  /* Command Interrupted */
	{0x080, EREMOTEIO},  /* LBA Out of Range */
	{0x081, ENOSPC},     /* Capacity Exceeded */
	{0x082, EREMOTEIO},  /* Namespace Not Ready */
	{0x083, EBADE},      /* Reservation Conflict */
	{0x180, EOPNOTSUPP}, /* Conflicting Attributes */
	{0x181, EILSEQ},     /* Invalid Protection Information */
	{0x182, ENODATA},    /* Attempted Write to Read Only Range */
	{0x280, ENODATA},    /* Write Fault */
	{0x281, ENODATA},    /* Unrecovered Read Error */
	{0x282, EILSEQ},     /* End-to-end Guard Check Error */
	{0x283, EILSEQ},     /* End-to-end Application Tag Check Error */
	{0x284, EILSEQ},     /* End-to-end Reference Tag Check Error */
	{0x285, ENODATA},    /* Compare Failure */
	{0x286, ENODATA},    /* Access Denied */
	{0x287, ENODATA},    /* Deallocated or Unwritten Logical Block */
	{0x370, ENOLINK},    /* Host Pathing Error */
};

int nvme_status_errno(uint16_t status)
{
	for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++) {
		if (errnos[i].status == (status & NVME_STATUS_MASK))
			return errnos[i].code;
	}
	return EIO;
}
