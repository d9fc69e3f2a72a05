/* SPDX-License-Identifier: MIT */
/* Little-endian numbers in what a drive sends, at any alignment and on any host. */
#ifndef SSDBENCH_TARGET_BYTES_H
#define SSDBENCH_TARGET_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t bytes_u16(const uint8_t *at)
{
	uint16_t raw;

	memcpy(&raw, at, sizeof(raw));
	return le16toh(raw);
}

static inline uint32_t bytes_u32(const uint8_t *at)
{
	uint32_t raw;

	memcpy(&raw, at, sizeof(raw));
	return le32toh(raw);
}

static inline uint64_t bytes_u64(const uint8_t *at)
{
	uint64_t raw;

	memcpy(&raw, at, sizeof(raw));
	return le64toh(raw);
}

static inline unsigned __int128 bytes_u128(const uint8_t *at)
{
	return (unsigned __int128)bytes_u64(at + 8) << 64 | bytes_u64(at);
}

#endif
