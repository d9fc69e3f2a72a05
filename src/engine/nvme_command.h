/* SPDX-License-Identifier: MIT */
/*
 * Requests as NVMe commands: cut to what the drive takes at once, encoded, and their status told as an
 * errno. Pure. Sections and figures are those of the NVM Express Base Specification 2.0 and of the
 * NVM Command Set Specification 1.0.
 */
#ifndef SSDBENCH_ENGINE_NVME_COMMAND_H
#define SSDBENCH_ENGINE_NVME_COMMAND_H

#include <linux/nvme_ioctl.h>

#include "ring.h"

/* Opcodes (NVM Command Set, figure 17). */
#define NVME_WRITE 0x01
#define NVME_READ  0x02

/*
 * The command that begins @at bytes into @io: returns its length, at most @max_bytes, and sets @data to what
 * it transfers. A request larger than its buffer goes through the buffer again and again; no
 * command crosses the buffer's end.
 */
static inline uint32_t nvme_command_cut(const struct io *io, uint32_t at, uint32_t max_bytes,
					void **data)
{
	const uint32_t left = io->length - at, in_buffer = at % io->buffer->bytes;
	uint32_t length = left < max_bytes ? left : max_bytes;

	if (length > io->buffer->bytes - in_buffer)
		length = io->buffer->bytes - in_buffer;
	*data = (char *)io->buffer->data + in_buffer;
	return length;
}

/* How many commands a request of @length that fits its buffer becomes. */
uint64_t nvme_command_count(uint64_t length, uint32_t max_bytes);

/* Read or write (NVM Command Set, sections 3.2.4 and 3.2.6): the first block in dwords 10 and 11, the
 * number of blocks less one in dword 12. Other fields of @cmd stay as they are. @block_shift: log2 of the
 * logical block's bytes, which offset and length are multiples of. */
static inline void nvme_command_encode(struct nvme_uring_cmd *cmd, enum direction dir,
				       uint64_t offset, const void *data, uint32_t length,
				       uint32_t block_shift)
{
	const uint64_t block = offset >> block_shift;

	cmd->opcode = dir == DIR_READ ? NVME_READ : NVME_WRITE;
	cmd->addr = (uintptr_t)data;
	cmd->data_len = length;
	cmd->cdw10 = (uint32_t)block;
	cmd->cdw11 = (uint32_t)(block >> 32);
	cmd->cdw12 = (length >> block_shift) - 1;
}

/* Status code type and status code, without the bits that say whether to retry and where to read
 * more (figure 93). */
#define NVME_STATUS_MASK 0x7ff

/* The errno that the block device gives for such a @status, positive; EIO where it has none of its own. */
int nvme_status_errno(uint16_t status);

#endif
