// SPDX-License-Identifier: MIT
/*
 * The ring of NVMe commands on /dev/null, which takes every command of io_uring and answers 0 (Linux 6.0):
 * what becomes of requests that are many commands. Real drives: tests/vm/passthrough.sh.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/engine_internal.h"
#include "engine/nvme_command.h"
#include "engine_fixture.h"

#define DEPTH 4U

struct bench {
	struct passthrough way;
	struct iovec area;
	struct io_buffer buffer[DEPTH * DIRECTIONS];
	struct io io[DEPTH];
	struct ring *ring;
};

/* Requests of up to @largest in buffers of @bytes; a drive that takes 64 KiB at once. */
static void open_ring(struct bench *b, uint64_t largest, uint32_t bytes)
{
	struct error err = {0};
	struct ring_config config = {
		.passthrough = &b->way,
		.depth = DEPTH,
		.largest = largest,
		.area = &b->area,
		.nr_areas = 1,
		.buffer = b->buffer,
	};

	if (ring_uring_cmd_probe())
		skip();
	*b = (struct bench){.way = {.nsid = 1, .block_bytes = 512, .max_bytes = (uint32_t)KIB(64)}};
	b->way.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	assert_true(b->way.fd >= 0);
	b->area.iov_len = (size_t)bytes * DEPTH;
	b->area.iov_base = aligned_alloc(4096, b->area.iov_len);
	assert_non_null(b->area.iov_base);
	memset(b->area.iov_base, 0x5a, b->area.iov_len);
	for (uint32_t slot = 0; slot < DEPTH; slot++) {
		struct io_buffer *buffer = &b->buffer[slot * DIRECTIONS];

		buffer[DIR_WRITE] = (struct io_buffer){
			.data = (char *)b->area.iov_base + (size_t)slot * bytes, .bytes = bytes};
		b->io[slot] = (struct io){
			.slot = slot, .dir = DIR_WRITE, .buffers = buffer, .buffer = buffer + 1};
	}
	if (ring_uring_cmd.open(&b->ring, &config, &err) == 0)
		return;
	print_message("%s\n", err.text);
	free(b->area.iov_base);
	close(b->way.fd);
	skip();
}

static void close_ring(struct bench *b)
{
	ring_uring_cmd.close(b->ring);
	free(b->area.iov_base);
	close(b->way.fd);
}

static void queue(struct bench *b, uint32_t slot, uint64_t length)
{
	b->io[slot].length = (uint32_t)length;
	ring_uring_cmd.queue(b->ring, &b->io[slot]);
}

/* Submit and reap until @nr requests are done, each with its whole length. */
static void finish(struct bench *b, uint32_t nr)
{
	struct completion done[DEPTH];

	while (nr > 0) {
		uint32_t got;

		assert_int_equal(ring_uring_cmd.submit(b->ring), 0);
		got = ring_uring_cmd.reap(b->ring, done);
		assert_in_range(got, 0, nr);
		for (uint32_t i = 0; i < got; i++) {
			assert_int_equal(done[i].result, b->io[done[i].slot].length);
			assert_int_equal(ring_uring_cmd.nvme_status(b->ring, done[i].slot), 0);
		}
		nr -= got;
	}
	assert_int_equal(ring_uring_cmd.reap(b->ring, done), 0);
}

static void a_request_completes_once_with_its_whole_length(void **state)
{
	struct bench b;

	(void)state;
	open_ring(&b, KIB(512), (uint32_t)KIB(512));
	queue(&b, 0, 512);
	queue(&b, 1, KIB(64));
	queue(&b, 2, KIB(64) + 512);
	queue(&b, 3, KIB(512));
	finish(&b, 4);
	queue(&b, 2, KIB(4));
	finish(&b, 1);
	close_ring(&b);
}

/* 4 x 8192 commands; the ring has room for 1024. */
static void more_commands_than_the_ring_holds_wait_in_line(void **state)
{
	struct bench b;

	(void)state;
	open_ring(&b, MIB(512), (uint32_t)KIB(64));
	for (int round = 0; round < 3; round++) {
		for (uint32_t slot = 0; slot < DEPTH; slot++)
			queue(&b, slot, slot == 2 ? KIB(4) : MIB(512) - slot * 512);
		finish(&b, DEPTH);
	}
	close_ring(&b);
}

static void trying_the_drive_out_leaves_write_data_as_it_is(void **state)
{
	struct bench b;

	(void)state;
	open_ring(&b, KIB(64), (uint32_t)KIB(64));
	for (size_t i = 0; i < b.area.iov_len; i++)
		assert_int_equal(((unsigned char *)b.area.iov_base)[i], 0x5a);
	close_ring(&b);
}

/* A file takes no such commands, as a drive of a kernel that does not know them. */
static void a_node_that_takes_no_commands_is_the_harness_failing(void **state)
{
	struct error err = {0};
	char data[4096] __attribute__((aligned(4096)));
	struct io_buffer buffer[DIRECTIONS] = {{.data = data, .bytes = sizeof(data)}};
	struct iovec area = {data, sizeof(data)};
	struct passthrough way = {.nsid = 1, .block_bytes = 512, .max_bytes = 4096};
	const struct ring_config config = {.passthrough = &way,
					   .depth = 1,
					   .largest = 4096,
					   .area = &area,
					   .nr_areas = 1,
					   .buffer = buffer};
	struct ring *ring = NULL;

	(void)state;
	if (ring_uring_cmd_probe())
		skip();
	way.fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	assert_true(way.fd >= 0);
	assert_int_equal(ring_uring_cmd.open(&ring, &config, &err), -EOPNOTSUPP);
	assert_int_equal(err.kind, ERROR_HARNESS);
	assert_non_null(strstr(err.text, "passes no NVMe commands"));
	assert_null(ring);
	close(way.fd);
}

static void a_drive_that_is_no_nvme_namespace_is_refused(void **state)
{
	struct clock clock;
	struct mix mix;
	struct step step;
	struct engine_result result;
	struct error err = {0};
	const struct engine_config config = {.kind = ENGINE_IO_URING_CMD, .clock = &clock};
	const struct engine_drive drive = {
		.fd = 0, .alignment = 512, .name = "sda", .span = {.bytes = MIB(1)}};

	(void)state;
	if (ring_uring_cmd_probe())
		skip();
	clock_init(&clock, "/sys");
	mix_single(&mix, KIB(4));
	step = step_of(&mix, ORDER_RANDOM);
	assert_int_equal(engine_run(&result, &config, &step, &drive, 1, NULL, &err), -EINVAL);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "sda: io_uring_cmd needs an NVMe namespace"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_completes_once_with_its_whole_length),
		cmocka_unit_test(more_commands_than_the_ring_holds_wait_in_line),
		cmocka_unit_test(trying_the_drive_out_leaves_write_data_as_it_is),
		cmocka_unit_test(a_node_that_takes_no_commands_is_the_harness_failing),
		cmocka_unit_test(a_drive_that_is_no_nvme_namespace_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
