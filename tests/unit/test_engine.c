// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <time.h>

#include "engine/engine_internal.h"
#include "engine_fixture.h"
#include "scripted_ring.h"

#define MS NSEC_PER_MSEC

struct rows {
	unsigned int nr, progress;
	uint64_t ios, bytes, progress_bytes;
	struct sample row[64];
};

static void keep(void *context, const struct sample *sample)
{
	struct rows *rows = context;

	assert_true(rows->nr < 64);
	rows->row[rows->nr++] = *sample;
	for (int dir = 0; dir < DIRECTIONS; dir++) {
		rows->ios += sample->dir[dir].ios;
		rows->bytes += sample->dir[dir].bytes;
	}
}

static void count_progress(void *context, uint64_t bytes, uint64_t elapsed_ns)
{
	struct rows *rows = context;

	(void)elapsed_ns;
	rows->progress++;
	assert_true(bytes >= rows->progress_bytes);
	rows->progress_bytes = bytes;
}

/* Everything for one run on null targets of 245 TB. */
struct bench {
	struct clock clock;
	atomic_int stop;
	struct mix mix;
	struct step step;
	struct engine_config config;
	struct engine_drive drive[3];
	struct rows rows;
	struct engine_hooks hooks;
	struct engine_result result;
	struct error err;
};

static void set_up(struct bench *b, enum offset_order order)
{
	memset(b, 0, sizeof(*b));
	clock_init(&b->clock, "/sys");
	mix_single(&b->mix, KIB(4));
	b->step = step_of(&b->mix, order);
	b->config = (struct engine_config){.seed = 7, .clock = &b->clock, .stop = &b->stop};
	for (int i = 0; i < 3; i++)
		b->drive[i] = (struct engine_drive){
			.fd = -1, .name = "null", .span = {.bytes = 245760004472832ULL}};
	b->hooks = (struct engine_hooks){&b->rows, keep, count_progress};
	memset(&script, 0, sizeof(script));
}

static void run_on(struct bench *b, const struct ring_ops *ops, size_t nr)
{
	const int rc = engine_run_on(ops, &b->result, &b->config, &b->step, b->drive, nr, &b->hooks,
				     &b->err);

	if (rc)
		print_error("%s\n", b->err.text);
	assert_int_equal(rc, 0);
}

static uint64_t drawn(const struct engine_drive_result *drive)
{
	uint64_t sum = 0;

	for (int dir = 0; dir < DIRECTIONS; dir++) {
		for (int i = 0; i < ALIAS_MAX; i++)
			sum += drive->mix_count[dir][i];
	}
	return sum;
}

static void counts_of_a_step_that_ends_with_its_bytes_are_exact(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_ONCE);
	b.step.numjobs = 3;
	b.step.iodepth = 8;
	b.step.passes = 2;
	b.step.read_percent = 0;
	b.step.short_last = true;
	b.drive[0].span.bytes = KIB(4) * 1000 + 512;
	run_on(&b, NULL, 1);
	assert_int_equal(b.result.used, ENGINE_NULL);
	assert_string_equal(b.result.reason, "");
	assert_int_equal(b.result.drive[0].dir[DIR_WRITE].ios, 2002);
	assert_int_equal(b.result.drive[0].dir[DIR_WRITE].bytes, 2 * b.drive[0].span.bytes);
	assert_int_equal(b.result.drive[0].dir[DIR_WRITE].latency.count, 2002);
	assert_int_equal(b.result.drive[0].written_bytes, 2 * b.drive[0].span.bytes);
	assert_int_equal(b.result.drive[0].read_bytes, 0);
	assert_int_equal(b.result.drive[0].dir[DIR_READ].ios, 0);
	assert_int_equal(drawn(&b.result.drive[0]), 2002);
	assert_true(b.result.drive[0].complete);
	assert_int_equal(b.result.counted_ns, b.result.drive[0].ended_ns);
	assert_int_equal(b.result.drain_ns, 0);
	assert_int_equal(b.rows.ios, 2002);
	assert_int_equal(b.rows.nr, 1);
	engine_result_fini(&b.result);
}

static void the_window_is_exactly_the_runtime_after_the_ramp(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_RANDOM);
	b.step.runtime_ns = 700 * MS;
	b.step.ramp_ns = 500 * MS;
	b.step.numjobs = 2;
	run_on(&b, NULL, 1);
	assert_int_equal(b.result.counted_ns, 700 * MS);
	assert_int_equal(b.result.drive[0].counted_ns, 700 * MS);
	assert_int_equal(b.result.ramp_ns, 500 * MS);
	assert_true(b.result.drive[0].ended_ns >= 1200 * MS - 1);
	/* 0 to 1 s, and the rest up to 1.2 s; the ramp is in the samples, the drain is not. */
	assert_int_equal(b.rows.nr, 2);
	assert_true(b.rows.ios > b.result.drive[0].dir[DIR_READ].ios);
	assert_true(b.rows.bytes <= b.result.drive[0].read_bytes);
	assert_in_range(b.result.drive[0].read_bytes - b.rows.bytes, 0, 8 * KIB(4));
	assert_true(b.rows.progress >= 3);
	assert_false(b.result.drive[0].complete);
	assert_false(b.result.interrupted);
	engine_result_fini(&b.result);
}

static void without_a_ramp_the_samples_add_up_to_the_totals(void **state)
{
	struct bench b;
	uint64_t sum = 0, sum_of_rows = 0;

	(void)state;
	set_up(&b, ORDER_RANDOM);
	b.step.runtime_ns = 1300 * MS;
	b.step.read_percent = 70;
	b.step.numjobs = 3;
	run_on(&b, NULL, 1);
	for (int dir = 0; dir < DIRECTIONS; dir++) {
		sum += b.result.drive[0].dir[dir].ios;
		assert_int_equal(b.result.drive[0].dir[dir].ios,
				 b.rows.row[0].dir[dir].ios + b.rows.row[1].dir[dir].ios);
		assert_int_equal(b.result.drive[0].dir[dir].latency.count,
				 b.result.drive[0].dir[dir].ios);
		sum_of_rows += b.rows.row[0].dir[dir].latency_sum_ns +
			       b.rows.row[1].dir[dir].latency_sum_ns;
		assert_int_equal(b.result.drive[0].dir[dir].latency.sum_high, 0);
		sum_of_rows -= b.result.drive[0].dir[dir].latency.sum_low;
	}
	assert_int_equal(sum, b.rows.ios);
	assert_int_equal(sum_of_rows, 0);
	assert_int_equal(b.rows.nr, 2);
	engine_result_fini(&b.result);
}

static uint64_t one_ms(const struct io *io, uint64_t now)
{
	(void)io;
	(void)now;
	return 1 * MS;
}

/* Of a run on the scripted ring. */
static double iops_times_latency(void)
{
	struct bench b;
	double product;

	set_up(&b, ORDER_RANDOM);
	script.delay = one_ms;
	b.step.runtime_ns = 1000 * MS;
	b.step.ramp_ns = 100 * MS;
	b.step.iodepth = 8;
	b.step.numjobs = 2;
	run_on(&b, &scripted_ring, 1);
	product = (double)b.result.drive[0].dir[DIR_READ].ios / (double)b.result.counted_ns *
		  histogram_mean(&b.result.drive[0].dir[DIR_READ].latency);
	assert_true(b.result.drive[0].dir[DIR_READ].latency.min >= 1 * MS);
	engine_result_fini(&b.result);
	return product;
}

/* A worker that loses its CPU at the window's edge misses completions, now and then on a busy machine;
 * what the engine counts wrongly it counts wrongly each time. */
static void iops_times_latency_is_the_depth(void **state)
{
	const double depth = 8 * 2;
	double product = 0;

	(void)state;
	for (int attempt = 0; attempt < 8 && fabs(product / depth - 1) >= 0.005; attempt++) {
		product = iops_times_latency();
		print_message("IOPS x latency = %.4f of %.0f\n", product, depth);
	}
	assert_true(fabs(product / depth - 1) < 0.005);
}

static uint64_t late_after_200_ms(const struct io *io, uint64_t now)
{
	(void)io;
	return now < 200 * MS ? 10 * MS : 500 * MS;
}

static void what_completes_after_the_window_is_drained_and_not_counted(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_RANDOM);
	script.delay = late_after_200_ms;
	b.step.runtime_ns = 400 * MS;
	b.step.iodepth = 4;
	run_on(&b, &scripted_ring, 1);
	assert_int_equal(b.result.counted_ns, 400 * MS);
	assert_in_range(b.result.drain_ns, 250 * MS, 400 * MS);
	assert_true(b.result.drive[0].dir[DIR_READ].latency.max < 400 * MS);
	assert_int_equal(b.result.drive[0].read_bytes,
			 b.result.drive[0].dir[DIR_READ].bytes + 4 * KIB(4));
	assert_int_equal(b.rows.nr, 1);
	assert_int_equal(b.rows.ios, b.result.drive[0].dir[DIR_READ].ios);
	engine_result_fini(&b.result);
}

/* Stalls from 0.9 s to 3.1 s; the ring opens a moment before the step starts. */
static uint64_t stall(const struct io *io, uint64_t now)
{
	(void)io;
	return now > 900 * MS && now < 3100 * MS ? 3100 * MS - now : 2 * MS;
}

/* The longest latency of a run that stalls from 0.9 to 3.1 s, whose rows have been checked. */
static uint64_t longest_of_a_stall(void)
{
	struct bench b;
	uint64_t longest;

	set_up(&b, ORDER_RANDOM);
	script.delay = stall;
	b.step.runtime_ns = 4000 * MS;
	run_on(&b, &scripted_ring, 1);
	assert_int_equal(b.rows.nr, 4);
	for (uint32_t s = 0; s < 4; s++) {
		assert_int_equal(b.rows.row[s].second, s);
		assert_int_equal(b.rows.row[s].dir[DIR_READ].ios == 0, s == 1 || s == 2);
	}
	longest = b.result.drive[0].dir[DIR_READ].latency.max;
	engine_result_fini(&b.result);
	return longest;
}

/* A worker without a CPU sees the end late, once; an engine that measures too much does so each time. */
static void a_stall_is_rows_of_zero_and_the_longest_latency(void **state)
{
	uint64_t longest = UINT64_MAX;

	(void)state;
	for (int attempt = 0; attempt < 4 && longest > 2300 * MS; attempt++)
		longest = longest_of_a_stall();
	assert_in_range(longest, 2190 * MS, 2300 * MS);
}

static void *stop_after_300_ms(void *argument)
{
	const struct timespec wait = {.tv_nsec = 300 * MS};

	nanosleep(&wait, NULL);
	atomic_store((atomic_int *)argument, 15);
	return NULL;
}

static void a_stop_ends_the_window_and_drains(void **state)
{
	pthread_t thread;
	struct bench b;

	(void)state;
	set_up(&b, ORDER_RANDOM);
	script.delay = one_ms;
	b.step.runtime_ns = 60000 * MS;
	b.step.ramp_ns = 100 * MS;
	assert_int_equal(pthread_create(&thread, NULL, stop_after_300_ms, &b.stop), 0);
	run_on(&b, &scripted_ring, 1);
	pthread_join(thread, NULL);
	assert_true(b.result.interrupted);
	assert_in_range(b.result.counted_ns, 100 * MS, 600 * MS);
	assert_true(b.result.drive[0].dir[DIR_READ].ios > 0);
	assert_true(b.result.drain_ns <= 100 * MS);
	assert_int_equal(b.rows.nr, 1);
	engine_result_fini(&b.result);
}

static int32_t every_tenth_fails(const struct io *io, uint64_t number)
{
	if (number % 30 == 9)
		return -EIO;
	if (number % 30 == 19)
		return (int32_t)io->length - 512;
	if (number % 30 == 29)
		return 0;
	return (int32_t)io->length;
}

static void failed_requests_are_told_and_never_counted(void **state)
{
	const struct engine_drive_result *drive;
	struct bench b;

	(void)state;
	set_up(&b, ORDER_SEQUENTIAL);
	script.result = every_tenth_fails;
	b.config.max_errors = 1000;
	b.step.iodepth = 1;
	b.drive[0].span = (struct span){.offset = MIB(1), .bytes = KIB(4) * 300};
	run_on(&b, &scripted_ring, 1);
	drive = &b.result.drive[0];
	assert_int_equal(drive->errors, 30);
	assert_int_equal(drive->dir[DIR_READ].ios, 270);
	assert_int_equal(drive->dir[DIR_READ].bytes, 270 * KIB(4));
	assert_int_equal(drive->dir[DIR_READ].latency.count, 270);
	assert_int_equal(drive->nr_error, 2);
	assert_int_equal(drive->error[0].code, EIO);
	assert_int_equal(drive->error[0].dir, DIR_READ);
	assert_int_equal(drive->error[0].count, 10);
	assert_int_equal(drive->error[0].first_offset, MIB(1) + 9 * KIB(4));
	assert_int_equal(drive->error[0].first_length, KIB(4));
	assert_int_equal(drive->error[0].first_result, -EIO);
	assert_int_equal(drive->error[1].code, ENODATA);
	assert_int_equal(drive->error[1].count, 20);
	assert_int_equal(drive->error[1].first_offset, MIB(1) + 19 * KIB(4));
	assert_int_equal(drive->error[1].first_result, 4096 - 512);
	assert_false(drive->complete);
	engine_result_fini(&b.result);
}

static int32_t fail_after_100(const struct io *io, uint64_t number)
{
	return number < 100 ? (int32_t)io->length : -ENODEV;
}

static void the_first_error_ends_the_step_unless_more_are_allowed(void **state)
{
	struct bench b;

	(void)state;
	for (uint64_t allowed = 0; allowed <= 5; allowed += 5) {
		set_up(&b, ORDER_RANDOM);
		script.delay = one_ms;
		script.result = fail_after_100;
		b.config.max_errors = allowed;
		b.step.runtime_ns = 60000 * MS;
		b.step.iodepth = 1;
		run_on(&b, &scripted_ring, 1);
		assert_int_equal(b.result.drive[0].errors, allowed + 1);
		assert_int_equal(b.result.drive[0].error[0].code, ENODEV);
		assert_int_equal(b.result.drive[0].dir[DIR_READ].ios, 100);
		assert_false(b.result.interrupted);
		assert_in_range(b.result.counted_ns, 100 * MS, 2000 * MS);
		engine_result_fini(&b.result);
	}
}

/* Drives are told apart by their spans. */
static int32_t fail_on_the_second_drive(const struct io *io, uint64_t number)
{
	(void)number;
	return io->offset >= TIB(1) ? -EIO : (int32_t)io->length;
}

static void a_failing_drive_does_not_stop_the_others(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_RANDOM);
	script.delay = one_ms;
	script.result = fail_on_the_second_drive;
	b.step.runtime_ns = 300 * MS;
	b.drive[0].span.bytes = GIB(1);
	b.drive[1].span = (struct span){.offset = TIB(1), .bytes = GIB(1)};
	b.drive[2].skip = true;
	run_on(&b, &scripted_ring, 3);
	assert_true(b.result.drive[0].ran && b.result.drive[1].ran);
	assert_false(b.result.drive[2].ran);
	assert_int_equal(b.result.drive[0].errors, 0);
	assert_true(b.result.drive[0].ended_ns >= 300 * MS - 1);
	assert_true(b.result.drive[0].dir[DIR_READ].ios > 100);
	assert_int_equal(b.result.drive[1].dir[DIR_READ].ios, 0);
	assert_in_range(b.result.drive[1].errors, 1, 4);
	assert_true(b.result.drive[1].ended_ns < 300 * MS);
	assert_true(b.result.drive[1].counted_ns < 300 * MS);
	assert_int_equal(b.result.drive[0].counted_ns, 300 * MS);
	assert_int_equal(b.result.counted_ns, 300 * MS);
	assert_int_equal(b.rows.nr, 2);
	assert_int_equal(b.rows.row[0].drive, 0);
	assert_int_equal(b.rows.row[1].drive, 1);
	engine_result_fini(&b.result);
}

/* Bytes over the time of the slowest would understate the others. */
static void each_drive_of_a_fill_has_the_time_that_it_took(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_SEQUENTIAL);
	script.delay = one_ms;
	b.step.runtime_ns = b.step.ramp_ns = 0;
	b.step.passes = 1;
	b.step.iodepth = 1;
	b.drive[0].span.bytes = KIB(4) * 200;
	b.drive[1].span = (struct span){.offset = TIB(1), .bytes = KIB(4) * 20};
	run_on(&b, &scripted_ring, 2);
	assert_int_equal(b.result.drive[0].counted_ns, b.result.drive[0].ended_ns);
	assert_int_equal(b.result.drive[1].counted_ns, b.result.drive[1].ended_ns);
	assert_true(b.result.drive[1].counted_ns < b.result.drive[0].counted_ns);
	assert_int_equal(b.result.counted_ns, b.result.drive[0].counted_ns);
	engine_result_fini(&b.result);
}

static void a_ring_that_does_not_open_is_the_harness_failing(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_RANDOM);
	b.step.numjobs = 4;
	script.open_result = -ENOMEM;
	assert_int_equal(engine_run_on(&scripted_ring, &b.result, &b.config, &b.step, b.drive, 1,
				       &b.hooks, &b.err),
			 -ENOMEM);
	assert_int_equal(b.err.kind, ERROR_HARNESS);
	assert_string_equal(b.err.text, "scripted to fail");
}

static void a_ring_that_breaks_down_is_the_harness_failing(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_RANDOM);
	b.step.numjobs = 4;
	b.step.runtime_ns = 60000 * MS;
	script.submit_result = -EBADF;
	assert_int_equal(engine_run_on(&scripted_ring, &b.result, &b.config, &b.step, b.drive, 1,
				       &b.hooks, &b.err),
			 -EBADF);
	assert_int_equal(b.err.kind, ERROR_HARNESS);
	assert_non_null(strstr(b.err.text, "Bad file descriptor"));
}

static void the_same_seed_draws_the_same_mix(void **state)
{
	uint64_t count[3][8];
	struct bench b;

	(void)state;
	for (int i = 0; i < 3; i++) {
		set_up(&b, ORDER_RANDOM);
		memset(&b.mix, 0, sizeof(b.mix));
		mix_cdn_write(&b.mix);
		b.step = step_of(&b.mix, ORDER_RANDOM);
		b.step.read_percent = 50;
		b.config.seed = i < 2 ? 1 : 2;
		b.drive[0].span.bytes = GIB(4);
		run_on(&b, NULL, 1);
		for (int k = 0; k < 4; k++) {
			count[i][k] = b.result.drive[0].mix_count[DIR_READ][k];
			count[i][k + 4] = b.result.drive[0].mix_count[DIR_WRITE][k];
		}
		engine_result_fini(&b.result);
	}
	assert_memory_equal(count[0], count[1], sizeof(count[0]));
	assert_memory_not_equal(count[0], count[2], sizeof(count[0]));
}

static void many_drives_and_workers_add_up(void **state)
{
	struct engine_drive drive[24];
	struct bench b;

	(void)state;
	set_up(&b, ORDER_ONCE);
	b.step.numjobs = 8;
	for (int i = 0; i < 24; i++) {
		drive[i] = b.drive[0];
		drive[i].span.bytes = KIB(4) * 1001;
	}
	assert_int_equal(engine_run(&b.result, &b.config, &b.step, drive, 24, &b.hooks, &b.err), 0);
	for (int i = 0; i < 24; i++) {
		assert_int_equal(b.result.drive[i].dir[DIR_READ].ios, 1001);
		assert_true(b.result.drive[i].complete);
	}
	assert_int_equal(b.rows.ios, 24 * 1001);
	engine_result_fini(&b.result);
}

static void an_engine_for_files_leaves_a_null_target_to_null(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_SEQUENTIAL);
	b.config.kind = ENGINE_LIBAIO;
	b.drive[0].span.bytes = MIB(1);
	run_on(&b, NULL, 1);
	assert_int_equal(b.result.used, ENGINE_NULL);
	assert_non_null(strstr(b.result.reason, "libaio"));
	engine_result_fini(&b.result);
}

static void what_cannot_go_together_is_refused(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, ORDER_RANDOM);
	b.config.kind = ENGINE_LIBAIO;
	b.config.iopoll = true;
	assert_int_equal(engine_run(&b.result, &b.config, &b.step, b.drive, 1, NULL, &b.err),
			 -EINVAL);
	assert_int_equal(b.err.kind, ERROR_USAGE);
	set_up(&b, ORDER_RANDOM);
	b.config.kind = ENGINE_NULL;
	b.drive[0].fd = 0; /* not touched */
	b.drive[0].alignment = 512;
	assert_int_equal(engine_run(&b.result, &b.config, &b.step, b.drive, 1, NULL, &b.err),
			 -EINVAL);
	assert_int_equal(b.err.kind, ERROR_USAGE);
	set_up(&b, ORDER_RANDOM);
	b.drive[0].fd = 0;
	b.drive[0].alignment = 8192;
	assert_int_equal(engine_run(&b.result, &b.config, &b.step, b.drive, 1, NULL, &b.err),
			 -EINVAL);
	assert_int_equal(b.err.kind, ERROR_HARNESS);
}

static void names_go_both_ways(void **state)
{
	(void)state;
	for (int kind = 0; kind < ENGINE_KINDS; kind++)
		assert_int_equal(engine_kind_parse(engine_kind_name((enum engine_kind)kind)), kind);
	assert_int_equal(engine_kind_parse("psync"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_a_step_that_ends_with_its_bytes_are_exact),
		cmocka_unit_test(the_window_is_exactly_the_runtime_after_the_ramp),
		cmocka_unit_test(without_a_ramp_the_samples_add_up_to_the_totals),
		cmocka_unit_test(iops_times_latency_is_the_depth),
		cmocka_unit_test(what_completes_after_the_window_is_drained_and_not_counted),
		cmocka_unit_test(a_stall_is_rows_of_zero_and_the_longest_latency),
		cmocka_unit_test(a_stop_ends_the_window_and_drains),
		cmocka_unit_test(failed_requests_are_told_and_never_counted),
		cmocka_unit_test(the_first_error_ends_the_step_unless_more_are_allowed),
		cmocka_unit_test(a_failing_drive_does_not_stop_the_others),
		cmocka_unit_test(each_drive_of_a_fill_has_the_time_that_it_took),
		cmocka_unit_test(a_ring_that_does_not_open_is_the_harness_failing),
		cmocka_unit_test(a_ring_that_breaks_down_is_the_harness_failing),
		cmocka_unit_test(the_same_seed_draws_the_same_mix),
		cmocka_unit_test(many_drives_and_workers_add_up),
		cmocka_unit_test(an_engine_for_files_leaves_a_null_target_to_null),
		cmocka_unit_test(what_cannot_go_together_is_refused),
		cmocka_unit_test(names_go_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
