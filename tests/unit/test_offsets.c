// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>

#include "engine/offsets.h"
#include "engine_fixture.h"

/* IDEMA capacity of a 245.76 TB drive: a multiple of 8 KiB, not of 16 KiB. */
#define CAPACITY_245TB 245760004472832ULL

static struct offsets_config config_of(const struct mix *mix, enum offset_order order,
				       uint64_t bytes, uint32_t jobs)
{
	return (struct offsets_config){
		.order = order,
		.span = {.offset = 0, .bytes = bytes},
		.mix = &mix->mix,
		.map_granule = mix->entry[0].bytes,
		.jobs = jobs,
		.passes = 1,
		.key = 77,
	};
}

static void start(struct offsets *offsets, struct offsets_config config, uint32_t job)
{
	struct error err = {0};

	config.job = job;
	assert_int_equal(offsets_init(offsets, &config, &err), 0);
}

/* Count how often each unit of the span is visited by all jobs together; assert that it is @times. */
static void assert_covers(const struct offsets_config *config, uint64_t unit, unsigned int times)
{
	const uint64_t units = config->span.bytes / unit;
	unsigned char *count = calloc(units, 1);
	struct random random;
	struct place place;

	assert_non_null(count);
	random_seed(&random, 1, 2, 3, 4);
	for (uint32_t job = 0; job < config->jobs; job++) {
		struct offsets offsets;

		start(&offsets, *config, job);
		while (offsets_next(&offsets, &random, &place)) {
			const uint64_t at = place.offset - config->span.offset;

			assert_true(place.offset >= config->span.offset);
			assert_true(at + place.length <= config->span.bytes);
			assert_int_equal(at % unit, 0);
			assert_int_equal(place.length % unit, 0);
			assert_true(place.length > 0);
			for (uint64_t i = at / unit; i < (at + place.length) / unit; i++)
				count[i]++;
		}
		assert_false(offsets_next(&offsets, &random, &place));
		offsets_fini(&offsets);
	}
	for (uint64_t i = 0; i < units; i++)
		assert_int_equal(count[i], times);
	free(count);
}

static void sequential_parts_are_disjoint_and_cover_the_span(void **state)
{
	static const uint64_t bytes[] = {MIB(64) + KIB(8), MIB(64), MIB(1),
					 KIB(512),         KIB(8),  MIB(3) + 512};
	struct mix mix;

	(void)state;
	mix_single(&mix, MIB(1));
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		for (uint32_t jobs = 1; jobs <= 9; jobs++) {
			struct offsets_config config =
				config_of(&mix, ORDER_SEQUENTIAL, bytes[i], jobs);

			config.short_last = true;
			config.span.offset = MIB(16);
			assert_covers(&config, 512, 1);
			config.passes = 3;
			assert_covers(&config, 512, 3);
		}
	}
}

static void only_the_end_of_the_span_gets_a_short_block(void **state)
{
	struct offsets_config config;
	struct random random;
	struct mix mix;
	unsigned int shorts = 0;

	(void)state;
	mix_single(&mix, MIB(1));
	config = config_of(&mix, ORDER_SEQUENTIAL, MIB(64) + KIB(8), 3);
	config.short_last = true;
	random_seed(&random, 1, 0, 0, 0);
	for (uint32_t job = 0; job < 3; job++) {
		struct offsets offsets;
		struct place place;

		start(&offsets, config, job);
		while (offsets_next(&offsets, &random, &place)) {
			if (place.length == MIB(1))
				continue;
			shorts++;
			assert_int_equal(place.offset, MIB(64));
			assert_int_equal(place.length, KIB(8));
		}
	}
	assert_int_equal(shorts, 1);
}

static void without_short_blocks_the_tail_is_left_out(void **state)
{
	struct offsets_config config;
	struct offsets offsets;
	struct random random;
	struct place place;
	struct mix mix;

	(void)state;
	mix_single(&mix, KIB(128));
	config = config_of(&mix, ORDER_SEQUENTIAL, KIB(300), 1);
	config.passes = 0;
	random_seed(&random, 1, 0, 0, 0);
	start(&offsets, config, 0);
	for (unsigned int i = 0; i < 10; i++) {
		assert_true(offsets_next(&offsets, &random, &place));
		assert_int_equal(place.offset, i % 2 * KIB(128));
		assert_int_equal(place.length, KIB(128));
	}
}

static void a_sequential_mix_wraps_before_what_does_not_fit(void **state)
{
	struct offsets_config config;
	struct offsets offsets;
	struct random random;
	struct place place;
	uint64_t expected = 0, wraps = 0;
	struct mix mix;

	(void)state;
	mix_cdn_read(&mix);
	config = config_of(&mix, ORDER_SEQUENTIAL, MIB(10), 4);
	config.passes = 0;
	random_seed(&random, 1, 0, 0, 0);
	start(&offsets, config, 1);
	expected = offsets.sequential.begin;
	assert_int_equal(expected % KIB(128), 0);
	for (unsigned int i = 0; i < 10000; i++) {
		assert_true(offsets_next(&offsets, &random, &place));
		if (place.offset != expected) {
			assert_int_equal(place.offset, offsets.sequential.begin);
			assert_true(expected + place.length > offsets.sequential.end);
			wraps++;
		}
		assert_true(place.offset + place.length <= offsets.sequential.end);
		expected = place.offset + place.length;
	}
	assert_true(wraps > 100);
}

static void jobs_share_a_span_that_is_too_small_for_parts(void **state)
{
	struct mix mix;

	(void)state;
	mix_single(&mix, MIB(32));
	for (uint32_t job = 0; job < 4; job++) {
		struct offsets_config config = config_of(&mix, ORDER_SEQUENTIAL, MIB(64), 4);
		struct offsets offsets;
		struct random random;
		struct place place;

		config.passes = 0;
		start(&offsets, config, job);
		random_seed(&random, 1, 0, 0, 0);
		for (int i = 0; i < 10; i++) {
			assert_true(offsets_next(&offsets, &random, &place));
			assert_true(place.offset + place.length <= MIB(64));
		}
	}
}

static void once_visits_every_block_once_and_the_short_last_too(void **state)
{
	static const uint64_t bytes[] = {KIB(4),       KIB(8), MIB(1),
					 MIB(1) + 512, KIB(2), MIB(3) + KIB(3)};
	struct mix mix;

	(void)state;
	mix_single(&mix, KIB(4));
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		for (uint32_t jobs = 1; jobs <= 8; jobs++) {
			struct offsets_config config = config_of(&mix, ORDER_ONCE, bytes[i], jobs);

			config.short_last = true;
			config.span.offset = GIB(1);
			assert_covers(&config, 512, 1);
			config.passes = 3;
			assert_covers(&config, 512, 3);
		}
	}
}

static void passes_of_once_have_different_orders(void **state)
{
	struct offsets_config config;
	struct offsets offsets;
	struct random random;
	struct place place;
	uint64_t first[256], same = 0;
	struct mix mix;

	(void)state;
	mix_single(&mix, KIB(4));
	config = config_of(&mix, ORDER_ONCE, MIB(1), 1);
	config.passes = 2;
	random_seed(&random, 1, 0, 0, 0);
	start(&offsets, config, 0);
	for (int i = 0; i < 256; i++) {
		assert_true(offsets_next(&offsets, &random, &place));
		first[i] = place.offset;
	}
	for (int i = 0; i < 256; i++) {
		assert_true(offsets_next(&offsets, &random, &place));
		same += place.offset == first[i];
	}
	assert_true(same < 10);
}

static void once_over_the_largest_drive_agrees_with_the_inverse(void **state)
{
	struct offsets_config config;
	struct offsets offsets;
	struct random random;
	struct place place;
	struct mix mix;

	(void)state;
	mix_single(&mix, KIB(16));
	for (uint32_t job = 0; job < 8; job += 7) {
		config = config_of(&mix, ORDER_ONCE, CAPACITY_245TB, 8);
		config.short_last = true;
		random_seed(&random, 1, 0, 0, 0);
		start(&offsets, config, job);
		for (uint64_t i = 0; i < 100000; i++) {
			uint64_t index;

			assert_true(offsets_next(&offsets, &random, &place));
			index = permutation_index(&offsets.once.permutation,
						  place.offset / KIB(16));
			assert_int_equal(index, job + 8 * i);
		}
	}
}

static void once_refuses_a_mix(void **state)
{
	struct offsets_config config;
	struct offsets offsets;
	struct error err = {0};
	struct mix mix;

	(void)state;
	mix_cdn_write(&mix);
	config = config_of(&mix, ORDER_ONCE, GIB(1), 1);
	assert_true(offsets_init(&offsets, &config, &err) < 0);
	assert_non_null(strstr(err.text, "one block size"));
}

static void a_span_below_the_largest_request_is_refused(void **state)
{
	struct offsets_config config;
	struct offsets offsets;
	struct error err = {0};
	struct mix mix;

	(void)state;
	mix_object(&mix);
	config = config_of(&mix, ORDER_RANDOM, MIB(16), 1);
	assert_true(offsets_init(&offsets, &config, &err) < 0);
	assert_string_equal(err.text, "requests of 1GiB do not fit a span of 16MiB");
}

static void random_is_uniform_up_to_the_last_block(void **state)
{
	const unsigned int draws = 1000000;
	uint64_t tenth[10] = {0}, last_percent = 0, largest = 0;
	struct offsets_config config;
	struct offsets offsets;
	struct random random;
	struct place place;
	struct mix mix;

	(void)state;
	mix_single(&mix, KIB(4));
	config = config_of(&mix, ORDER_RANDOM, CAPACITY_245TB, 1);
	config.passes = 0;
	random_seed(&random, 5, 0, 0, 0);
	start(&offsets, config, 0);
	for (unsigned int i = 0; i < draws; i++) {
		assert_true(offsets_next(&offsets, &random, &place));
		assert_int_equal(place.offset % KIB(4), 0);
		assert_true(place.offset <= CAPACITY_245TB - KIB(4));
		tenth[(unsigned __int128)place.offset * 10 / CAPACITY_245TB]++;
		last_percent += place.offset >= CAPACITY_245TB / 100 * 99;
		largest = place.offset > largest ? place.offset : largest;
	}
	for (int i = 0; i < 10; i++)
		assert_in_range(tenth[i], draws / 10 - draws / 200, draws / 10 + draws / 200);
	assert_in_range(last_percent, draws / 100 - draws / 1000, draws / 100 + draws / 1000);
	assert_true(largest > CAPACITY_245TB / 100000 * 99999);
}

static void random_reaches_the_first_and_the_last_place_of_each_size(void **state)
{
	struct offsets_config config;
	struct offsets offsets;
	struct random random;
	struct place place;
	uint64_t lowest[2] = {UINT64_MAX, UINT64_MAX}, highest[2] = {0, 0};
	struct mix mix = {0};

	(void)state;
	mix_add(&mix, KIB(4), 5000);
	mix_add(&mix, KIB(12), 5000);
	config = config_of(&mix, ORDER_RANDOM, KIB(64) + 512, 1);
	config.passes = 0;
	config.span.offset = MIB(1);
	random_seed(&random, 5, 0, 0, 0);
	start(&offsets, config, 0);
	for (unsigned int i = 0; i < 10000; i++) {
		assert_true(offsets_next(&offsets, &random, &place));
		assert_int_equal(place.length, mix.entry[place.size].bytes);
		if (place.offset < lowest[place.size])
			lowest[place.size] = place.offset;
		if (place.offset > highest[place.size])
			highest[place.size] = place.offset;
	}
	assert_int_equal(lowest[0], MIB(1));
	assert_int_equal(lowest[1], MIB(1));
	assert_int_equal(highest[0], MIB(1) + KIB(60));
	assert_int_equal(highest[1], MIB(1) + KIB(52));
}

static double map_mean(uint64_t bytes, uint64_t seed)
{
	struct offsets_config config;
	struct offsets offsets;
	struct random random;
	struct place place;
	uint64_t requests = 0;
	struct mix mix;

	mix_object(&mix);
	config = config_of(&mix, ORDER_MAP, bytes, 1);
	random_seed(&random, seed, 0, 0, 0);
	start(&offsets, config, 0);
	while (offsets_next(&offsets, &random, &place))
		requests++;
	offsets_fini(&offsets);
	return (double)bytes / (double)requests;
}

static void the_map_cuts_object_requests_to_about_4_2_mib(void **state)
{
	static const uint64_t bytes[] = {TIB(7) / 10 / KIB(64) * KIB(64), TIB(1),
					 TIB(11) / 10 / KIB(64) * KIB(64)};

	(void)state;
	/* One pass alone varies by 3 %: 1 GiB requests are few and carry most bytes. */
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		double mean = 0;

		for (uint64_t seed = 1; seed <= 20; seed++)
			mean += map_mean(bytes[i], seed) / (double)MIB(1) / 20;
		print_message("%.1f TiB: mean request %.3f MiB\n",
			      (double)bytes[i] / (double)TIB(1), mean);
		assert_true(mean >= 4.1 && mean <= 4.4);
	}
}

static void the_map_covers_its_span_once_per_pass(void **state)
{
	struct offsets_config config;
	struct mix mix = {0};

	(void)state;
	mix_add(&mix, KIB(4), 6500);
	mix_add(&mix, KIB(512), 1500);
	mix_add(&mix, MIB(4), 2000);
	config = config_of(&mix, ORDER_MAP, MIB(64), 1);
	assert_covers(&config, KIB(4), 1);
	config.passes = 3;
	assert_covers(&config, KIB(4), 3);
	/* Each job has a map of its own, as in fio. */
	config.passes = 1;
	config.jobs = 3;
	assert_covers(&config, KIB(4), 3);
}

static void a_map_smaller_than_its_requests_does_not_hang(void **state)
{
	struct offsets_config config;
	struct mix mix;

	(void)state;
	mix_object(&mix);
	config = config_of(&mix, ORDER_MAP, MIB(4), 1);
	assert_covers(&config, KIB(64), 1);
}

static uint64_t sequence_hash(uint64_t seed, uint32_t worker, enum offset_order order)
{
	struct offsets_config config;
	struct offsets offsets;
	struct random random;
	struct place place;
	uint64_t hash = 0;
	struct mix mix;

	mix_single(&mix, KIB(4));
	config = config_of(&mix, order, CAPACITY_245TB, 8);
	config.passes = 0;
	random_seed(&random, seed, 0, 0, worker);
	start(&offsets, config, worker);
	for (int i = 0; i < 1000; i++) {
		assert_true(offsets_next(&offsets, &random, &place));
		hash = random_mix(hash ^ place.offset);
	}
	return hash;
}

static void workers_and_seeds_have_sequences_of_their_own(void **state)
{
	uint64_t hash[16];

	(void)state;
	for (uint32_t i = 0; i < 16; i++)
		hash[i] = sequence_hash(1 + i / 8, i % 8, ORDER_RANDOM);
	for (uint32_t i = 0; i < 16; i++) {
		assert_int_equal(hash[i], sequence_hash(1 + i / 8, i % 8, ORDER_RANDOM));
		for (uint32_t k = 0; k < i; k++)
			assert_int_not_equal(hash[i], hash[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequential_parts_are_disjoint_and_cover_the_span),
		cmocka_unit_test(only_the_end_of_the_span_gets_a_short_block),
		cmocka_unit_test(without_short_blocks_the_tail_is_left_out),
		cmocka_unit_test(a_sequential_mix_wraps_before_what_does_not_fit),
		cmocka_unit_test(jobs_share_a_span_that_is_too_small_for_parts),
		cmocka_unit_test(once_visits_every_block_once_and_the_short_last_too),
		cmocka_unit_test(passes_of_once_have_different_orders),
		cmocka_unit_test(once_over_the_largest_drive_agrees_with_the_inverse),
		cmocka_unit_test(once_refuses_a_mix),
		cmocka_unit_test(a_span_below_the_largest_request_is_refused),
		cmocka_unit_test(random_is_uniform_up_to_the_last_block),
		cmocka_unit_test(random_reaches_the_first_and_the_last_place_of_each_size),
		cmocka_unit_test(the_map_cuts_object_requests_to_about_4_2_mib),
		cmocka_unit_test(the_map_covers_its_span_once_per_pass),
		cmocka_unit_test(a_map_smaller_than_its_requests_does_not_hang),
		cmocka_unit_test(workers_and_seeds_have_sequences_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
