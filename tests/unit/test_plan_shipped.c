// SPDX-License-Identifier: MIT
/* Every profile that the binary holds, planned for drives as they are sold. Rows are counted against the
 * workloads that the profiles repeat. */
#include "test.h"

#include <string.h>

#include "ssdbench/plan.h"
#include "ssdbench/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* IDEMA LBA1-03 capacities of 7.68, 61.44, 122.88 and 245.76 TB: all multiples of 8 KiB, none of 16 KiB. */
static const uint64_t capacities[] = {
	7681501126656ULL,
	61451933147136ULL,
	122903855456256ULL,
	245807700074496ULL,
};

static const struct plan_options as_written = {
	.ramp_ns = UINT64_MAX,
	.idle_ns = UINT64_MAX,
};

struct planned {
	struct profile *profile;
	struct plan *plan;
	struct drive_facts facts;
};

static void plan_profile(struct planned *planned, const char *name, uint64_t capacity, uint32_t lba,
			 uint64_t indirection_unit)
{
	const struct profile_options options = {0};
	const struct drive_facts *drives[] = {&planned->facts};
	static char drive_name[] = "drive";
	struct error err = {0};

	planned->facts = (struct drive_facts){
		.kind = TARGET_BLOCK,
		.name = drive_name,
		.capacity_bytes = capacity,
		.logical_block_bytes = lba,
		.indirection_unit_bytes = indirection_unit,
	};
	assert_int_equal(profile_load(&planned->profile, name, &options, &err), 0);
	assert_int_equal(plan_build(&planned->plan, planned->profile, drives, 1, &as_written, &err),
			 0);
}

static void release(struct planned *planned)
{
	plan_free(planned->plan);
	profile_free(planned->profile);
}

/* Steps of the phases whose name begins with @prefix. */
static size_t count_rows(const struct plan *plan, enum phase_kind kind, const char *prefix)
{
	size_t nr = 0;

	for (size_t i = 0; i < plan->nr_steps; i++) {
		if (plan->step[i].kind == kind &&
		    strncmp(plan->step[i].phase_name, prefix, strlen(prefix)) == 0)
			nr++;
	}
	return nr;
}

static void check_step(const struct step *step, const struct drive_facts *facts)
{
	const struct span span = step->drive[0].span;

	if (step->kind == PHASE_IDLE)
		return;
	assert_null(step->drive[0].skip);
	assert_true(span.offset + span.bytes <= facts->capacity_bytes);
	assert_int_equal(span.offset % facts->logical_block_bytes, 0);
	assert_int_equal(span.bytes % facts->logical_block_bytes, 0);
	assert_true(span.bytes >= size_mix_max(step->mix));
	assert_true(step->iodepth >= 1 && step->numjobs >= 1);
	assert_true(step->estimate_ns > 0);
	if (step->kind == PHASE_FILL || step->kind == PHASE_RANDOM_FILL) {
		assert_int_equal(step->drive[0].write_bytes, span.bytes * step->passes);
		assert_true(step->short_last);
		assert_int_equal(step->runtime_ns, 0);
	}
}

static void every_profile_plans_for_every_capacity(void **state)
{
	struct profile_entry *entries;
	size_t nr;

	(void)state;
	assert_int_equal(profile_list(&entries, &nr, NULL, NULL), 0);
	assert_true(nr >= 6);
	for (size_t i = 0; i < nr * COUNT(capacities) * 2; i++) {
		const char *name = entries[i % nr].name;
		const uint64_t capacity = capacities[i / nr % COUNT(capacities)];
		const uint32_t lba = i / nr / COUNT(capacities) ? 4096 : 512;
		struct planned planned;
		uint64_t ns = 0;

		plan_profile(&planned, name, capacity, lba, 4096);
		for (size_t k = 0; k < planned.plan->nr_steps; k++) {
			const struct step *step = &planned.plan->step[k];

			assert_int_equal(step->index, k);
			check_step(step, &planned.facts);
			assert_false(step->drive[0].unwritten);
			ns += step->estimate_ns;
		}
		assert_int_equal(planned.plan->estimate_ns, ns);
		release(&planned);
	}
	profile_list_free(entries, nr);
}

static void cdn_has_36_rows_of_writes_then_reads(void **state)
{
	struct planned planned;
	const struct plan *plan;

	(void)state;
	for (size_t i = 0; i < COUNT(capacities); i++) {
		plan_profile(&planned, "cdn", capacities[i], 4096, 16384);
		plan = planned.plan;
		assert_int_equal(plan->nr_steps, 38);
		assert_string_equal(plan->step[0].label, "write 1MiB iodepth=1 numjobs=4");
		assert_int_equal(plan->step[0].drive[0].span.bytes, capacities[i]);
		assert_int_equal(plan->step[1].kind, PHASE_SATURATE);
		assert_int_equal(plan->step[1].runtime_ns, 3 * 3600 * NSEC_PER_SEC);
		assert_int_equal(count_rows(plan, PHASE_MEASURE, "write"), 18);
		assert_int_equal(count_rows(plan, PHASE_MEASURE, "read"), 18);
		assert_string_equal(plan->step[2].label,
				    "randwrite mix(8KiB-128KiB) iodepth=1 numjobs=1");
		assert_string_equal(plan->step[3].label,
				    "randwrite mix(8KiB-128KiB) iodepth=2 numjobs=1");
		assert_string_equal(plan->step[8].label,
				    "randwrite mix(8KiB-128KiB) iodepth=1 numjobs=2");
		assert_string_equal(plan->step[37].label,
				    "randread mix(4KiB-128KiB) iodepth=32 numjobs=4");
		assert_int_equal(plan->step[2].align, 8192);
		assert_int_equal(plan->step[20].align, 4096);
		/* 36 rows of 300 s, each with its pause of 180 s */
		assert_int_equal(plan->estimate_ns - plan->step[0].estimate_ns,
				 (3 * 3600 + 36 * (300 + 180)) * NSEC_PER_SEC);
		release(&planned);
	}
}

static void object_storage_has_4_rows_in_the_published_order(void **state)
{
	static const char *const labels[] = {
		"randread mix(64KiB-1GiB) iodepth=40 numjobs=1",
		"read mix(64KiB-1GiB) iodepth=40 numjobs=1",
		"randread mix(64KiB-1GiB) iodepth=10 numjobs=4",
		"read mix(64KiB-1GiB) iodepth=10 numjobs=4",
	};
	struct planned planned;

	(void)state;
	plan_profile(&planned, "object-storage", capacities[3], 512, 0);
	assert_int_equal(count_rows(planned.plan, PHASE_MEASURE, ""), 4);
	for (size_t i = 0; i < 4; i++) {
		const struct step *step = &planned.plan->step[planned.plan->nr_steps - 4 + i];

		assert_string_equal(step->label, labels[i]);
		assert_int_equal(step->align, 65536);
		assert_int_equal(step->order, i % 2 ? ORDER_SEQUENTIAL : ORDER_RANDOM);
	}
	release(&planned);
}

static void object_storage_map_covers_one_tebibyte(void **state)
{
	struct planned planned;
	size_t maps = 0;

	(void)state;
	plan_profile(&planned, "object-storage-map", capacities[2], 512, 0);
	for (size_t i = 0; i < planned.plan->nr_steps; i++) {
		const struct step *step = &planned.plan->step[i];

		if (step->order != ORDER_MAP)
			continue;
		maps++;
		assert_int_equal(step->map_granule, 65536);
		assert_int_equal(step->drive[0].span.bytes, 1ULL << 40);
	}
	assert_true(maps > 0);
	release(&planned);
}

static void fio_sweep_has_the_rows_of_the_reviews(void **state)
{
	struct planned planned;
	const struct plan *plan;

	(void)state;
	plan_profile(&planned, "fio-sweep", capacities[0], 512, 4096);
	plan = planned.plan;
	assert_string_equal(plan->step[0].label, "write 128KiB iodepth=256 numjobs=1 passes=2");
	assert_string_equal(plan->step[1].label, "write 128KiB iodepth=16 numjobs=1");
	assert_string_equal(plan->step[2].label, "read 128KiB iodepth=64 numjobs=1");
	assert_int_equal(count_rows(plan, PHASE_MEASURE, "128k"), 2);
	assert_int_equal(count_rows(plan, PHASE_MEASURE, "64k"), 36);
	assert_int_equal(count_rows(plan, PHASE_MEASURE, "16k"), 48);
	assert_int_equal(count_rows(plan, PHASE_MEASURE, "4k"), 48);
	assert_int_equal(count_rows(plan, PHASE_RANDOM_FILL, ""), 3);
	assert_int_equal(plan->write_bytes[0] > 5 * capacities[0], 1);
	/* iodepth ascending, numjobs inside */
	assert_string_equal(plan->step[4].label, "randwrite 64KiB iodepth=1 numjobs=1");
	assert_string_equal(plan->step[5].label, "randwrite 64KiB iodepth=1 numjobs=4");
	assert_string_equal(plan->step[7].label, "randwrite 64KiB iodepth=2 numjobs=1");
	assert_string_equal(plan->step[22].label, "randread 64KiB iodepth=1 numjobs=1");
	release(&planned);
}

static void above_4_kib_of_indirection_unit_4k_rows_only_read(void **state)
{
	struct planned planned;
	const struct plan *plan;

	(void)state;
	plan_profile(&planned, "fio-sweep", capacities[3], 4096, 16384);
	plan = planned.plan;
	assert_int_equal(count_rows(plan, PHASE_MEASURE, "128k"), 2);
	assert_int_equal(count_rows(plan, PHASE_MEASURE, "64k"), 36);
	assert_int_equal(count_rows(plan, PHASE_MEASURE, "16k"), 48);
	assert_int_equal(count_rows(plan, PHASE_MEASURE, "4k"), 24);
	assert_int_equal(count_rows(plan, PHASE_RANDOM_FILL, ""), 2);
	for (size_t i = 0; i < plan->nr_steps; i++) {
		if (strncmp(plan->step[i].phase_name, "4k", 2) == 0)
			assert_int_equal(plan->step[i].rw, RW_RANDREAD);
	}
	release(&planned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_profile_plans_for_every_capacity),
		cmocka_unit_test(cdn_has_36_rows_of_writes_then_reads),
		cmocka_unit_test(object_storage_has_4_rows_in_the_published_order),
		cmocka_unit_test(object_storage_map_covers_one_tebibyte),
		cmocka_unit_test(fio_sweep_has_the_rows_of_the_reviews),
		cmocka_unit_test(above_4_kib_of_indirection_unit_4k_rows_only_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
