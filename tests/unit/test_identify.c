// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "fake_admin.h"
#include "target/identify.h"

static struct fake_admin fake;
static struct nvme_controller controller;
static struct nvme_namespace ns;

static int setup(void **state)
{
	(void)state;
	fake_admin_init(&fake);
	return 0;
}

static void a_controller_is_read_field_by_field(void **state)
{
	(void)state;
	identify_controller_parse(&controller, fake.controller);
	assert_int_equal(controller.vendor_id, 0x1af4);
	assert_int_equal(controller.subsystem_vendor_id, 0x1af5);
	assert_memory_equal(controller.serial, "TESTSN0001          ", 20);
	assert_memory_equal(controller.model, "ACME 3.2TB NVMe U.2 SSD                 ", 40);
	assert_memory_equal(controller.firmware, "TESTFW01", 8);
	assert_string_equal(controller.nqn, "nqn.2014-08.org.example:TESTSN0001");
	assert_int_equal(controller.controller_id, 66);
	assert_int_equal(controller.version, 0x010400);
	assert_int_equal(controller.mdts, 5);
	assert_int_equal(controller.oacs, NVME_OACS_FORMAT | NVME_OACS_NAMESPACES);
	assert_int_equal(controller.oncs, NVME_ONCS_DEALLOCATE);
	assert_int_equal(controller.sanicap, NVME_SANICAP_CRYPTO | NVME_SANICAP_BLOCK);
	assert_int_equal(controller.fna, NVME_FNA_CRYPTO);
	assert_int_equal(controller.nr_namespaces, 32);
	assert_true(controller.write_cache);
	assert_true(controller.apst);
	assert_int_equal(controller.warning_temperature_c, 82);
	assert_int_equal(controller.critical_temperature_c, 85);
	assert_true(controller.total_capacity_bytes == 3200631791616);
}

static void power_states_are_in_both_scales(void **state)
{
	(void)state;
	identify_controller_parse(&controller, fake.controller);
	assert_int_equal(controller.nr_power_states, 2);
	assert_int_equal(controller.power_state[0].max_power_uw100, 250000);
	assert_true(controller.power_state[0].operational);
	assert_int_equal(controller.power_state[1].max_power_uw100, 800);
	assert_false(controller.power_state[1].operational);
	assert_int_equal(controller.power_state[1].entry_latency_us, 2000);
	assert_int_equal(controller.power_state[1].exit_latency_us, 7000);
}

static void more_states_and_formats_than_there_can_be_are_cut(void **state)
{
	uint8_t page[4096];

	(void)state;
	memset(page, 0xff, sizeof(page));
	identify_controller_parse(&controller, page);
	assert_int_equal(controller.nr_power_states, 32);
	assert_int_equal(strlen(controller.nqn), 256);
	identify_namespace_parse(&ns, page);
	assert_int_equal(ns.nr_formats, 64);
	assert_int_equal(ns.format_in_use, 63);
	assert_int_equal(ns.format[63].data_bytes, 0);
}

static void capacities_keep_all_128_bits(void **state)
{
	(void)state;
	put_u64(fake.controller + 288, 1);
	identify_controller_parse(&controller, fake.controller);
	assert_true(controller.total_capacity_bytes >> 64 == 1);
	assert_true((uint64_t)controller.total_capacity_bytes == 3200631791616);
}

static void a_namespace_is_read_field_by_field(void **state)
{
	(void)state;
	identify_namespace_parse(&ns, fake.ns);
	assert_int_equal(ns.size_blocks, 781404246);
	assert_int_equal(ns.capacity_blocks, 781404246);
	assert_int_equal(ns.use_blocks, 1000);
	assert_true(ns.capacity_bytes == 3200631791616);
	assert_int_equal(ns.nr_formats, 3);
	assert_int_equal(ns.format_in_use, 1);
	assert_int_equal(ns.format[0].data_bytes, 512);
	assert_int_equal(ns.format[1].data_bytes, 4096);
	assert_int_equal(ns.format[1].metadata_bytes, 0);
	assert_int_equal(ns.format[2].data_bytes, 4096);
	assert_int_equal(ns.format[2].metadata_bytes, 8);
	assert_int_equal(ns.format[2].performance, 2);
	assert_int_equal(ns.dlfeat & NVME_DLFEAT_READS, 1);
	assert_true(ns.dlfeat & NVME_DLFEAT_WRITE_ZEROES);
	assert_false(ns.write_protected);
	assert_int_equal(ns.eui64[0], 0xe6);
	assert_int_equal(ns.nguid[0], 0);
}

static void granularities_count_only_where_they_are_told(void **state)
{
	(void)state;
	put_u16(fake.ns + 64, 3);
	put_u16(fake.ns + 68, 7);
	put_u16(fake.ns + 72, 31);
	identify_namespace_parse(&ns, fake.ns);
	assert_int_equal(ns.preferred_write_blocks, 0);
	fake.ns[24] = 0x10; /* OPTPERF */
	identify_namespace_parse(&ns, fake.ns);
	assert_int_equal(ns.preferred_write_blocks, 4);
	assert_int_equal(ns.preferred_deallocate_blocks, 8);
	assert_int_equal(ns.optimal_write_blocks, 32);
}

/* With 16 formats or fewer the two upper bits are reserved. */
static void the_format_index_has_two_parts(void **state)
{
	(void)state;
	fake.ns[26] = 0x61;
	identify_namespace_parse(&ns, fake.ns);
	assert_int_equal(ns.format_in_use, 1);
	fake.ns[25] = 63;
	fake.ns[26] = 0x71;
	identify_namespace_parse(&ns, fake.ns);
	assert_int_equal(ns.format_in_use, 0x31);
	assert_true(ns.metadata_extended);
}

static void zero_kelvin_is_unknown_and_frost_is_negative(void **state)
{
	(void)state;
	assert_int_equal(kelvin_to_celsius(0), TEMPERATURE_UNKNOWN);
	assert_int_equal(kelvin_to_celsius(1), -272);
	assert_int_equal(kelvin_to_celsius(253), -20);
	assert_int_equal(kelvin_to_celsius(273), 0);
	assert_int_equal(kelvin_to_celsius(318), 45);
}

static void mdts_is_a_power_of_two_of_pages(void **state)
{
	(void)state;
	assert_int_equal(mdts_to_bytes(0, 4096), 0);
	assert_int_equal(mdts_to_bytes(5, 4096), 131072);
	assert_int_equal(mdts_to_bytes(7, 4096), 524288);
	assert_int_equal(mdts_to_bytes(5, 8192), 262144);
	assert_int_equal(mdts_to_bytes(255, 4096), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_controller_is_read_field_by_field, setup),
		cmocka_unit_test_setup(power_states_are_in_both_scales, setup),
		cmocka_unit_test_setup(more_states_and_formats_than_there_can_be_are_cut, setup),
		cmocka_unit_test_setup(capacities_keep_all_128_bits, setup),
		cmocka_unit_test_setup(a_namespace_is_read_field_by_field, setup),
		cmocka_unit_test_setup(granularities_count_only_where_they_are_told, setup),
		cmocka_unit_test_setup(the_format_index_has_two_parts, setup),
		cmocka_unit_test(zero_kelvin_is_unknown_and_frost_is_negative),
		cmocka_unit_test(mdts_is_a_power_of_two_of_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
