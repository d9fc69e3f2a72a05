// SPDX-License-Identifier: MIT
/* Requests as NVMe commands: where they are cut, what the drive is sent, what its status means. */
#include "test.h"

#include <errno.h>

#include "engine/nvme_command.h"
#include "engine_fixture.h"

/* Walk @io's commands, which must follow each other to its end: how many. */
static uint32_t walk(const struct io *io, uint32_t max_bytes)
{
	uint32_t at = 0, nr = 0;

	while (at < io->length) {
		void *data;
		const uint32_t length = nvme_command_cut(io, at, max_bytes, &data);
		const size_t in_buffer = (size_t)((char *)data - (char *)io->buffer->data);

		assert_in_range(length, 1, max_bytes);
		assert_int_equal(in_buffer, at % io->buffer->bytes);
		assert_true(in_buffer + length <= io->buffer->bytes);
		at += length;
		nr++;
	}
	assert_int_equal(at, io->length);
	return nr;
}

static void a_request_is_cut_to_what_the_drive_takes_at_once(void **state)
{
	static const struct {
		uint64_t length;
		uint32_t max_bytes, commands;
	} cases[] = {
		{512, 512, 1},           {KIB(4), KIB(128), 1},
		{KIB(128), KIB(128), 1}, {KIB(128) + 512, KIB(128), 2},
		{MIB(1), KIB(128), 8},   {GIB(1), KIB(256), 4096},
		{GIB(1), 512, 2097152},
	};
	const struct io_buffer buffer = {.data = (void *)MIB(4), .bytes = (uint32_t)GIB(1)};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct io io = {.length = (uint32_t)cases[i].length, .buffer = &buffer};

		assert_int_equal(walk(&io, cases[i].max_bytes), cases[i].commands);
		assert_int_equal(nvme_command_count(io.length, cases[i].max_bytes),
				 cases[i].commands);
	}
	assert_int_equal(nvme_command_count(0, KIB(128)), 0);
}

static void no_command_crosses_the_end_of_a_buffer_that_is_used_again_and_again(void **state)
{
	struct io_buffer buffer = {.data = (void *)MIB(4), .bytes = (uint32_t)KIB(64)};
	const struct io io = {.length = (uint32_t)(MIB(1) + 512), .buffer = &buffer};

	(void)state;
	assert_int_equal(walk(&io, (uint32_t)KIB(128)), 17);
	buffer.bytes = (uint32_t)KIB(192);
	/* 192 KiB is 128 + 64, five times over; then 64.5 KiB. */
	assert_int_equal(walk(&io, (uint32_t)KIB(128)), 11);
	buffer.bytes = (uint32_t)KIB(256);
	assert_int_equal(walk(&io, (uint32_t)KIB(128)), 9);
}

static void a_command_says_which_blocks_to_read_or_write(void **state)
{
	struct nvme_uring_cmd cmd = {.nsid = 7};
	char data[8];

	(void)state;
	nvme_command_encode(&cmd, DIR_READ, 0, data, 512, 9);
	assert_int_equal(cmd.opcode, 0x02);
	assert_int_equal(cmd.nsid, 7);
	assert_true(cmd.addr == (uintptr_t)data);
	assert_int_equal(cmd.data_len, 512);
	assert_int_equal(cmd.cdw10, 0);
	assert_int_equal(cmd.cdw11, 0);
	assert_int_equal(cmd.cdw12, 0);
	/* 245.76 TB in blocks of 512 bytes need more than 32 bits. */
	nvme_command_encode(&cmd, DIR_WRITE, 245760000000000 - KIB(128), data, (uint32_t)KIB(128),
			    9);
	assert_int_equal(cmd.opcode, 0x01);
	assert_int_equal(cmd.cdw10, (480000000000 - 256) & UINT32_MAX);
	assert_int_equal(cmd.cdw11, (480000000000 - 256) >> 32);
	assert_int_equal(cmd.cdw12, 255);
	/* The largest command: 65536 blocks, and no bit beside the 16 of their number. */
	nvme_command_encode(&cmd, DIR_READ, KIB(4) * 3, data, 4096U * 65536, 12);
	assert_int_equal(cmd.cdw10, 3);
	assert_int_equal(cmd.cdw11, 0);
	assert_int_equal(cmd.cdw12, 0xffff);
	assert_int_equal(cmd.data_len, MIB(256));
	assert_int_equal(cmd.nsid, 7);
}

static void a_status_has_the_errno_that_the_block_device_gives(void **state)
{
	(void)state;
	assert_int_equal(nvme_status_errno(0x281), ENODATA);
	assert_int_equal(nvme_status_errno(0x280), ENODATA);
	assert_int_equal(nvme_status_errno(0x081), ENOSPC);
	assert_int_equal(nvme_status_errno(0x080), EREMOTEIO);
	assert_int_equal(nvme_status_errno(0x002), EOPNOTSUPP);
	assert_int_equal(nvme_status_errno(0x083), EBADE);
	assert_int_equal(nvme_status_errno(0x284), EILSEQ);
	assert_int_equal(nvme_status_errno(0x370), ENOLINK);
	/* Internal error, and one that nobody knows. */
	assert_int_equal(nvme_status_errno(0x006), EIO);
	assert_int_equal(nvme_status_errno(0x7ff), EIO);
	/* Do Not Retry and More say nothing of the cause. */
	assert_int_equal(nvme_status_errno(0x6281), ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_cut_to_what_the_drive_takes_at_once),
		cmocka_unit_test(
			no_command_crosses_the_end_of_a_buffer_that_is_used_again_and_again),
		cmocka_unit_test(a_command_says_which_blocks_to_read_or_write),
		cmocka_unit_test(a_status_has_the_errno_that_the_block_device_gives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
