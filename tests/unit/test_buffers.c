// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>

#include "engine/buffers.h"
#include "engine_fixture.h"

static void each_slot_has_its_own_buffer_where_all_fit(void **state)
{
	const struct buffer_need need = {
		.largest = KIB(128), .reads = true, .writes = true, .workers = 16, .depth = 32};
	struct buffer_layout layout;

	(void)state;
	assert_int_equal(buffer_layout_plan(&layout, &need, MIB(512)), 0);
	assert_int_equal(layout.read_bytes, KIB(128));
	assert_int_equal(layout.write_bytes, KIB(128));
	assert_false(layout.reads_shared);
	assert_int_equal(layout.total_bytes, 2 * 16 * 32 * KIB(128));
}

static void a_512_byte_request_takes_a_page(void **state)
{
	const struct buffer_need need = {.largest = 512, .reads = true, .workers = 1, .depth = 4};
	struct buffer_layout layout;

	(void)state;
	assert_int_equal(buffer_layout_plan(&layout, &need, MIB(512)), 0);
	assert_int_equal(layout.read_bytes, KIB(4));
}

static void object_reads_share_16_mib_per_worker(void **state)
{
	struct buffer_need need = {.largest = GIB(1), .reads = true, .workers = 1, .depth = 40};
	struct buffer_layout layout;

	(void)state;
	assert_int_equal(buffer_layout_plan(&layout, &need, MIB(512)), 0);
	assert_true(layout.reads_shared);
	assert_int_equal(layout.total_bytes, MIB(16));
	need.workers = 4;
	need.depth = 10;
	assert_int_equal(buffer_layout_plan(&layout, &need, MIB(512)), 0);
	assert_int_equal(layout.total_bytes, MIB(64));
}

static void large_writes_share_out_the_bound(void **state)
{
	const struct buffer_need need = {
		.largest = GIB(1), .writes = true, .workers = 4, .depth = 10};
	struct buffer_layout layout;

	(void)state;
	assert_int_equal(buffer_layout_plan(&layout, &need, MIB(512)), 0);
	assert_int_equal(layout.write_bytes, MIB(512) / 40 / KIB(64) * KIB(64));
	assert_true(layout.total_bytes <= MIB(512));
	assert_int_equal(layout.read_bytes, 0);
}

static void no_layout_exceeds_its_bound_or_the_longest_vector(void **state)
{
	static const uint64_t largest[] = {512, KIB(4), KIB(128), MIB(1) + 512, MIB(64), GIB(1)};
	static const uint64_t bound[] = {KIB(64), MIB(1), MIB(64), MIB(512), GIB(8)};

	(void)state;
	for (unsigned int i = 0; i < 6 * 5 * 3 * 4; i++) {
		const struct buffer_need need = {
			.largest = largest[i % 6],
			.reads = (i / 30 % 3 + 1) & 1,
			.writes = ((i / 30 % 3 + 1) & 2) != 0,
			.workers = (i / 90) * 5 + 1,
			.depth = (i / 90) * 40 + 1,
		};
		const uint64_t limit = bound[i / 6 % 5];
		struct buffer_layout layout;
		const int rc = buffer_layout_plan(&layout, &need, limit);

		if (rc) {
			assert_int_equal(rc, -ENOMEM);
			assert_true(layout.minimum_bytes > limit);
			continue;
		}
		assert_true(layout.total_bytes <= limit);
		assert_int_equal(layout.read_bytes > 0, need.reads);
		assert_int_equal(layout.write_bytes > 0, need.writes);
		assert_int_equal(layout.read_bytes % KIB(4), 0);
		assert_int_equal(layout.write_bytes % KIB(4), 0);
		assert_true(layout.read_bytes * BUFFER_VECTOR_MAX >= need.largest || !need.reads);
		assert_true(layout.write_bytes * BUFFER_VECTOR_MAX >= need.largest || !need.writes);
	}
}

static void vectors_add_up_to_the_request(void **state)
{
	const struct buffer_layout layout = {.largest = MIB(64),
					     .read_bytes = MIB(1),
					     .reads_shared = true,
					     .write_bytes = KIB(192),
					     .area_bytes = GIB(1)};
	static const uint32_t length[] = {4096, 1 << 20, (1 << 20) + 512, 64 << 20, 5 << 20};
	struct buffers buffers;
	struct random random;

	(void)state;
	random_seed(&random, 1, 0, 0, 0);
	assert_int_equal(buffers_init(&buffers, &layout, 3, &random), 0);
	for (unsigned int i = 0; i < 3 * DIRECTIONS * 5; i++) {
		const struct io_buffer *buffer = &buffers.buffer[i / 5];
		const uint32_t nr = buffer_cut(buffer, length[i % 5]);
		uint64_t sum = 0;

		if (nr == 0) {
			assert_true(length[i % 5] <= buffer->bytes);
			continue;
		}
		for (uint32_t k = 0; k < nr; k++) {
			assert_ptr_equal(buffer->iov[k].iov_base, buffer->data);
			assert_true(buffer->iov[k].iov_len <= buffer->bytes);
			sum += buffer->iov[k].iov_len;
		}
		assert_int_equal(sum, length[i % 5]);
		buffer_mend(buffer, nr);
		assert_int_equal(buffer->iov[nr - 1].iov_len, buffer->bytes);
	}
	/* Reads land in one place, writes come from places of their own. */
	assert_ptr_equal(buffers.buffer[0].data, buffers.buffer[2].data);
	assert_ptr_equal((char *)buffers.buffer[1].data + KIB(192), buffers.buffer[3].data);
	buffers_fini(&buffers);
}

static void areas_cover_the_memory_in_pieces_that_can_be_registered(void **state)
{
	const struct buffer_layout layout = {.largest = KIB(48),
					     .read_bytes = KIB(48),
					     .write_bytes = KIB(48),
					     .area_bytes = MIB(1)};
	struct buffers buffers;
	struct random random;
	uint64_t sum = 0;

	(void)state;
	random_seed(&random, 1, 0, 0, 0);
	assert_int_equal(buffers_init(&buffers, &layout, 30, &random), 0);
	assert_int_equal(buffers.nr_areas, 4);
	for (unsigned int i = 0; i < buffers.nr_areas; i++) {
		assert_true(buffers.area[i].iov_len <= MIB(1));
		sum += buffers.area[i].iov_len;
	}
	assert_int_equal(sum, 2 * 30 * KIB(48));
	for (unsigned int i = 0; i < 30 * DIRECTIONS; i++) {
		const struct io_buffer *buffer = &buffers.buffer[i];
		const struct iovec *area = &buffers.area[buffer->area];

		assert_true((char *)buffer->data >= (char *)area->iov_base);
		assert_true((char *)buffer->data + buffer->bytes <=
			    (char *)area->iov_base + area->iov_len);
	}
	buffers_fini(&buffers);
}

static void every_4_kib_gets_the_next_stamp(void **state)
{
	const struct buffer_layout layout = {
		.largest = KIB(64), .write_bytes = KIB(64), .area_bytes = GIB(1)};
	struct stamp stamp = {.tag = 99};
	struct buffers buffers;
	struct random random;

	(void)state;
	random_seed(&random, 1, 0, 0, 0);
	assert_int_equal(buffers_init(&buffers, &layout, 1, &random), 0);
	buffer_stamp(&buffers.buffer[DIR_WRITE], KIB(8) + 512, &stamp);
	assert_int_equal(stamp.sequence, 3);
	buffer_stamp(&buffers.buffer[DIR_WRITE], KIB(64), &stamp);
	assert_int_equal(stamp.sequence, 19);
	for (unsigned int i = 0; i < 16; i++) {
		const struct stamp *at =
			(void *)((char *)buffers.buffer[DIR_WRITE].data + i * KIB(4));

		assert_int_equal(at->tag, 99);
		assert_int_equal(at->sequence, 4 + i);
	}
	buffers_fini(&buffers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_slot_has_its_own_buffer_where_all_fit),
		cmocka_unit_test(a_512_byte_request_takes_a_page),
		cmocka_unit_test(object_reads_share_16_mib_per_worker),
		cmocka_unit_test(large_writes_share_out_the_bound),
		cmocka_unit_test(no_layout_exceeds_its_bound_or_the_longest_vector),
		cmocka_unit_test(vectors_add_up_to_the_request),
		cmocka_unit_test(areas_cover_the_memory_in_pieces_that_can_be_registered),
		cmocka_unit_test(every_4_kib_gets_the_next_stamp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
