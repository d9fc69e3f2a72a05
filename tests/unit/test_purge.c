// SPDX-License-Identifier: MIT
/* Purges of a drive that is an admin channel in memory. What is checked around them is target_recheck()'s. */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "fake_admin.h"
#include "ssdbench/purge.h"
#include "target/internal.h"

#define INVALID_FORMAT 0x410a /* with DNR, as drives send it */
#define INVALID_OPCODE 0x4001
#define INTERNAL_ERROR 0x4006

static struct fake_admin fake;
static char word[] = "nvme0n1", disk[] = "ssdbench-no-disk", controller_name[] = "nvme0";
static struct drive_controller controller = {.name = controller_name};
static struct drive_facts facts, sibling_facts;
static struct target target, sibling;
static struct target *targets[] = {&target, &sibling};
static struct purge_request request;
static struct purge_outcome outcome;
static struct error err;
static atomic_int stop;
static double fractions[16];
static unsigned int nr_fractions, rechecks;
static int recheck_answer;

/* The name is the linker's. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __wrap_target_recheck(struct target *checked, struct error *cause);

int __wrap_target_recheck(struct target *checked, struct error *cause)
{
	assert_ptr_equal(checked, &target);
	rechecks++;
	return recheck_answer ? error_refuse(cause, "%s: is mounted now", word) : 0;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void on_progress(void *context, double fraction)
{
	assert_ptr_equal(context, &fake);
	assert_true(nr_fractions < 16);
	fractions[nr_fractions++] = fraction;
}

static int setup(void **state)
{
	(void)state;
	fake_admin_init(&fake);
	facts = (struct drive_facts){
		.kind = TARGET_BLOCK,
		.word = word,
		.name = word,
		.disk = disk,
		.capacity_bytes = 1ULL << 30,
		.nsid = 1,
		.controller = &controller,
		.nr_controllers = 1,
	};
	target = (struct target){
		.facts = &facts,
		.admin = &fake.admin,
		.roots = target_roots_default,
		.access = TARGET_WRITE,
		.fd = -1,
	};
	sibling_facts = facts;
	sibling_facts.nsid = 2;
	sibling = target;
	sibling.facts = &sibling_facts;
	request = (struct purge_request){
		.targets = targets,
		.nr_targets = 1,
		.stop = &stop,
		.progress = on_progress,
		.context = &fake,
	};
	err = (struct error){0};
	atomic_store(&stop, 0);
	nr_fractions = rechecks = 0;
	recheck_answer = 0;
	return 0;
}

static int purge_by(enum purge_method method)
{
	request.method = method;
	return target_purge(&target, &request, &outcome, &err);
}

static void expect_text(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

/* It did not come about, nothing was begun, and the reason has @part in it. */
static void expect_unpurged(enum purge_method method, int code, const char *part)
{
	assert_int_equal(purge_by(method), code);
	assert_int_equal(err.code, code);
	expect_text(err.text, part);
	expect_text(err.text, word);
	assert_int_equal(outcome.used, PURGE_NONE);
	assert_string_equal(outcome.fallback, "");
}

static void a_format_erases_one_namespace_and_keeps_its_format(void **state)
{
	(void)state;
	fake.ns[26] = 0x12; /* the third format, metadata behind the data */
	fake.ns[29] = 0x0a; /* protection type 2, at the start of the metadata */
	assert_int_equal(purge_by(PURGE_FORMAT), 0);
	assert_int_equal(outcome.used, PURGE_FORMAT);
	assert_int_equal(outcome.nvme_status, 0);
	assert_string_equal(outcome.fallback, "");
	assert_true(outcome.duration_ns > 0);
	assert_int_equal(fake.formats, 1);
	assert_int_equal(fake.format_nsid, 1);
	/* LBAF 2, MSET 1, PI 2, PIL 1, SES 1 */
	assert_int_equal(fake.format_dword10, 0x2 | 1 << 4 | 2 << 5 | 1 << 8 | 1 << 9);
	assert_int_equal(rechecks, 2); /* before and after */
}

static void the_index_of_a_format_may_have_six_bits(void **state)
{
	(void)state;
	fake.ns[25] = 40;
	fake.ns[26] = 0x43; /* 2 << 4 | 3 */
	assert_int_equal(purge_by(PURGE_FORMAT), 0);
	assert_int_equal(fake.format_dword10, 0x3 | 2 << 12 | 1 << 9);
}

static void a_cryptographic_erase_is_another_setting(void **state)
{
	(void)state;
	assert_int_equal(purge_by(PURGE_FORMAT_CRYPTO), 0);
	assert_int_equal(outcome.used, PURGE_FORMAT_CRYPTO);
	assert_int_equal(fake.format_dword10 >> 9 & 0x7, 2);
}

static void a_drive_without_format_is_told_by_oacs(void **state)
{
	(void)state;
	put_u16(fake.controller + 256, 0x0008);
	expect_unpurged(PURGE_FORMAT, -ENOTSUP, "OACS bit 1");
	assert_int_equal(fake.formats, 0);
	assert_int_equal(outcome.nvme_status, -1);
	assert_false(outcome.drive_failed);
}

static void a_drive_without_cryptographic_erase_is_told_by_fna(void **state)
{
	(void)state;
	fake.controller[524] = 0;
	expect_unpurged(PURGE_FORMAT_CRYPTO, -ENOTSUP, "FNA bit 2");
	assert_int_equal(fake.formats, 0);
	/* it takes the other setting */
	err = (struct error){0};
	assert_int_equal(purge_by(PURGE_FORMAT), 0);
	assert_int_equal(fake.format_dword10 >> 9 & 0x7, 1);
}

static void a_refused_format_is_no_purge(void **state)
{
	(void)state;
	fake.format_status = INVALID_FORMAT;
	expect_unpurged(PURGE_FORMAT, -ENOTSUP, "0x10a (invalid format)");
	assert_int_equal(outcome.nvme_status, INVALID_FORMAT);
	assert_true(outcome.drive_failed);
	assert_int_equal(fake.formats, 1);
}

static void a_format_that_fails_ends_the_purge(void **state)
{
	(void)state;
	fake.format_status = INTERNAL_ERROR;
	assert_int_equal(purge_by(PURGE_AUTO), -EIO);
	expect_text(err.text, "Format NVM: the drive answers NVMe status 0x006");
	assert_int_equal(outcome.used, PURGE_FORMAT);
	assert_int_equal(outcome.nvme_status, INTERNAL_ERROR);
	assert_true(outcome.drive_failed);
	assert_int_equal(fake.sanitizes, 0);
}

static void auto_goes_on_to_what_the_drive_has_and_says_why(void **state)
{
	(void)state;
	fake.format_status = INVALID_FORMAT;
	put_u32(fake.controller + 328, NVME_SANICAP_CRYPTO);
	assert_int_equal(purge_by(PURGE_AUTO), 0);
	assert_int_equal(outcome.used, PURGE_SANITIZE_CRYPTO);
	assert_int_equal(outcome.nvme_status, 0);
	assert_false(outcome.drive_failed);
	expect_text(outcome.fallback, "format: Format NVM: the drive answers NVMe status 0x10a");
	expect_text(outcome.fallback, "; sanitize-block: the drive has no sanitize by block erase");
	assert_int_equal(fake.sanitize_dword10, 0x4);
}

static void a_drive_that_has_nothing_is_not_purged(void **state)
{
	(void)state;
	put_u16(fake.controller + 256, 0);
	put_u32(fake.controller + 328, 0);
	expect_unpurged(PURGE_AUTO, -ENOTSUP, "format: ");
	expect_text(err.text, "; sanitize-crypto: ");
	expect_text(err.text, "; discard: the device has no discard");
}

static void a_sanitize_is_waited_for(void **state)
{
	(void)state;
	fake.sanitize_polls = 3;
	assert_int_equal(purge_by(PURGE_SANITIZE), 0);
	assert_int_equal(outcome.used, PURGE_SANITIZE_BLOCK);
	assert_int_equal(fake.sanitize_dword10, 0x2);
	assert_int_equal(nr_fractions, 3);
	for (unsigned int i = 0; i < 3; i++)
		assert_true(fractions[i] > 0.1 * (7 + i) - 0.01 &&
			    fractions[i] < 0.1 * (7 + i) + 0.01);
	assert_true(outcome.duration_ns >= 3 * 200000000ULL);
	assert_int_equal(fake.sanitize_now, 1);
}

static void an_overwrite_is_one_pass(void **state)
{
	(void)state;
	put_u32(fake.controller + 328, NVME_SANICAP_OVERWRITE);
	assert_int_equal(purge_by(PURGE_SANITIZE), 0);
	assert_int_equal(outcome.used, PURGE_SANITIZE_OVERWRITE);
	assert_int_equal(fake.sanitize_dword10, 0x13);
	expect_text(outcome.fallback, "sanitize-block: ");
}

static void a_sanitize_that_fails_is_no_purge(void **state)
{
	(void)state;
	fake.sanitize_polls = 1;
	fake.sanitize_end = 3;
	assert_int_equal(purge_by(PURGE_SANITIZE_BLOCK), -EIO);
	expect_text(err.text, "its sanitize failed");
	assert_int_equal(outcome.used, PURGE_SANITIZE_BLOCK);
	assert_true(outcome.drive_failed);
	assert_int_equal(rechecks, 1);
}

static void a_sanitize_that_the_drive_refuses_is_no_purge(void **state)
{
	(void)state;
	fake.sanitize_status = INVALID_OPCODE;
	expect_unpurged(PURGE_SANITIZE_CRYPTO, -ENOTSUP, "0x001 (invalid opcode");
	assert_int_equal(outcome.nvme_status, INVALID_OPCODE);
}

static void a_sanitize_under_way_is_not_joined(void **state)
{
	(void)state;
	fake.sanitize_now = 2;
	fake.sanitize_polls = 5;
	expect_unpurged(PURGE_SANITIZE_BLOCK, -EBUSY, "under way in the drive already, at 50 %");
	assert_int_equal(fake.sanitizes, 0);
}

static void a_stopped_sanitize_says_that_it_goes_on(void **state)
{
	(void)state;
	atomic_store(&stop, 2);
	fake.sanitize_polls = 5;
	assert_int_equal(purge_by(PURGE_SANITIZE_BLOCK), -EINTR);
	expect_text(err.text, "goes on in the drive");
	assert_int_equal(outcome.used, PURGE_SANITIZE_BLOCK);
}

/* What reaches the whole drive is refused where another namespace is no target. */
static void expect_reach_is_refused(enum purge_method method)
{
	fake.nsid_list[1] = 2;
	expect_unpurged(method, -EPERM, "namespace 2 is no target");
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_int_equal(fake.formats, 0);
	assert_int_equal(fake.sanitizes, 0);
	assert_int_equal(fake.list_asked, IDENTIFY_ALLOCATED_LIST);
}

static void a_sanitize_never_reaches_namespaces_of_others(void **state)
{
	(void)state;
	expect_reach_is_refused(PURGE_SANITIZE_BLOCK);
}

static void a_format_of_all_namespaces_never_reaches_those_of_others(void **state)
{
	(void)state;
	fake.controller[524] = 0x01;
	expect_reach_is_refused(PURGE_FORMAT);
}

static void an_erase_of_all_namespaces_never_reaches_those_of_others(void **state)
{
	(void)state;
	fake.controller[524] = 0x02;
	expect_reach_is_refused(PURGE_FORMAT);
}

static void auto_is_refused_where_all_that_is_left_reaches_others(void **state)
{
	(void)state;
	put_u16(fake.controller + 256, 0x0008);
	expect_reach_is_refused(PURGE_AUTO);
}

static void what_is_not_open_for_writing_is_no_consent(void **state)
{
	(void)state;
	request.nr_targets = 2;
	sibling.access = TARGET_READ;
	expect_reach_is_refused(PURGE_SANITIZE_BLOCK);
}

static void a_namespace_of_another_drive_is_no_consent(void **state)
{
	static char other_name[] = "nvme7";
	static struct drive_controller other = {.name = other_name};

	(void)state;
	request.nr_targets = 2;
	sibling_facts.controller = &other;
	expect_reach_is_refused(PURGE_SANITIZE_BLOCK);
}

static void a_list_that_cannot_be_read_may_hold_anything(void **state)
{
	(void)state;
	fake.list_status = INTERNAL_ERROR;
	expect_unpurged(PURGE_SANITIZE_BLOCK, -EPERM, "may reach other namespaces");
	assert_int_equal(fake.sanitizes, 0);
}

static void all_namespaces_may_be_purged_together(void **state)
{
	(void)state;
	fake.nsid_list[1] = 2;
	request.nr_targets = 2;
	assert_int_equal(purge_by(PURGE_SANITIZE_BLOCK), 0);
	assert_int_equal(fake.sanitizes, 1);
}

static void a_format_of_one_namespace_leaves_the_others(void **state)
{
	(void)state;
	fake.nsid_list[1] = 2;
	assert_int_equal(purge_by(PURGE_FORMAT), 0);
	assert_int_equal(fake.format_nsid, 1);
}

static void identity_and_use_are_checked_first(void **state)
{
	(void)state;
	recheck_answer = -EPERM;
	expect_unpurged(PURGE_FORMAT, -EPERM, "is mounted now");
	assert_int_equal(fake.formats, 0);
}

static void the_drive_behind_the_channel_must_be_the_same(void **state)
{
	struct nvme_facts nvme = {.has_controller = true};

	(void)state;
	memcpy(nvme.controller.serial, fake.controller + 4, sizeof(nvme.controller.serial));
	facts.nvme = &nvme;
	assert_int_equal(purge_by(PURGE_FORMAT), 0);
	put_text(fake.controller + 4, 20, "TESTSN0002");
	expect_unpurged(PURGE_FORMAT, -EPERM, "another serial");
	assert_int_equal(fake.formats, 1);
}

static void a_target_that_is_read_is_never_purged(void **state)
{
	(void)state;
	target.access = TARGET_READ;
	expect_unpurged(PURGE_FORMAT, -EPERM, "not open for writing");
	assert_int_equal(fake.commands, 0);
}

static void a_partition_is_not_formatted(void **state)
{
	(void)state;
	facts.is_partition = true;
	expect_unpurged(PURGE_FORMAT, -ENOTSUP, "partition");
	assert_int_equal(fake.commands, 0);
}

static void without_an_admin_channel_the_reason_is_told(void **state)
{
	static char key[] = "nvme", reason[] = "/dev/nvme0: Permission denied; run as root";
	struct fact_gap gap = {key, reason};

	(void)state;
	target.admin = NULL;
	facts.gap = &gap;
	facts.nr_gaps = 1;
	expect_unpurged(PURGE_FORMAT, -ENOTSUP, "Permission denied; run as root");
	facts.nr_controllers = 0;
	err = (struct error){0};
	expect_unpurged(PURGE_SANITIZE, -ENOTSUP, "not an NVMe drive");
}

static void none_is_nothing(void **state)
{
	(void)state;
	assert_int_equal(purge_by(PURGE_NONE), 0);
	assert_int_equal(outcome.used, PURGE_NONE);
	assert_int_equal(fake.commands, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_format_erases_one_namespace_and_keeps_its_format, setup),
		cmocka_unit_test_setup(the_index_of_a_format_may_have_six_bits, setup),
		cmocka_unit_test_setup(a_cryptographic_erase_is_another_setting, setup),
		cmocka_unit_test_setup(a_drive_without_format_is_told_by_oacs, setup),
		cmocka_unit_test_setup(a_drive_without_cryptographic_erase_is_told_by_fna, setup),
		cmocka_unit_test_setup(a_refused_format_is_no_purge, setup),
		cmocka_unit_test_setup(a_format_that_fails_ends_the_purge, setup),
		cmocka_unit_test_setup(auto_goes_on_to_what_the_drive_has_and_says_why, setup),
		cmocka_unit_test_setup(a_drive_that_has_nothing_is_not_purged, setup),
		cmocka_unit_test_setup(a_sanitize_is_waited_for, setup),
		cmocka_unit_test_setup(an_overwrite_is_one_pass, setup),
		cmocka_unit_test_setup(a_sanitize_that_fails_is_no_purge, setup),
		cmocka_unit_test_setup(a_sanitize_that_the_drive_refuses_is_no_purge, setup),
		cmocka_unit_test_setup(a_sanitize_under_way_is_not_joined, setup),
		cmocka_unit_test_setup(a_stopped_sanitize_says_that_it_goes_on, setup),
		cmocka_unit_test_setup(a_sanitize_never_reaches_namespaces_of_others, setup),
		cmocka_unit_test_setup(a_format_of_all_namespaces_never_reaches_those_of_others,
				       setup),
		cmocka_unit_test_setup(an_erase_of_all_namespaces_never_reaches_those_of_others,
				       setup),
		cmocka_unit_test_setup(auto_is_refused_where_all_that_is_left_reaches_others,
				       setup),
		cmocka_unit_test_setup(what_is_not_open_for_writing_is_no_consent, setup),
		cmocka_unit_test_setup(a_namespace_of_another_drive_is_no_consent, setup),
		cmocka_unit_test_setup(a_list_that_cannot_be_read_may_hold_anything, setup),
		cmocka_unit_test_setup(all_namespaces_may_be_purged_together, setup),
		cmocka_unit_test_setup(a_format_of_one_namespace_leaves_the_others, setup),
		cmocka_unit_test_setup(identity_and_use_are_checked_first, setup),
		cmocka_unit_test_setup(the_drive_behind_the_channel_must_be_the_same, setup),
		cmocka_unit_test_setup(a_target_that_is_read_is_never_purged, setup),
		cmocka_unit_test_setup(a_partition_is_not_formatted, setup),
		cmocka_unit_test_setup(without_an_admin_channel_the_reason_is_told, setup),
		cmocka_unit_test_setup(none_is_nothing, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
