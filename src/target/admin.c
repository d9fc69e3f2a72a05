// SPDX-License-Identifier: MIT
#include "admin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Status code type and code: bits 10:0 of the answer. More and DNR, bits 14 and 15, are left out. */
#define STATUS_MASK 0x7ffU

/* Those that drives give to the commands used here (base specification 2.0, section 3.3.3.2). */
static const char *status_name(unsigned int status)
{
	switch (status) {
	case 0x001: return "invalid opcode: not supported";
	case 0x002: return "invalid field: not supported";
	case 0x004: return "data transfer error";
	case 0x006: return "internal error";
	case 0x00b: return "invalid namespace or format";
	case 0x01c: return "sanitize failed";
	case 0x01d: return "sanitize in progress";
	case 0x020: return "namespace is write-protected";
	case 0x082: return "namespace not ready";
	case 0x084: return "format in progress";
	case 0x109: return "invalid log page: not supported";
	case 0x10a: return "invalid format";
	default: return NULL;
	}
}

const char *admin_reason(int answer, char text[ADMIN_REASON_MAX])
{
	const unsigned int status = (unsigned int)answer & STATUS_MASK;
	const char *name;

	if (answer == -EACCES || answer == -EPERM) {
		snprintf(text, ADMIN_REASON_MAX, "%s: admin commands need CAP_SYS_ADMIN",
			 strerror(-answer));
	} else if (answer < 0) {
		snprintf(text, ADMIN_REASON_MAX, "%s", strerror(-answer));
	} else {
		name = status_name(status);
		snprintf(text, ADMIN_REASON_MAX, "the drive answers NVMe status 0x%03x%s%s%s",
			 status, name ? " (" : "", name ? name : "", name ? ")" : "");
	}
	return text;
}

void admin_close(struct admin *admin)
{
	if (admin)
		admin->ops->close(admin);
}
