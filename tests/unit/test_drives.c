// SPDX-License-Identifier: MIT
/* The table and the JSON of `ssdbench drives`. */
#include "test.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_admin.h"
#include "ssdbench/report.h"
#include "ssdbench/value.h"
#include "target/identify.h"

static char path[] = "/dev/nvme0n1", name[] = "nvme0n1", model[] = "ACME 3.2TB",
	    serial[] = "TESTSN1";
static char firmware[] = "TESTFW01", pcie[] = "pcie", tcp[] = "tcp", nvme0[] = "nvme0";
static struct drive_controller controller;
static struct nvme_facts nvme;
static struct drive_facts facts;
static struct drive_entry entry;

static int setup(void **state)
{
	struct fake_admin fake;

	(void)state;
	fake_admin_init(&fake);
	controller = (struct drive_controller){
		.name = nvme0,
		.transport = pcie,
		.link = {16000, 16000, 4, 4, false, false},
	};
	nvme = (struct nvme_facts){.has_controller = true, .has_namespace = true, .apst_on = -1};
	identify_controller_parse(&nvme.controller, fake.controller);
	identify_namespace_parse(&nvme.ns, fake.ns);
	facts = (struct drive_facts){
		.path = path,
		.name = name,
		.model = model,
		.serial = serial,
		.firmware = firmware,
		.capacity_bytes = 3200631791616,
		.logical_block_bytes = 4096,
		.numa_node = -1,
		.controller = &controller,
		.nr_controllers = 1,
		.nvme = &nvme,
	};
	entry = (struct drive_entry){
		.facts = &facts,
		.has_health = true,
		.health = {.temperature_c = 45},
	};
	return 0;
}

static void expect_table(const char *part)
{
	const struct report_style style = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(report_drives_table(out, &entry, 1, &style), 0);
	fclose(out);
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
	free(text);
}

static json_t *drive_json(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *document, *drive;

	assert_non_null(out);
	assert_int_equal(report_drives_json(out, &entry, 1), 0);
	fclose(out);
	document = json_loads(text, 0, NULL);
	free(text);
	drive = json_incref(json_array_get(json_object_get(document, "drives"), 0));
	json_decref(document);
	return drive;
}

static void expect_dump(const json_t *object, const char *key, const char *expected)
{
	char *text = json_dumps(json_object_get(object, key), VALUE_DUMP | JSON_ENCODE_ANY);

	assert_non_null(text);
	if (strcmp(text, expected) != 0)
		fail_msg("%s is %s, not %s", key, text, expected);
	free(text);
}

static void a_line_tells_what_a_drive_is_and_how_it_is(void **state)
{
	(void)state;
	expect_table("/dev/nvme0n1 ACME 3.2TB TESTSN1 TESTFW01 3.20 TB 4096 Gen4 x4");
	expect_table("45 C, ok yes");
}

static void a_degraded_link_is_marked(void **state)
{
	(void)state;
	controller.link = (struct pcie_link){16000, 32000, 4, 4, true, false};
	expect_table("Gen4 x4 of Gen5 x4");
	controller.link = (struct pcie_link){32000, 32000, 2, 4, false, false}; /* dual port */
	expect_table("Gen5 x2 ");
	controller.link = (struct pcie_link){0};
	controller.transport = tcp;
	expect_table(" tcp ");
}

static void metadata_stands_in_the_format(void **state)
{
	(void)state;
	facts.metadata_bytes = 8;
	expect_table(" 4096+8 ");
}

static void what_is_wrong_with_a_drive_is_named(void **state)
{
	(void)state;
	entry.health.critical_warning = NVME_WARNING_SPARE | NVME_WARNING_READ_ONLY;
	expect_table("45 C, spare, read-only");
	entry.health.critical_warning = 0;
	entry.health.temperature_c = TEMPERATURE_UNKNOWN;
	expect_table(" ok ");
	entry.health.temperature_c = -3;
	expect_table("-3 C, ok");
}

static void json_has_what_the_drive_tells(void **state)
{
	json_t *drive, *part;

	(void)state;
	drive = drive_json();
	part = json_object_get(json_object_get(drive, "nvme"), "controller");
	expect_dump(part, "vendor_id", "6900");
	expect_dump(part, "nvme_version", "\"1.4.0\"");
	expect_dump(part, "total_capacity_bytes", "3200631791616");
	expect_dump(part, "purge_methods",
		    "[\"format\",\"format-crypto\",\"sanitize-block\",\"sanitize-crypto\","
		    "\"discard\"]");
	expect_dump(part, "power_states",
		    "[{\"max_power_w\":25.0,\"operational\":true,\"entry_latency_us\":0,"
		    "\"exit_latency_us\":0},{\"max_power_w\":0.08,\"operational\":false,"
		    "\"entry_latency_us\":2000,\"exit_latency_us\":7000}]");
	expect_dump(part, "warning_temperature_c", "82");
	expect_dump(part, "apst_enabled", "null");
	part = json_object_get(json_object_get(drive, "nvme"), "namespace");
	expect_dump(part, "format_index", "1");
	expect_dump(part, "deallocated_reads", "\"zeros\"");
	expect_dump(part, "eui64", "\"e6e6e6e6e6e6e6e6\"");
	expect_dump(part, "nguid", "null");
	expect_dump(json_object_get(drive, "health"), "temperature_c", "45");
	json_decref(drive);
}

static void what_could_not_be_read_is_null(void **state)
{
	json_t *drive;

	(void)state;
	facts.nvme = NULL;
	entry.has_health = false;
	drive = drive_json();
	expect_dump(drive, "nvme", "null");
	expect_dump(drive, "health", "null");
	json_decref(drive);
	expect_table(" - ");
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup(test, setup)
	const struct CMUnitTest tests[] = {
		TEST(a_line_tells_what_a_drive_is_and_how_it_is),
		TEST(a_degraded_link_is_marked),
		TEST(metadata_stands_in_the_format),
		TEST(what_is_wrong_with_a_drive_is_named),
		TEST(json_has_what_the_drive_tells),
		TEST(what_could_not_be_read_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
