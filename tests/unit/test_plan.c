// SPDX-License-Identifier: MIT
/* Plans of small profiles made by hand; test_plan_shipped.c plans the real ones. */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "ssdbench/plan.h"
#include "ssdbench/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define KIB          1024ULL
#define MIB          (1024ULL * KIB)
#define GIB          (1024ULL * MIB)
#define SECONDS(n)   ((n)*NSEC_PER_SEC)

/* One size, as an array so that it can be a sweep of one. */
#define ONE_SIZE(size)                                                                             \
	{                                                                                          \
		.nr = 1, .entry = (void *)&(struct {                                               \
				 uint64_t bytes;                                                   \
				 uint32_t basis_points;                                            \
			 })                                                                        \
		{                                                                                  \
			(size), 10000                                                              \
		}                                                                                  \
	}

static const enum axis usual_order[AXES] = {AXIS_RW, AXIS_BS, AXIS_NUMJOBS, AXIS_IODEPTH};

static const struct plan_options as_written = {
	.ramp_ns = UINT64_MAX,
	.idle_ns = UINT64_MAX,
};

static struct drive_facts drive_of(uint64_t capacity, uint32_t lba)
{
	return (struct drive_facts){
		.kind = TARGET_BLOCK,
		.name = "disk0",
		.capacity_bytes = capacity,
		.logical_block_bytes = lba,
	};
}

/* A phase of one row over the whole drive. The lists are the caller's. */
static struct phase phase_of(enum phase_kind kind, char *name, enum rw *rw, struct size_mix *bs,
			     struct point *point)
{
	struct phase phase = {
		.kind = kind,
		.name = name,
		.rw = rw,
		.nr_rw = 1,
		.bs = bs,
		.nr_bs = 1,
		.point = point,
		.nr_points = 1,
		.size.basis_points = 10000,
		.passes = 1,
	};

	memcpy(phase.order, usual_order, sizeof(usual_order));
	if (kind == PHASE_MEASURE || kind == PHASE_SATURATE)
		phase.runtime_ns = SECONDS(60);
	return phase;
}

static int build(struct plan **plan, struct phase *phases, size_t nr, struct drive_facts *facts,
		 const struct plan_options *options, struct error *err)
{
	/* Plans borrow their profile: it must outlive the call. */
	static struct profile profile;
	const struct drive_facts *drives[] = {facts};

	profile = (struct profile){.name = "test", .phase = phases, .nr_phases = nr};
	error_clear(err);
	return plan_build(plan, &profile, drives, 1, options, err);
}

static void a_fill_covers_a_capacity_that_no_block_size_divides(void **state)
{
	enum rw rw = RW_WRITE;
	struct size_mix bs = ONE_SIZE(MIB);
	struct point point = {1, 4};
	struct phase phase = phase_of(PHASE_FILL, "fill", &rw, &bs, &point);
	struct drive_facts facts = drive_of(7681501126656ULL, 512);
	struct error err;
	struct plan *plan;

	(void)state;
	phase.passes = 2;
	phase.idle_ns = SECONDS(10);
	assert_int_equal(build(&plan, &phase, 1, &facts, &as_written, &err), 0);
	assert_int_equal(plan->nr_steps, 1);
	assert_int_equal(plan->step[0].order, ORDER_SEQUENTIAL);
	assert_true(plan->step[0].short_last);
	assert_int_equal(plan->step[0].runtime_ns, 0);
	assert_int_equal(plan->step[0].drive[0].span.offset, 0);
	assert_int_equal(plan->step[0].drive[0].span.bytes, 7681501126656ULL);
	assert_int_equal(plan->write_bytes[0], 2 * 7681501126656ULL);
	assert_int_equal(plan->read_bytes[0], 0);
	/* 15,363,002,253,312 bytes at 3 GB/s, then the pause */
	assert_int_equal(plan->estimate_ns / NSEC_PER_SEC, 5121 + 10);
	assert_string_equal(plan->step[0].label, "write 1MiB iodepth=1 numjobs=4 passes=2");
	assert_true(plan->writes);
	plan_free(plan);
}

static void rows_come_in_the_order_of_the_axes(void **state)
{
	enum rw rw[] = {RW_RANDWRITE, RW_RANDREAD};
	struct size_mix bs = ONE_SIZE(16 * KIB);
	struct point points[] = {{1, 1}, {1, 4}, {2, 1}, {2, 4}};
	struct phase phase = phase_of(PHASE_MEASURE, "rows", rw, &bs, points);
	static const enum axis points_outside[AXES] = {AXIS_IODEPTH, AXIS_BS, AXIS_RW,
						       AXIS_NUMJOBS};
	static const char *const rw_outside_labels[] = {
		"randwrite 16KiB iodepth=1 numjobs=1", "randwrite 16KiB iodepth=1 numjobs=4",
		"randwrite 16KiB iodepth=2 numjobs=1", "randwrite 16KiB iodepth=2 numjobs=4",
		"randread 16KiB iodepth=1 numjobs=1",  "randread 16KiB iodepth=1 numjobs=4",
		"randread 16KiB iodepth=2 numjobs=1",  "randread 16KiB iodepth=2 numjobs=4",
	};
	struct drive_facts facts = drive_of(GIB, 4096);
	struct error err;
	struct plan *plan;

	(void)state;
	phase.nr_rw = COUNT(rw);
	phase.nr_points = COUNT(points);
	assert_int_equal(build(&plan, &phase, 1, &facts, &as_written, &err), 0);
	assert_int_equal(plan->nr_steps, COUNT(rw_outside_labels));
	for (size_t i = 0; i < plan->nr_steps; i++) {
		assert_string_equal(plan->step[i].label, rw_outside_labels[i]);
		assert_int_equal(plan->step[i].index, i);
		assert_int_equal(plan->step[i].order, ORDER_RANDOM);
		assert_int_equal(plan->step[i].align, 16 * KIB);
	}
	plan_free(plan);

	memcpy(phase.order, points_outside, sizeof(points_outside));
	assert_int_equal(build(&plan, &phase, 1, &facts, &as_written, &err), 0);
	assert_string_equal(plan->step[0].label, "randwrite 16KiB iodepth=1 numjobs=1");
	assert_string_equal(plan->step[1].label, "randread 16KiB iodepth=1 numjobs=1");
	assert_string_equal(plan->step[7].label, "randread 16KiB iodepth=2 numjobs=4");
	plan_free(plan);
}

static void sizes_that_the_lba_does_not_divide_are_skipped(void **state)
{
	enum rw rw = RW_RANDWRITE;
	struct size_mix bs[] = {ONE_SIZE(512), ONE_SIZE(KIB), ONE_SIZE(6 * KIB), ONE_SIZE(4 * KIB)};
	static const char *const reasons[] = {"bs 512 < LBA 4096", "bs 1024 < LBA 4096",
					      "bs 6144 is not a multiple of LBA 4096"};
	struct point point = {1, 1};
	struct phase phase = phase_of(PHASE_MEASURE, "sizes", &rw, bs, &point);
	struct drive_facts facts = drive_of(GIB, 4096);
	struct error err;
	struct plan *plan;

	(void)state;
	phase.nr_bs = COUNT(bs);
	assert_int_equal(build(&plan, &phase, 1, &facts, &as_written, &err), 0);
	assert_int_equal(plan->nr_steps, 4);
	for (size_t i = 0; i < COUNT(reasons); i++) {
		assert_true(step_is_skipped(&plan->step[i], 1));
		assert_string_equal(plan->step[i].drive[0].skip, reasons[i]);
		assert_int_equal(plan->step[i].estimate_ns, 0);
		assert_int_equal(plan->step[i].drive[0].write_bytes, 0);
	}
	assert_false(step_is_skipped(&plan->step[3], 1));
	assert_int_equal(plan->estimate_ns, SECONDS(60));
	plan_free(plan);

	phase.nr_bs = 3;
	assert_int_equal(build(&plan, &phase, 1, &facts, &as_written, &err), -EINVAL);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(
		err.text,
		"profile 'test' has nothing to run on disk0: bs 6144 is not a multiple of "
		"LBA 4096");
}

static void a_condition_decides_by_the_facts_of_each_drive(void **state)
{
	enum rw rw = RW_RANDWRITE;
	struct size_mix bs = ONE_SIZE(4 * KIB);
	struct point point = {1, 1};
	struct condition when = {FACT_INDIRECTION_UNIT, CMP_LE, 4 * KIB};
	struct phase phases[] = {
		phase_of(PHASE_MEASURE, "small", &rw, &bs, &point),
		phase_of(PHASE_MEASURE, "always", &rw, &bs, &point),
	};
	const struct profile profile = {.name = "test", .phase = phases, .nr_phases = 2};
	struct drive_facts coarse = drive_of(GIB, 512), fine = drive_of(GIB, 512),
			   unknown = drive_of(GIB, 512);
	const struct drive_facts *drives[] = {&coarse, &fine, &unknown};
	struct error err = {0};
	struct plan *plan;

	(void)state;
	coarse.indirection_unit_bytes = 16 * KIB;
	fine.indirection_unit_bytes = 4 * KIB;
	phases[0].when = &when;
	phases[0].nr_when = 1;
	assert_int_equal(plan_build(&plan, &profile, drives, 3, &as_written, &err), 0);
	assert_int_equal(plan->nr_steps, 2);
	assert_string_equal(plan->step[0].drive[0].skip, "indirection_unit is 16KiB, not <= 4KiB");
	assert_null(plan->step[0].drive[1].skip);
	assert_null(plan->step[0].drive[2].skip);
	assert_false(step_is_skipped(&plan->step[0], 3));
	assert_null(plan->step[1].drive[0].skip);
	/* the guess is said, once */
	assert_int_equal(plan->nr_warnings, 1);
	assert_string_equal(plan->warning[0], "disk0 does not report its indirection unit: phase "
					      "'small' takes it as 4KiB");
	plan_free(plan);
}

static void an_unknown_indirection_unit_is_at_least_the_lba(void **state)
{
	enum rw rw = RW_RANDWRITE;
	struct size_mix bs = ONE_SIZE(16 * KIB);
	struct point point = {1, 1};
	struct condition when = {FACT_INDIRECTION_UNIT, CMP_LE, 4 * KIB};
	struct phase phases[] = {
		phase_of(PHASE_MEASURE, "small", &rw, &bs, &point),
		phase_of(PHASE_MEASURE, "always", &rw, &bs, &point),
	};
	struct drive_facts facts = drive_of(GIB, 16 * KIB);
	struct error err;
	struct plan *plan;

	(void)state;
	phases[0].when = &when;
	phases[0].nr_when = 1;
	assert_int_equal(build(&plan, phases, 2, &facts, &as_written, &err), 0);
	assert_int_equal(plan->nr_steps, 1);
	assert_string_equal(plan->step[0].phase_name, "always");
	assert_int_equal(plan->nr_warnings, 2);
	assert_string_equal(plan->warning[0], "disk0 does not report its indirection unit: phase "
					      "'small' takes it as 16KiB");
	assert_string_equal(plan->warning[1],
			    "phase 'small' is left out: indirection_unit is 16KiB, not <= 4KiB");
	plan_free(plan);

	assert_int_equal(build(&plan, phases, 1, &facts, &as_written, &err), -EINVAL);
	assert_string_equal(err.text,
			    "profile 'test' has nothing to run on disk0: phase 'small' is "
			    "left out: indirection_unit is 16KiB, not <= 4KiB");
}

static void spans_are_shares_of_the_capacity_in_whole_lbas(void **state)
{
	enum rw rw = RW_RANDREAD;
	struct size_mix bs = ONE_SIZE(4 * KIB);
	struct point point = {1, 1};
	struct phase phase = phase_of(PHASE_MEASURE, "part", &rw, &bs, &point);
	struct drive_facts facts = drive_of(245807700074496ULL, 4096);
	struct plan_options options = as_written;
	struct error err;
	struct plan *plan;

	(void)state;
	options.assume_filled = true;
	phase.offset.basis_points = 3333;
	phase.size.basis_points = 9851;
	assert_int_equal(build(&plan, &phase, 1, &facts, &options, &err), 0);
	/* 81,927,706,434,829.5 and, cut at the end of the drive, the rest */
	assert_int_equal(plan->step[0].drive[0].span.offset, 81927706431488ULL);
	assert_int_equal(plan->step[0].drive[0].span.bytes, 245807700074496ULL - 81927706431488ULL);
	assert_int_equal(plan->nr_warnings, 0);
	plan_free(plan);

	options.size_bytes = 10 * MIB + 100;
	assert_int_equal(build(&plan, &phase, 1, &facts, &options, &err), 0);
	assert_int_equal(plan->step[0].drive[0].span.bytes, 10 * MIB);
	plan_free(plan);
}

static void a_size_beyond_the_drive_is_cut_and_said(void **state)
{
	enum rw rw = RW_RANDWRITE;
	struct size_mix bs = ONE_SIZE(4 * KIB);
	struct point point = {1, 1};
	struct phase phase = phase_of(PHASE_MEASURE, "part", &rw, &bs, &point);
	struct drive_facts facts = drive_of(GIB, 512);
	struct error err;
	struct plan *plan;

	(void)state;
	phase.size = (struct extent){.bytes = 4 * GIB};
	assert_int_equal(build(&plan, &phase, 1, &facts, &as_written, &err), 0);
	assert_int_equal(plan->step[0].drive[0].span.bytes, GIB);
	assert_int_equal(plan->nr_warnings, 1);
	assert_string_equal(plan->warning[0], "a span of 4GiB is more than disk0 has: cut to 1GiB");
	plan_free(plan);
}

static void a_span_that_is_too_small_is_refused_with_the_numbers(void **state)
{
	enum rw random = RW_RANDWRITE, sequential = RW_WRITE;
	struct size_mix huge = ONE_SIZE(GIB), large = ONE_SIZE(MIB);
	struct point one = {32, 1}, four = {1, 4};
	struct phase phase = phase_of(PHASE_MEASURE, "objects", &random, &huge, &one);
	struct phase fill = phase_of(PHASE_FILL, "fill", &sequential, &large, &four);
	struct drive_facts small = drive_of(16 * MIB, 512), tiny = drive_of(3 * MIB, 512);
	struct error err;
	struct plan *plan;

	(void)state;
	assert_int_equal(build(&plan, &phase, 1, &small, &as_written, &err), -EINVAL);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "need 1GiB, have 16MiB"));
	assert_non_null(strstr(err.text, "disk0"));

	assert_int_equal(build(&plan, &fill, 1, &tiny, &as_written, &err), -EINVAL);
	assert_non_null(strstr(err.text, "each of 4 jobs"));
	assert_non_null(strstr(err.text, "need 4MiB, have 3MiB"));
}

static void reads_of_what_no_step_wrote_are_marked(void **state)
{
	enum rw write = RW_WRITE, read = RW_RANDREAD, both = RW_RANDRW;
	struct size_mix bs = ONE_SIZE(64 * KIB);
	struct point point = {1, 1};
	struct phase phases[] = {
		phase_of(PHASE_FILL, "lower", &write, &bs, &point),
		phase_of(PHASE_MEASURE, "early", &read, &bs, &point),
		phase_of(PHASE_RANDOM_FILL, "upper", &write, &bs, &point),
		phase_of(PHASE_MEASURE, "late", &both, &bs, &point),
	};
	static const char *const only[] = {"upper", "late"};
	struct drive_facts facts = drive_of(GIB, 512);
	struct plan_options options = as_written;
	struct error err;
	struct plan *plan;

	(void)state;
	phases[0].size.basis_points = 5000;
	phases[2].offset.basis_points = 5000;
	phases[2].size.basis_points = 5000;
	phases[3].rwmixread = 70;
	assert_int_equal(build(&plan, phases, 4, &facts, &as_written, &err), 0);
	assert_int_equal(plan->step[2].order, ORDER_ONCE);
	assert_true(plan->step[1].drive[0].unwritten);
	assert_false(plan->step[3].drive[0].unwritten);
	assert_int_equal(plan->step[3].read_percent, 70);
	assert_string_equal(plan->step[3].label, "randrw 64KiB rwmixread=70 iodepth=1 numjobs=1");
	assert_int_equal(plan->nr_warnings, 1);
	assert_non_null(strstr(plan->warning[0], "phase 'early' reads blocks of disk0"));
	plan_free(plan);

	/* what --only leaves out writes nothing */
	options.only = only;
	options.nr_only = COUNT(only);
	assert_int_equal(build(&plan, phases, 4, &facts, &options, &err), 0);
	assert_int_equal(plan->nr_steps, 2);
	assert_true(plan->step[1].drive[0].unwritten);
	plan_free(plan);

	options.assume_filled = true;
	assert_int_equal(build(&plan, phases, 4, &facts, &options, &err), 0);
	assert_false(plan->step[1].drive[0].unwritten);
	assert_int_equal(plan->nr_warnings, 0);
	plan_free(plan);

	options = as_written;
	facts.kind = TARGET_NULL;
	assert_int_equal(build(&plan, phases, 4, &facts, &options, &err), 0);
	assert_false(plan->step[1].drive[0].unwritten);
	plan_free(plan);
}

static void nothing_written_before_a_purge_counts_after_it(void **state)
{
	enum rw write = RW_WRITE, read = RW_RANDREAD;
	struct size_mix bs = ONE_SIZE(64 * KIB);
	struct point point = {1, 1};
	struct phase phases[] = {
		phase_of(PHASE_FILL, "fill", &write, &bs, &point),
		{.kind = PHASE_PURGE,
		 .name = "purge",
		 .purge = PURGE_FORMAT,
		 .idle_ns = SECONDS(5)},
		phase_of(PHASE_MEASURE, "read", &read, &bs, &point),
	};
	struct drive_facts facts = drive_of(GIB, 512);
	struct plan_options options = as_written;
	struct error err;
	struct plan *plan;

	(void)state;
	options.assume_filled = true;
	assert_int_equal(build(&plan, phases, 3, &facts, &options, &err), 0);
	assert_string_equal(plan->step[1].label, "purge format");
	assert_int_equal(plan->step[1].purge, PURGE_FORMAT);
	assert_int_equal(plan->step[1].drive[0].span.bytes, GIB);
	assert_int_equal(plan->step[1].drive[0].write_bytes, 0);
	assert_int_equal(plan->step[1].estimate_ns, SECONDS(60 + 5));
	assert_true(plan->step[2].drive[0].unwritten);
	plan_free(plan);

	/* none is no purge */
	phases[1].purge = PURGE_NONE;
	assert_int_equal(build(&plan, phases, 3, &facts, &as_written, &err), 0);
	assert_int_equal(plan->nr_steps, 2);
	assert_int_equal(plan->nr_warnings, 0);
	assert_false(plan->step[1].drive[0].unwritten);
	plan_free(plan);
	assert_int_equal(build(&plan, &phases[1], 1, &facts, &as_written, &err), -EINVAL);
	assert_non_null(strstr(err.text, "its method of purge is none"));
}

static void a_purge_destroys_without_writing(void **state)
{
	enum rw read = RW_RANDREAD;
	struct size_mix bs = ONE_SIZE(64 * KIB);
	struct point point = {1, 1};
	struct phase phases[] = {
		phase_of(PHASE_MEASURE, "read", &read, &bs, &point),
		{.kind = PHASE_PURGE, .name = "purge", .purge = PURGE_SANITIZE_OVERWRITE},
	};
	struct drive_facts facts = drive_of(GIB, 512);
	struct plan_options options = as_written;
	struct error err;
	struct plan *plan;

	(void)state;
	assert_int_equal(build(&plan, phases, 1, &facts, &as_written, &err), 0);
	assert_false(plan->writes);
	assert_false(plan_destroys(plan, 0));
	plan_free(plan);

	options.write_rate = GIB / 100;
	assert_int_equal(build(&plan, phases, 2, &facts, &options, &err), 0);
	assert_true(plan->writes);
	assert_true(plan_destroys(plan, 0));
	assert_int_equal(plan->write_bytes[0], 0);
	/* an overwrite takes the time of the writes */
	assert_int_equal(plan->step[1].estimate_ns / NSEC_PER_SEC, 100);
	plan_free(plan);
}

static void options_replace_times_but_make_no_pause(void **state)
{
	enum rw rw = RW_RANDWRITE;
	struct size_mix bs = ONE_SIZE(4 * KIB);
	struct point point = {1, 1};
	struct phase phases[] = {
		phase_of(PHASE_MEASURE, "with-pause", &rw, &bs, &point),
		phase_of(PHASE_MEASURE, "without", &rw, &bs, &point),
		{.kind = PHASE_IDLE, .name = "rest", .runtime_ns = SECONDS(600)},
	};
	struct drive_facts facts = drive_of(GIB, 512);
	struct plan_options options = as_written;
	struct error err;
	struct plan *plan;

	(void)state;
	phases[0].idle_ns = SECONDS(180);
	phases[0].ramp_ns = SECONDS(5);
	assert_int_equal(build(&plan, phases, 3, &facts, &as_written, &err), 0);
	assert_int_equal(plan->step[0].estimate_ns, SECONDS(5 + 60 + 180));
	assert_int_equal(plan->step[2].estimate_ns, SECONDS(600));
	assert_string_equal(plan->step[2].label, "idle 600s");
	/* 65 s at 3 GB/s */
	assert_int_equal(plan->step[0].drive[0].write_bytes, 65 * 3000000000ULL);
	plan_free(plan);

	options.runtime_ns = SECONDS(2);
	options.ramp_ns = SECONDS(3);
	options.idle_ns = SECONDS(1);
	options.write_rate = 1000;
	assert_int_equal(build(&plan, phases, 3, &facts, &options, &err), 0);
	assert_int_equal(plan->step[0].estimate_ns, SECONDS(3 + 2 + 1));
	assert_int_equal(plan->step[1].idle_ns, 0);
	assert_int_equal(plan->step[1].estimate_ns, SECONDS(3 + 2));
	assert_int_equal(plan->step[2].estimate_ns, SECONDS(1));
	assert_int_equal(plan->step[0].drive[0].write_bytes, 5000);
	assert_int_equal(plan->estimate_ns, SECONDS(6 + 5 + 1));
	plan_free(plan);
}

static void a_word_that_names_no_phase_is_an_error(void **state)
{
	enum rw rw = RW_WRITE;
	struct size_mix bs = ONE_SIZE(4 * KIB);
	struct point point = {1, 1};
	struct phase phase = phase_of(PHASE_FILL, "fill", &rw, &bs, &point);
	static const char *const only[] = {"fill", "fil"};
	struct drive_facts facts = drive_of(GIB, 512);
	struct plan_options options = as_written;
	struct error err;
	struct plan *plan;

	(void)state;
	options.only = only;
	options.nr_only = 2;
	assert_int_equal(build(&plan, &phase, 1, &facts, &options, &err), -EINVAL);
	assert_string_equal(err.text, "--only fil: profile 'test' has no such phase (it has fill)");
}

static void a_map_covers_its_region_and_only_where_offsets_are_random(void **state)
{
	enum rw rw[] = {RW_RANDREAD, RW_READ};
	struct size_mix bs = ONE_SIZE(MIB);
	struct point point = {1, 1};
	struct phase phase = phase_of(PHASE_MEASURE, "map", rw, &bs, &point);
	struct drive_facts facts = drive_of(GIB, 512);
	struct error err;
	struct plan *plan;

	(void)state;
	phase.nr_rw = 2;
	phase.map_granule = 64 * KIB;
	phase.map_region = 100 * MIB;
	assert_int_equal(build(&plan, &phase, 1, &facts, &as_written, &err), 0);
	assert_int_equal(plan->step[0].order, ORDER_MAP);
	assert_int_equal(plan->step[0].map_granule, 64 * KIB);
	assert_int_equal(plan->step[0].drive[0].span.bytes, 100 * MIB);
	assert_int_equal(plan->step[1].order, ORDER_SEQUENTIAL);
	assert_int_equal(plan->step[1].map_granule, 0);
	assert_int_equal(plan->step[1].drive[0].span.bytes, GIB);
	plan_free(plan);
}

static void labels_are_unique_within_a_phase(void **state)
{
	enum rw rw = RW_RANDREAD;
	struct size_mix bs[] = {ONE_SIZE(4 * KIB), ONE_SIZE(4 * KIB), ONE_SIZE(4 * KIB)};
	struct point point = {1, 1};
	struct phase phase = phase_of(PHASE_MEASURE, "twins", &rw, bs, &point);
	struct drive_facts facts = drive_of(GIB, 512);
	struct error err;
	struct plan *plan;

	(void)state;
	phase.nr_bs = COUNT(bs);
	assert_int_equal(build(&plan, &phase, 1, &facts, &as_written, &err), 0);
	assert_string_equal(plan->step[0].label, "randread 4KiB iodepth=1 numjobs=1");
	assert_string_equal(plan->step[1].label, "randread 4KiB iodepth=1 numjobs=1 #2");
	assert_string_equal(plan->step[2].label, "randread 4KiB iodepth=1 numjobs=1 #3");
	plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fill_covers_a_capacity_that_no_block_size_divides),
		cmocka_unit_test(rows_come_in_the_order_of_the_axes),
		cmocka_unit_test(sizes_that_the_lba_does_not_divide_are_skipped),
		cmocka_unit_test(a_condition_decides_by_the_facts_of_each_drive),
		cmocka_unit_test(an_unknown_indirection_unit_is_at_least_the_lba),
		cmocka_unit_test(spans_are_shares_of_the_capacity_in_whole_lbas),
		cmocka_unit_test(a_size_beyond_the_drive_is_cut_and_said),
		cmocka_unit_test(a_span_that_is_too_small_is_refused_with_the_numbers),
		cmocka_unit_test(reads_of_what_no_step_wrote_are_marked),
		cmocka_unit_test(nothing_written_before_a_purge_counts_after_it),
		cmocka_unit_test(a_purge_destroys_without_writing),
		cmocka_unit_test(options_replace_times_but_make_no_pause),
		cmocka_unit_test(a_word_that_names_no_phase_is_an_error),
		cmocka_unit_test(a_map_covers_its_region_and_only_where_offsets_are_random),
		cmocka_unit_test(labels_are_unique_within_a_phase),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
