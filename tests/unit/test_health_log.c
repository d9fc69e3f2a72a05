// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "fake_admin.h"
#include "target/health_log.h"

static struct fake_admin fake;
static struct drive_health health;

static int setup(void **state)
{
	(void)state;
	fake_admin_init(&fake);
	return 0;
}

static void a_health_log_is_read_field_by_field(void **state)
{
	uint8_t *page = fake.health;

	(void)state;
	page[0] = NVME_WARNING_TEMPERATURE | NVME_WARNING_READ_ONLY;
	put_u16(page + 1, 358);
	page[5] = 101;
	put_u64(page + 32, 123456789);
	put_u64(page + 48, 987654321);
	put_u64(page + 64, 11);
	put_u64(page + 80, 12);
	put_u64(page + 96, 13);
	put_u64(page + 112, 14);
	put_u64(page + 128, 15);
	put_u64(page + 144, 16);
	put_u64(page + 160, 17);
	put_u64(page + 176, 18);
	put_u32(page + 192, 2);
	put_u32(page + 196, 1);
	put_u16(page + 200, 320);
	put_u32(page + 216, 3);
	put_u32(page + 220, 4);
	put_u32(page + 224, 50);
	put_u32(page + 228, 60);
	health_log_parse(&health, page);
	assert_int_equal(health.critical_warning, 0x0a);
	assert_int_equal(health.temperature_c, 85);
	assert_int_equal(health.spare_percent, 100);
	assert_int_equal(health.spare_threshold_percent, 10);
	assert_int_equal(health.used_percent, 101);
	assert_true(health.data_units_read == 123456789);
	assert_true(health.data_units_written == 987654321);
	assert_true(health.host_reads == 11 && health.host_writes == 12);
	assert_true(health.busy_minutes == 13 && health.power_cycles == 14);
	assert_true(health.power_on_hours == 15 && health.unsafe_shutdowns == 16);
	assert_true(health.media_errors == 17 && health.error_log_entries == 18);
	assert_int_equal(health.warning_temperature_minutes, 2);
	assert_int_equal(health.critical_temperature_minutes, 1);
	assert_int_equal(health.sensor_c[0], 47);
	assert_int_equal(health.sensor_c[1], TEMPERATURE_UNKNOWN);
	assert_int_equal(health.thermal_transitions[0], 3);
	assert_int_equal(health.thermal_transitions[1], 4);
	assert_int_equal(health.thermal_seconds[0], 50);
	assert_int_equal(health.thermal_seconds[1], 60);
	assert_false(health.has_ocp);
}

static void counters_keep_all_128_bits(void **state)
{
	(void)state;
	memset(fake.health + 48, 0xff, 16);
	health_log_parse(&health, fake.health);
	assert_true(health.data_units_written == ~(unsigned __int128)0);
}

static void zero_kelvin_is_no_temperature(void **state)
{
	(void)state;
	put_u16(fake.health + 1, 0);
	health_log_parse(&health, fake.health);
	assert_int_equal(health.temperature_c, TEMPERATURE_UNKNOWN);
}

static void ocp_adds_what_reached_the_medium(void **state)
{
	(void)state;
	fake_admin_add_ocp(&fake, 3000000000000, 5000);
	put_u64(fake.ocp + 8, 1);
	fake.ocp[96] = 7;
	fake.ocp[97] = 2;
	put_u64(fake.ocp + 104, 21);
	put_u32(fake.ocp + 112, 22);
	fake.ocp[120] = 23;
	put_u64(fake.ocp + 192, 24);
	health_log_parse(&health, fake.health);
	assert_true(health_log_parse_ocp(&health, fake.ocp));
	assert_true(health.has_ocp);
	assert_true(health.physical_written_bytes == ((unsigned __int128)1 << 64) + 3000000000000);
	assert_true(health.physical_read_bytes == 5000);
	assert_int_equal(health.throttling_events, 7);
	assert_int_equal(health.throttling_status, 2);
	assert_int_equal(health.pcie_correctable_errors, 21);
	assert_int_equal(health.incomplete_shutdowns, 22);
	assert_int_equal(health.free_blocks_percent, 23);
	assert_int_equal(health.pcie_link_retrainings, 24);
}

static void a_log_with_another_guid_is_not_ocps(void **state)
{
	(void)state;
	fake_admin_add_ocp(&fake, 3000, 5000);
	fake.ocp[511] ^= 1;
	health_log_parse(&health, fake.health);
	assert_false(health_log_parse_ocp(&health, fake.ocp));
	assert_false(health.has_ocp);
	assert_true(health.physical_written_bytes == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_health_log_is_read_field_by_field, setup),
		cmocka_unit_test_setup(counters_keep_all_128_bits, setup),
		cmocka_unit_test_setup(zero_kelvin_is_no_temperature, setup),
		cmocka_unit_test_setup(ocp_adds_what_reached_the_medium, setup),
		cmocka_unit_test_setup(a_log_with_another_guid_is_not_ocps, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
