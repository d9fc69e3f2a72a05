// SPDX-License-Identifier: MIT
#include "fake_admin.h"

#include <endian.h>
#include <string.h>

#define INVALID_LOG_PAGE 0x4109 /* with DNR, as drives send it */

static struct fake_admin *fake_of(struct admin *admin)
{
	return (struct fake_admin *)admin;
}

static int fake_identify_list(struct fake_admin *fake, enum admin_identify what, uint8_t *page)
{
	fake->list_asked = what;
	if (fake->list_status)
		return fake->list_status;
	memset(page, 0, ADMIN_IDENTIFY_BYTES);
	for (size_t i = 0; i < sizeof(fake->nsid_list) / sizeof(fake->nsid_list[0]); i++)
		put_u32(page + 4 * i, fake->nsid_list[i]);
	return 0;
}

static int fake_identify(struct admin *admin, enum admin_identify what, uint32_t nsid,
			 uint8_t page[ADMIN_IDENTIFY_BYTES])
{
	struct fake_admin *fake = fake_of(admin);
	const bool is_controller = what == IDENTIFY_CONTROLLER;
	const int status = is_controller ? fake->controller_status : fake->namespace_status;

	fake->commands++;
	if (what == IDENTIFY_ACTIVE_LIST || what == IDENTIFY_ALLOCATED_LIST)
		return fake_identify_list(fake, what, page);
	if (!is_controller)
		fake->namespace_nsid = nsid;
	if (status)
		return status;
	memcpy(page, is_controller ? fake->controller : fake->ns, ADMIN_IDENTIFY_BYTES);
	return 0;
}

/* Tenths of the work from log to log, then the end. */
static int fake_sanitize_log(struct fake_admin *fake, uint8_t *page)
{
	static const uint16_t tenth = 6554;

	if (fake->sanitize_now == 2 && fake->sanitize_polls == 0)
		fake->sanitize_now = fake->sanitize_end;
	if (fake->sanitize_now == 2)
		fake->sanitize_polls--;
	put_u16(page,
		fake->sanitize_now == 2 ? (uint16_t)(tenth * (9 - fake->sanitize_polls)) : 0xffff);
	put_u16(page + 2, (uint16_t)(fake->sanitize_now | 0x100));
	return 0;
}

static int fake_get_log(struct admin *admin, enum admin_log log, uint32_t nsid, void *data,
			uint32_t bytes)
{
	struct fake_admin *fake = fake_of(admin);
	const bool is_ocp = log == LOG_OCP_HEALTH;
	const int status = is_ocp ? fake->ocp_status : fake->health_status;

	(void)nsid;
	fake->commands++;
	if (log == LOG_SANITIZE)
		return fake_sanitize_log(fake, data);
	fake->ocp_commands += is_ocp;
	if (status)
		return status;
	memcpy(data, is_ocp ? fake->ocp : fake->health, bytes);
	return 0;
}

static int fake_get_feature(struct admin *admin, enum admin_feature feature, uint32_t nsid,
			    uint32_t *value)
{
	struct fake_admin *fake = fake_of(admin);

	(void)nsid;
	fake->commands++;
	if (fake->feature_status)
		return fake->feature_status;
	switch (feature) {
	case FEATURE_POWER: *value = fake->power; break;
	case FEATURE_WRITE_CACHE: *value = fake->write_cache; break;
	case FEATURE_AUTONOMOUS_POWER: *value = fake->autonomous_power; break;
	}
	return 0;
}

static int fake_format(struct admin *admin, uint32_t nsid, uint32_t dword10)
{
	struct fake_admin *fake = fake_of(admin);

	fake->formats++;
	fake->format_nsid = nsid;
	fake->format_dword10 = dword10;
	return fake->format_status;
}

static int fake_sanitize(struct admin *admin, uint32_t dword10)
{
	struct fake_admin *fake = fake_of(admin);

	fake->sanitizes++;
	fake->sanitize_dword10 = dword10;
	if (!fake->sanitize_status)
		fake->sanitize_now = 2;
	return fake->sanitize_status;
}

static void fake_close(struct admin *admin)
{
	(void)admin; /* the test's own memory */
}

static const struct admin_ops fake_ops = {
	.identify = fake_identify,
	.get_log = fake_get_log,
	.get_feature = fake_get_feature,
	.format = fake_format,
	.sanitize = fake_sanitize,
	.close = fake_close,
};

void put_u16(uint8_t *at, uint16_t value)
{
	const uint16_t raw = htole16(value);

	memcpy(at, &raw, sizeof(raw));
}

void put_u32(uint8_t *at, uint32_t value)
{
	const uint32_t raw = htole32(value);

	memcpy(at, &raw, sizeof(raw));
}

void put_u64(uint8_t *at, uint64_t value)
{
	const uint64_t raw = htole64(value);

	memcpy(at, &raw, sizeof(raw));
}

void put_text(uint8_t *at, size_t size, const char *text)
{
	memset(at, ' ', size);
	for (size_t i = 0; text[i]; i++)
		at[i] = (uint8_t)text[i];
}

static void make_controller(uint8_t *page)
{
	put_u16(page, 0x1af4);
	put_u16(page + 2, 0x1af5);
	put_text(page + 4, 20, "TESTSN0001");
	put_text(page + 24, 40, "ACME 3.2TB NVMe U.2 SSD");
	put_text(page + 64, 8, "TESTFW01");
	page[76] = 0x02;
	page[77] = 5; /* MDTS: 32 pages */
	put_u16(page + 78, 66);
	put_u32(page + 80, 0x010400);
	put_u16(page + 256, 0x000a); /* format, namespace management */
	page[263] = 1;               /* two power states */
	page[265] = 1;               /* APST */
	put_u16(page + 266, 355);
	put_u16(page + 268, 358);
	put_u64(page + 280, 3200631791616);
	put_u32(page + 328, 0x3); /* sanitize: crypto and block erase */
	put_u32(page + 516, 32);
	put_u16(page + 520, 0x0004); /* deallocate */
	page[524] = 0x04;            /* crypto erase by format */
	page[525] = 0x01;            /* a volatile write cache */
	strcpy((char *)page + 768, "nqn.2014-08.org.example:TESTSN0001");
	put_u16(page + 2048, 2500); /* 25 W, in 10 mW */
	put_u16(page + 2048 + 32, 800);
	page[2048 + 32 + 3] = 0x3; /* in 0.1 mW, not operational */
	put_u32(page + 2048 + 32 + 4, 2000);
	put_u32(page + 2048 + 32 + 8, 7000);
}

static void make_namespace(uint8_t *page)
{
	put_u64(page, 781404246);
	put_u64(page + 8, 781404246);
	put_u64(page + 16, 1000);
	page[25] = 2;    /* three formats */
	page[26] = 1;    /* the second is in use */
	page[33] = 0x09; /* reads of deallocated blocks give zeros; Write Zeroes deallocates */
	put_u64(page + 48, 3200631791616);
	page[128 + 2] = 9;
	page[132 + 2] = 12;
	put_u16(page + 136, 8);
	page[136 + 2] = 12;
	page[136 + 3] = 2;
	memset(page + 120, 0xe6, 8);
}

void fake_admin_init(struct fake_admin *fake)
{
	memset(fake, 0, sizeof(*fake));
	fake->admin.ops = &fake_ops;
	fake->ocp_status = INVALID_LOG_PAGE;
	fake->write_cache = 1;
	fake->nsid_list[0] = 1;
	fake->sanitize_end = 1;
	make_controller(fake->controller);
	make_namespace(fake->ns);
	put_u16(fake->health + 1, 313);
	fake->health[3] = 100;
	fake->health[4] = 10;
}

void fake_admin_add_ocp(struct fake_admin *fake, uint64_t written_bytes, uint64_t read_bytes)
{
	static const uint8_t guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
					 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};

	fake->ocp_status = 0;
	put_u64(fake->ocp, written_bytes);
	put_u64(fake->ocp + 16, read_bytes);
	memcpy(fake->ocp + 496, guid, sizeof(guid));
}
