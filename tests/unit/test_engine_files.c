// SPDX-License-Identifier: MIT
/*
 * The engine on a real file with O_DIRECT, through each way into the kernel. NVMe passthrough needs a namespace:
 * all data on the one that $SSDBENCH_TEST_NVME names, of 32 MiB or more, is lost (tests/vm/passthrough.sh).
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engine/buffers.h"
#include "engine/choose.h"
#include "engine/ring.h"
#include "engine_fixture.h"

static const enum engine_kind kinds[] = {ENGINE_SYNC, ENGINE_LIBAIO, ENGINE_IO_URING,
					 ENGINE_IO_URING_CMD};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static bool can_run(enum engine_kind kind)
{
	char why[160];

	if (kind == ENGINE_IO_URING_CMD)
		return getenv("SSDBENCH_TEST_NVME") != NULL;
	if (kind != ENGINE_IO_URING || engine_probe_uring("/proc", why, sizeof(why)) == 0)
		return true;
	print_message("io_uring left out: %s\n", why);
	return false;
}

struct bench {
	struct clock clock;
	struct mix mix;
	struct step step;
	struct engine_config config;
	struct engine_drive drive;
	struct engine_result result;
	struct error err;
	struct target *target; /* NULL: a file */
	bool direct;
};

/* The whole of [0, bytes) becomes 0x5a. */
static void make_old(int fd, uint64_t bytes)
{
	unsigned char *block = aligned_alloc(4096, KIB(64));

	assert_non_null(block);
	memset(block, 0x5a, KIB(64));
	for (uint64_t at = 0; at < bytes; at += KIB(64))
		assert_int_equal(pwrite(fd, block, KIB(64), (off_t)at), KIB(64));
	free(block);
}

/* A nameless file of @bytes full of 0x5a, with O_DIRECT where its filesystem can. */
static int make_file(uint64_t bytes, bool *direct)
{
	const char *directory = getenv("TMPDIR");
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/ssdbench-test-XXXXXX", directory ? directory : "/var/tmp");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	make_old(fd, bytes);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	assert_int_equal(fsync(fd), 0);
	close(fd);
	fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
	*direct = fd >= 0;
	if (fd < 0)
		fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	unlink(path);
	return fd;
}

/* The namespace of $SSDBENCH_TEST_NVME, opened as a run does it. */
static void open_namespace(struct bench *b, uint64_t bytes)
{
	const struct target_options options = {.roots = &target_roots_default};
	const char *consent;
	int rc = target_find(&b->target, getenv("SSDBENCH_TEST_NVME"), &options, &b->err);

	if (rc == 0) {
		consent = target_consent_word(b->target);
		rc = target_open(b->target, TARGET_WRITE, &consent, 1, &b->err);
	}
	if (rc == 0)
		rc = target_open_passthrough(b->target, &b->err);
	if (rc)
		fail_msg("%s", b->err.text);
	b->direct = true;
	b->drive.fd = target_fd(b->target);
	b->drive.alignment = target_offset_alignment(b->target);
	b->drive.passthrough = target_passthrough(b->target);
	b->drive.no_poll_queues = !target_facts(b->target)->io_poll;
	make_old(b->drive.fd, bytes);
}

static void set_up(struct bench *b, uint64_t bytes, enum engine_kind kind)
{
	memset(b, 0, sizeof(*b));
	clock_init(&b->clock, "/sys");
	b->config = (struct engine_config){.kind = kind, .seed = 7, .clock = &b->clock};
	b->drive =
		(struct engine_drive){.alignment = 512, .name = "file", .span = {.bytes = bytes}};
	if (kind == ENGINE_IO_URING_CMD)
		open_namespace(b, bytes);
	else
		b->drive.fd = make_file(bytes, &b->direct);
}

static void tear_down(struct bench *b)
{
	engine_result_fini(&b->result);
	if (b->target)
		target_close(b->target);
	else
		close(b->drive.fd);
}

static void run(struct bench *b)
{
	const int rc = engine_run(&b->result, &b->config, &b->step, &b->drive, 1, NULL, &b->err);

	if (rc)
		print_error("%s\n", b->err.text);
	assert_int_equal(rc, 0);
}

static unsigned char *read_all(const struct bench *b, uint64_t bytes)
{
	unsigned char *data = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);

	assert_non_null(data);
	assert_int_equal(pread(b->drive.fd, data, (bytes + 4095) / 4096 * 4096, 0), bytes);
	return data;
}

static int compare_stamps(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct stamp));
}

/* Every 4 KiB of [from, to) was written, each with a stamp of its own. */
static void assert_written(const unsigned char *data, uint64_t from, uint64_t to)
{
	const uint64_t blocks = (to - from + 4095) / 4096;
	struct stamp *stamps = calloc(blocks, sizeof(*stamps));

	assert_non_null(stamps);
	for (uint64_t i = 0; i < blocks; i++) {
		const unsigned char *block = data + from + i * 4096;
		unsigned int untouched = 0;

		memcpy(&stamps[i], block, sizeof(*stamps));
		for (uint64_t k = 0; k < 4096 && from + i * 4096 + k < to; k++)
			untouched += block[k] == 0x5a;
		assert_in_range(untouched, 0, 100); /* 16 of 4096 by chance */
	}
	qsort(stamps, blocks, sizeof(*stamps), compare_stamps);
	for (uint64_t i = 1; i < blocks; i++)
		assert_memory_not_equal(&stamps[i - 1], &stamps[i], sizeof(*stamps));
	free(stamps);
}

static void assert_untouched(const unsigned char *data, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		assert_int_equal(data[i], 0x5a);
}

/* The span ends 8.5 KiB after a whole block, and 512 KiB before the end of the file. */
static void fill(enum engine_kind kind, enum offset_order order)
{
	const uint64_t bytes = MIB(8);
	unsigned char *data;
	struct bench b;

	if (!can_run(kind))
		return;
	set_up(&b, bytes, kind);
	b.drive.span = (struct span){.offset = KIB(512), .bytes = MIB(7) + KIB(8) + 512 - KIB(512)};
	mix_single(&b.mix, KIB(64));
	b.step = step_of(&b.mix, order);
	b.step.read_percent = 0;
	b.step.short_last = true;
	b.step.numjobs = 3;
	b.step.passes = 2;
	run(&b);
	assert_int_equal(b.result.used, kind);
	assert_string_equal(b.result.reason, "");
	assert_true(b.result.drive[0].complete);
	assert_int_equal(b.result.drive[0].errors, 0);
	assert_int_equal(b.result.drive[0].written_bytes, 2 * b.drive.span.bytes);
	data = read_all(&b, bytes);
	assert_untouched(data, 0, KIB(512));
	assert_written(data, KIB(512), MIB(7) + KIB(8) + 512);
	assert_untouched(data, MIB(7) + KIB(8) + 512, bytes);
	free(data);
	tear_down(&b);
}

static void a_fill_writes_every_byte_of_the_span_and_none_beside_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		fill(kinds[i], ORDER_SEQUENTIAL);
		fill(kinds[i], ORDER_ONCE);
	}
}

/* Small bound: 4 MiB requests are sent from segments of 64 KiB and read into one. */
static void large_requests_go_through_small_buffers(void **state)
{
	unsigned char *data;
	struct bench b;

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		if (!can_run(kinds[i]))
			continue;
		set_up(&b, MIB(24), kinds[i]);
		mix_single(&b.mix, MIB(4) + KIB(4) + 512);
		b.step = step_of(&b.mix, ORDER_SEQUENTIAL);
		b.step.iodepth = 2;
		b.step.read_percent = 0;
		b.step.short_last = true;
		b.config.memory_bytes = KIB(256);
		run(&b);
		assert_int_equal(b.result.drive[0].errors, 0);
		assert_int_equal(b.result.drive[0].written_bytes, MIB(24));
		assert_int_equal(b.result.data_repeats_bytes, KIB(128));
		assert_int_equal(b.result.shared_buffers, 0);
		assert_int_equal(b.result.buffer_bytes, KIB(256));
		data = read_all(&b, MIB(24));
		/* Within a request the data repeats, so only that all was written can be seen. */
		for (uint64_t at = 0; at < MIB(24); at += 4096) {
			static const unsigned char old[64] = {[0 ... 63] = 0x5a};

			assert_memory_not_equal(data + at, old, sizeof(old));
		}
		free(data);
		engine_result_fini(&b.result);
		b.step.read_percent = 100;
		run(&b);
		assert_int_equal(b.result.drive[0].errors, 0);
		assert_int_equal(b.result.drive[0].read_bytes, MIB(24));
		assert_int_equal(b.result.shared_buffers, 1);
		assert_int_equal(b.result.data_repeats_bytes, 0);
		tear_down(&b);
	}
}

static void reads_and_writes_mix_without_errors(void **state)
{
	struct bench b;

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		if (!can_run(kinds[i]))
			continue;
		set_up(&b, MIB(8), kinds[i]);
		mix_cdn_read(&b.mix);
		b.step = step_of(&b.mix, ORDER_RANDOM);
		b.step.runtime_ns = 200 * NSEC_PER_MSEC;
		b.step.read_percent = 70;
		b.step.iodepth = 8;
		b.step.numjobs = 2;
		run(&b);
		assert_int_equal(b.result.drive[0].errors, 0);
		/* The whole step's: a busy disk may complete none within so short a window. */
		assert_true(b.result.drive[0].read_bytes > 0);
		assert_true(b.result.drive[0].written_bytes > 0);
		tear_down(&b);
	}
}

static void a_request_past_the_end_is_an_error_with_its_place(void **state)
{
	const struct io_error *error;
	struct bench b;

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		if (!can_run(kinds[i]) || kinds[i] == ENGINE_IO_URING_CMD)
			continue;
		set_up(&b, MIB(1), kinds[i]);
		b.drive.span.bytes = MIB(2);
		mix_single(&b.mix, KIB(64));
		b.step = step_of(&b.mix, ORDER_SEQUENTIAL);
		b.step.iodepth = 1; /* sync would walk four parts at depth 4 */
		run(&b);
		assert_int_equal(b.result.drive[0].errors, 1);
		assert_int_equal(b.result.drive[0].read_bytes, MIB(1));
		assert_int_equal(b.result.drive[0].nr_error, 1);
		error = &b.result.drive[0].error[0];
		assert_int_equal(error->code, ENODATA);
		assert_int_equal(error->first_offset, MIB(1));
		assert_int_equal(error->first_result, 0);
		assert_false(b.result.drive[0].complete);
		tear_down(&b);
	}
}

static void writing_a_file_opened_for_reading_is_an_error_of_the_drive(void **state)
{
	char path[64];
	struct bench b;
	int fd;

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		if (!can_run(kinds[i]) || kinds[i] == ENGINE_IO_URING_CMD)
			continue;
		set_up(&b, MIB(1), kinds[i]);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", b.drive.fd);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		assert_true(fd >= 0);
		close(b.drive.fd);
		b.drive.fd = fd;
		mix_single(&b.mix, KIB(64));
		b.step = step_of(&b.mix, ORDER_SEQUENTIAL);
		b.step.read_percent = 0;
		run(&b);
		assert_int_equal(b.result.drive[0].error[0].code, EBADF);
		assert_int_equal(b.result.drive[0].dir[DIR_WRITE].ios, 0);
		tear_down(&b);
	}
}

/* The drive says it, and there is no end of a file to stop at. */
static void a_command_past_the_end_is_an_error_with_its_status(void **state)
{
	const struct io_error *error;
	struct bench b;

	(void)state;
	if (!can_run(ENGINE_IO_URING_CMD))
		skip();
	set_up(&b, MIB(1), ENGINE_IO_URING_CMD);
	b.drive.span.offset = target_facts(b.target)->capacity_bytes - MIB(1);
	b.drive.span.bytes = MIB(3);
	/* Of several commands, which all but the first fail. */
	mix_single(&b.mix, MIB(2));
	b.step = step_of(&b.mix, ORDER_SEQUENTIAL);
	b.step.align = b.drive.alignment;
	b.step.iodepth = 1;
	run(&b);
	assert_int_equal(b.result.drive[0].errors, 1);
	assert_int_equal(b.result.drive[0].read_bytes, 0);
	assert_int_equal(b.result.drive[0].nr_error, 1);
	error = &b.result.drive[0].error[0];
	assert_int_equal(error->code, EREMOTEIO);
	assert_int_equal(error->nvme_status, 0x80); /* LBA Out of Range */
	assert_int_equal(error->first_result & 0x7ff, 0x80);
	assert_int_equal(error->first_offset, b.drive.span.offset);
	assert_int_equal(error->first_length, MIB(2));
	assert_false(b.result.drive[0].complete);
	tear_down(&b);
}

/* More requests fail than the line of waiting ones has room for. */
static void errors_of_large_requests_leave_the_others_as_they_are(void **state)
{
	struct bench b;

	(void)state;
	if (!can_run(ENGINE_IO_URING_CMD))
		skip();
	set_up(&b, MIB(1), ENGINE_IO_URING_CMD);
	b.drive.span.offset = target_facts(b.target)->capacity_bytes - MIB(16);
	b.drive.span.bytes = MIB(144);
	mix_single(&b.mix, MIB(8));
	b.step = step_of(&b.mix, ORDER_ONCE);
	b.step.iodepth = 6;
	b.config.memory_bytes = MIB(1); /* commands of at most 64 KiB: 768 of them */
	b.config.max_errors = 1000;
	run(&b);
	assert_int_equal(b.result.drive[0].errors, 16);
	assert_int_equal(b.result.drive[0].nr_error, 1);
	assert_int_equal(b.result.drive[0].error[0].count, 16);
	assert_int_equal(b.result.drive[0].read_bytes, MIB(16));
	tear_down(&b);
}

static void automatic_choice_is_pread_at_depth_1_and_a_ring_above(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, MIB(1), ENGINE_AUTO);
	mix_single(&b.mix, KIB(4));
	b.step = step_of(&b.mix, ORDER_SEQUENTIAL);
	b.step.iodepth = 1;
	run(&b);
	assert_int_equal(b.result.used, ENGINE_SYNC);
	engine_result_fini(&b.result);
	b.step.iodepth = 2;
	run(&b);
	assert_int_equal(b.result.used, can_run(ENGINE_IO_URING) ? ENGINE_IO_URING : ENGINE_LIBAIO);
	if (b.result.used == ENGINE_IO_URING)
		assert_non_null(strstr(b.result.features, "fixed_file"));
	tear_down(&b);
}

/* 1 x 40 and 4 x 10 requests of up to 1 GiB on a sparse file. */
static void object_reads_need_little_memory(void **state)
{
	static const uint32_t jobs[] = {1, 4};
	struct rusage before, after;
	struct bench b;

	(void)state;
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < 2; i++) {
		set_up(&b, MIB(1), ENGINE_AUTO);
		assert_int_equal(ftruncate(b.drive.fd, (off_t)GIB(4)), 0);
		b.drive.span.bytes = GIB(4);
		mix_object(&b.mix);
		b.step = step_of(&b.mix, ORDER_RANDOM);
		b.step.runtime_ns = 300 * NSEC_PER_MSEC;
		b.step.numjobs = jobs[i];
		b.step.iodepth = 40 / jobs[i];
		run(&b);
		assert_int_equal(b.result.drive[0].errors, 0);
		/* The whole step's: on a busy machine none may end within so short a window. */
		assert_true(b.result.drive[0].read_bytes > GIB(1));
		assert_int_equal(b.result.shared_buffers, 1);
		tear_down(&b);
	}
	getrusage(RUSAGE_SELF, &after);
	print_message("peak %ld MiB, before %ld MiB\n", after.ru_maxrss / 1024,
		      before.ru_maxrss / 1024);
	assert_true(after.ru_maxrss < 256 * 1024 + before.ru_maxrss);
}

static void polling_what_cannot_be_polled_is_the_harness_failing(void **state)
{
	struct bench b;
	int rc;

	(void)state;
	if (!can_run(ENGINE_IO_URING))
		skip();
	set_up(&b, MIB(1), ENGINE_IO_URING);
	mix_single(&b.mix, KIB(4));
	b.step = step_of(&b.mix, ORDER_SEQUENTIAL);
	b.config.iopoll = true;
	rc = engine_run(&b.result, &b.config, &b.step, &b.drive, 1, NULL, &b.err);
	if (rc == 0) {
		assert_int_equal(b.result.drive[0].errors, 0);
		assert_non_null(strstr(b.result.features, "iopoll"));
	} else {
		assert_int_equal(rc, -EOPNOTSUPP);
		assert_int_equal(b.err.kind, ERROR_HARNESS);
		assert_non_null(strstr(b.err.text, "file cannot be polled"));
	}
	tear_down(&b);
}

static void a_polling_kernel_thread_may_submit(void **state)
{
	struct bench b;

	(void)state;
	if (!can_run(ENGINE_IO_URING))
		skip();
	set_up(&b, MIB(1), ENGINE_IO_URING);
	mix_single(&b.mix, KIB(4));
	b.step = step_of(&b.mix, ORDER_SEQUENTIAL);
	b.config.sqpoll = true;
	run(&b);
	assert_int_equal(b.result.drive[0].errors, 0);
	assert_int_equal(b.result.drive[0].read_bytes, MIB(1));
	assert_non_null(strstr(b.result.features, "sqpoll"));
	tear_down(&b);
}

/* A file in memory is such one before some later Linux: the kernel's own answer decides. */
static void a_file_that_blocks_each_request_is_told(void **state)
{
	struct bench b;
	char block[4096];
	const struct iovec iov = {.iov_base = block, .iov_len = sizeof(block)};
	bool blocks;

	(void)state;
	if (!can_run(ENGINE_IO_URING))
		skip();
	set_up(&b, MIB(1), ENGINE_IO_URING);
	close(b.drive.fd);
	b.drive.fd = memfd_create("test", MFD_CLOEXEC);
	assert_true(b.drive.fd >= 0);
	assert_int_equal(ftruncate(b.drive.fd, (off_t)MIB(1)), 0);
	blocks = preadv2(b.drive.fd, &iov, 1, 0, RWF_NOWAIT) < 0 && errno == EOPNOTSUPP;
	mix_single(&b.mix, KIB(4));
	b.step = step_of(&b.mix, ORDER_SEQUENTIAL);
	run(&b);
	assert_int_equal(b.result.drive[0].read_bytes, MIB(1));
	assert_int_equal(strstr(b.result.features, "kernel_threads") != NULL, blocks);
	tear_down(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fill_writes_every_byte_of_the_span_and_none_beside_it),
		cmocka_unit_test(large_requests_go_through_small_buffers),
		cmocka_unit_test(reads_and_writes_mix_without_errors),
		cmocka_unit_test(a_request_past_the_end_is_an_error_with_its_place),
		cmocka_unit_test(a_command_past_the_end_is_an_error_with_its_status),
		cmocka_unit_test(errors_of_large_requests_leave_the_others_as_they_are),
		cmocka_unit_test(writing_a_file_opened_for_reading_is_an_error_of_the_drive),
		cmocka_unit_test(automatic_choice_is_pread_at_depth_1_and_a_ring_above),
		cmocka_unit_test(object_reads_need_little_memory),
		cmocka_unit_test(polling_what_cannot_be_polled_is_the_harness_failing),
		cmocka_unit_test(a_polling_kernel_thread_may_submit),
		cmocka_unit_test(a_file_that_blocks_each_request_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
