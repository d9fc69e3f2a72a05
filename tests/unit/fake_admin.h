/* SPDX-License-Identifier: MIT */
/* An admin channel that answers from memory: pages made by the test, and a status for what shall fail. */
#ifndef SSDBENCH_TESTS_FAKE_ADMIN_H
#define SSDBENCH_TESTS_FAKE_ADMIN_H

#include "target/admin.h"

struct fake_admin {
	struct admin admin;
	/* Answers; 0 gives the page or value beside it. */
	int controller_status, namespace_status, health_status, ocp_status, feature_status;
	uint8_t controller[4096], ns[4096], health[512], ocp[512];
	uint32_t power, write_cache, autonomous_power;
	unsigned int commands, ocp_commands;
	uint32_t namespace_nsid; /* that Identify Namespace was last sent to */

	uint32_t nsid_list[8]; /* of the drive's namespaces, 0 at the end */
	int list_status;
	enum admin_identify list_asked; /* which of the two lists was read last */

	int format_status, sanitize_status; /* answers of the erasing commands */
	unsigned int formats, sanitizes;    /* how many were sent */
	uint32_t format_nsid, format_dword10, sanitize_dword10;
	unsigned int
		sanitize_polls;    /* the log says "in progress" so often before it says the end */
	unsigned int sanitize_end; /* SSTAT then */
	unsigned int sanitize_now; /* SSTAT */
};

/*
 * A drive as they are: model, serial, firmware and NQN filled in, 4 KiB in use of 512 and 4096 bytes,
 * 40 degrees, no OCP log (its status is "invalid log page").
 */
void fake_admin_init(struct fake_admin *fake);

/* Give it OCP's log with these figures. */
void fake_admin_add_ocp(struct fake_admin *fake, uint64_t written_bytes, uint64_t read_bytes);

/* Little-endian numbers into a page. */
void put_u16(uint8_t *at, uint16_t value);
void put_u32(uint8_t *at, uint32_t value);
void put_u64(uint8_t *at, uint64_t value);

/* @text into a field of @size bytes, blanks after it. */
void put_text(uint8_t *at, size_t size, const char *text);

#endif
