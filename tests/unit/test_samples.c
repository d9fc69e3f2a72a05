// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>

#include "engine/samples.h"

#define ROWS_MAX 64

struct rows {
	uint32_t nr;
	struct sample row[ROWS_MAX];
};

static void keep(void *context, const struct sample *sample)
{
	struct rows *rows = context;

	assert_true(rows->nr < ROWS_MAX);
	rows->row[rows->nr++] = *sample;
}

/* Two workers of one drive, with number 7. */
struct fixture {
	struct outbox *outbox[2];
	struct slice *slice[2];
	struct rows rows;
	struct engine_hooks hooks;
	struct sampler *sampler;
};

static void set_up(struct fixture *f, uint32_t workers)
{
	const struct sampler_drive drive = {.drive = 7, .outbox = f->outbox, .nr = workers};

	f->rows.nr = 0;
	f->hooks = (struct engine_hooks){.context = &f->rows, .sample = keep};
	for (int i = 0; i < 2; i++) {
		f->outbox[i] = calloc(1, sizeof(struct outbox));
		assert_non_null(f->outbox[i]);
		f->slice[i] = outbox_init(f->outbox[i]);
	}
	f->sampler = sampler_new(&drive, 1, &f->hooks);
	assert_non_null(f->sampler);
}

static void tear_down(struct fixture *f)
{
	sampler_free(f->sampler);
	free(f->outbox[0]);
	free(f->outbox[1]);
}

/* @nr reads of 4 KiB with @ns in @second of a worker, who then goes on to the next second. */
static void work(struct fixture *f, int worker, uint32_t second, unsigned int nr, uint64_t ns)
{
	f->slice[worker]->second = second;
	for (unsigned int i = 0; i < nr; i++)
		slice_add(&f->slice[worker]->dir[DIR_READ], 4096, ns);
	slice_settle(f->slice[worker]);
	f->slice[worker] = outbox_publish(f->outbox[worker], f->slice[worker]);
	outbox_advance(f->outbox[worker], second + 1);
}

static void a_row_adds_up_the_workers_of_a_drive(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 2);
	work(&f, 0, 0, 99, 1000);
	assert_int_equal(sampler_collect(f.sampler), 0);
	assert_int_equal(f.rows.nr, 0);
	work(&f, 1, 0, 1, 5000);
	assert_int_equal(sampler_collect(f.sampler), 0);
	assert_int_equal(f.rows.nr, 1);
	assert_int_equal(f.rows.row[0].drive, 7);
	assert_int_equal(f.rows.row[0].second, 0);
	assert_int_equal(f.rows.row[0].dir[DIR_READ].ios, 100);
	assert_int_equal(f.rows.row[0].dir[DIR_READ].bytes, 409600);
	assert_int_equal(f.rows.row[0].dir[DIR_READ].latency_sum_ns, 99 * 1000 + 5000);
	assert_int_equal(f.rows.row[0].dir[DIR_READ].latency_min_ns, 1000);
	assert_int_equal(f.rows.row[0].dir[DIR_READ].latency_max_ns, 5000);
	assert_in_range(f.rows.row[0].dir[DIR_READ].latency_p50_ns, 1000, 1008);
	assert_in_range(f.rows.row[0].dir[DIR_READ].latency_p99_ns, 1000, 1008);
	assert_int_equal(f.rows.row[0].dir[DIR_WRITE].ios, 0);
	assert_int_equal(f.rows.row[0].dir[DIR_WRITE].latency_min_ns, 0);
	assert_int_equal(f.rows.row[0].dir[DIR_WRITE].latency_p99_ns, 0);
	tear_down(&f);
}

static void seconds_without_completions_are_rows_of_zero(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 1);
	work(&f, 0, 0, 5, 100);
	work(&f, 0, 6, 7, 100); /* stalled from 1 to 5 */
	assert_int_equal(sampler_collect(f.sampler), 0);
	assert_int_equal(f.rows.nr, 7);
	for (uint32_t s = 0; s < 7; s++) {
		assert_int_equal(f.rows.row[s].second, s);
		assert_int_equal(f.rows.row[s].dir[DIR_READ].ios, s == 0 ? 5 : s == 6 ? 7 : 0);
	}
	outbox_advance(f.outbox[0], OUTBOX_CLOSED);
	assert_int_equal(sampler_finish(f.sampler, 0, 10), 0);
	assert_int_equal(f.rows.nr, 10);
	assert_int_equal(f.rows.row[9].dir[DIR_READ].ios, 0);
	tear_down(&f);
}

static void rows_wait_for_the_slowest_worker(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 2);
	for (uint32_t s = 0; s < 30; s++) {
		work(&f, 0, s, s + 1, 100);
		assert_int_equal(sampler_collect(f.sampler), 0);
	}
	assert_int_equal(f.rows.nr, 0);
	work(&f, 1, 0, 1000, 100);
	assert_int_equal(sampler_collect(f.sampler), 0);
	assert_int_equal(f.rows.nr, 1);
	work(&f, 1, 29, 2000, 100);
	assert_int_equal(sampler_collect(f.sampler), 0);
	assert_int_equal(f.rows.nr, 30);
	for (uint32_t s = 0; s < 30; s++) {
		assert_int_equal(f.rows.row[s].second, s);
		assert_int_equal(f.rows.row[s].dir[DIR_READ].ios, s + 1 +
									  (s == 0    ? 1000
									   : s == 29 ? 2000
										     : 0));
	}
	tear_down(&f);
}

static void two_parts_of_a_second_make_one_row(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 1);
	f.slice[0]->second = 0;
	slice_add(&f.slice[0]->dir[DIR_READ], 4096, 10);
	slice_settle(f.slice[0]);
	f.slice[0] = outbox_publish(f.outbox[0], f.slice[0]); /* the ramp ends here */
	work(&f, 0, 0, 2, 20);
	assert_int_equal(sampler_collect(f.sampler), 0);
	assert_int_equal(f.rows.nr, 1);
	assert_int_equal(f.rows.row[0].dir[DIR_READ].ios, 3);
	tear_down(&f);
}

static void nothing_is_lost_when_the_coordinator_is_late(void **state)
{
	uint64_t ios = 0, sum = 0;
	struct fixture f;

	(void)state;
	set_up(&f, 1);
	for (uint32_t s = 0; s < 20; s++)
		work(&f, 0, s, 10, 1000 + s);
	assert_int_equal(sampler_collect(f.sampler), 0);
	for (uint32_t s = 20; s < 25; s++) {
		work(&f, 0, s, 10, 1000 + s);
		assert_int_equal(sampler_collect(f.sampler), 0);
	}
	outbox_advance(f.outbox[0], OUTBOX_CLOSED);
	assert_int_equal(sampler_finish(f.sampler, 0, 25), 0);
	assert_int_equal(f.rows.nr, 25);
	for (uint32_t s = 0; s < 25; s++) {
		assert_int_equal(f.rows.row[s].second, s);
		ios += f.rows.row[s].dir[DIR_READ].ios;
		sum += f.rows.row[s].dir[DIR_READ].latency_sum_ns;
	}
	assert_int_equal(ios, 250);
	assert_int_equal(sum, 250 * 1000 + 10 * (24 * 25 / 2));
	assert_int_equal(f.rows.row[0].dir[DIR_READ].ios, 10);
	assert_int_equal(f.rows.row[24].dir[DIR_READ].ios, 10);
	tear_down(&f);
}

static void what_is_late_at_the_end_is_in_the_last_rows(void **state)
{
	uint64_t ios = 0;
	struct fixture f;

	(void)state;
	set_up(&f, 1);
	for (uint32_t s = 0; s < 20; s++)
		work(&f, 0, s, 10, 1000);
	outbox_advance(f.outbox[0], OUTBOX_CLOSED);
	assert_int_equal(sampler_finish(f.sampler, 0, 20), 0);
	assert_int_equal(f.rows.nr, 20);
	for (uint32_t s = 0; s < 20; s++)
		ios += f.rows.row[s].dir[DIR_READ].ios;
	assert_int_equal(ios, 200);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_adds_up_the_workers_of_a_drive),
		cmocka_unit_test(seconds_without_completions_are_rows_of_zero),
		cmocka_unit_test(rows_wait_for_the_slowest_worker),
		cmocka_unit_test(two_parts_of_a_second_make_one_row),
		cmocka_unit_test(nothing_is_lost_when_the_coordinator_is_late),
		cmocka_unit_test(what_is_late_at_the_end_is_in_the_last_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
