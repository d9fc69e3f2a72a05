// SPDX-License-Identifier: MIT
/* The published mixes, as the shipped profiles hold them. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "ssdbench/alias.h"
#include "ssdbench/profile.h"

#define KIB 1024.0

static const struct size_mix *find_mix(const struct profile *profile, const char *phase)
{
	for (size_t i = 0; i < profile->nr_phases; i++) {
		if (strcmp(profile->phase[i].name, phase) == 0)
			return profile->phase[i].bs;
	}
	fail_msg("no phase %s", phase);
	return NULL;
}

static void check_mix(const char *name, const char *phase, size_t nr, uint64_t min, uint64_t max,
		      double mean)
{
	struct profile *profile = NULL;
	const struct size_mix *mix;
	uint32_t sum = 0;

	assert_int_equal(profile_load(&profile, name, NULL, NULL), 0);
	mix = find_mix(profile, phase);
	for (size_t i = 0; i < mix->nr; i++)
		sum += mix->entry[i].basis_points;
	assert_int_equal(sum, ALIAS_TOTAL);
	assert_int_equal(mix->nr, nr);
	assert_int_equal(size_mix_min(mix), min);
	assert_int_equal(size_mix_max(mix), max);
	assert_true(fabs(size_mix_mean(mix) - mean) < 0.001 * KIB);
	profile_free(profile);
}

static void cdn_writes_have_a_mean_of_126_771_kib(void **state)
{
	(void)state;
	check_mix("cdn", "write", 5, 8192, 131072, 126.771 * KIB);
	check_mix("cdn", "saturate", 5, 8192, 131072, 126.771 * KIB);
}

static void cdn_reads_have_32_sizes_and_a_mean_of_117_228_kib(void **state)
{
	(void)state;
	check_mix("cdn", "read", 32, 4096, 131072, 117.228 * KIB);
}

static void objects_have_a_mean_of_62_040625_mib(void **state)
{
	(void)state;
	check_mix("object-storage", "read", 4, 65536, 1ULL << 30, 62.040625 * KIB * KIB);
	check_mix("object-storage-map", "read", 4, 65536, 1ULL << 30, 62.040625 * KIB * KIB);
}

static void the_published_shares_are_exact(void **state)
{
	struct profile *profile = NULL;

	(void)state;
	assert_int_equal(profile_load(&profile, "cdn", NULL, NULL), 0);
	assert_int_equal(find_mix(profile, "write")->entry[0].basis_points, 9851);
	assert_int_equal(find_mix(profile, "read")->entry[0].basis_points, 8321);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cdn_writes_have_a_mean_of_126_771_kib),
		cmocka_unit_test(cdn_reads_have_32_sizes_and_a_mean_of_117_228_kib),
		cmocka_unit_test(objects_have_a_mean_of_62_040625_mib),
		cmocka_unit_test(the_published_shares_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
