// SPDX-License-Identifier: MIT
/* Files that targets make: scratch and --create. */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "loop.h"
#include "ssdbench/target.h"

struct place {
	char path[64];
};

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	snprintf(place->path, sizeof(place->path), "/var/tmp/ssdbench-place-XXXXXX");
	assert_non_null(mkdtemp(place->path));
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;
	char line[256];

	snprintf(line, sizeof(line), "umount -l %s 2>/dev/null; rm -rf %s", place->path,
		 place->path);
	(void)system(line);
	free(place);
	return 0;
}

static size_t entries_in(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t nr = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		nr += entry->d_name[0] != '.';
	closedir(dir);
	return nr;
}

static void mount_or_skip(struct place *place, const char *type, const char *options)
{
	char line[256];

	if (geteuid()) {
		print_message("skipped: mounting needs root\n");
		skip();
	}
	snprintf(line, sizeof(line), "mount -t %s -o %s none %s", type, options, place->path);
	loop_command("%s", line);
}

static void a_scratch_file_is_allocated_and_leaves_no_name(void **state)
{
	struct place *place = *state;
	struct target_options options = {.scratch_directory = place->path};
	struct error err = {0};
	struct target *target;
	struct stat st;

	assert_int_equal(target_find(&target, "scratch:8MiB", &options, &err), 0);
	assert_int_equal(target_facts(target)->kind, TARGET_SCRATCH);
	assert_int_equal(target_facts(target)->capacity_bytes, 8 << 20);
	assert_string_equal(target_facts(target)->name, "scratch");
	assert_null(target_facts(target)->path);
	assert_null(target_consent_word(target));
	assert_int_equal(target_fd(target), -1);
	assert_int_equal(target_open(target, TARGET_WRITE, NULL, 0, &err), 0);
	assert_int_equal(fstat(target_fd(target), &st), 0);
	assert_int_equal(st.st_size, 8 << 20);
	assert_true(st.st_blocks * 512 >= 8 << 20);
	assert_int_equal(st.st_nlink, 0);
	assert_true(fcntl(target_fd(target), F_GETFL) & O_DIRECT);
	assert_true(fcntl(target_fd(target), F_GETFD) & FD_CLOEXEC);
	assert_int_equal(entries_in(place->path), 0);
	assert_int_equal(target_recheck(target, &err), 0);
	assert_int_equal(target_flush(target), 0);
	target_close(target);
}

static void the_file_system_of_a_scratch_file_is_told(void **state)
{
	struct place *place = *state;
	struct target_options options = {.scratch_directory = place->path};
	struct target *target;

	mount_or_skip(place, "tmpfs", "size=64m");
	assert_int_equal(target_find(&target, "scratch:8MiB", &options, NULL), 0);
	assert_string_equal(target_facts(target)->filesystem, "tmpfs");
	assert_true(target_facts(target)->ram_backed);
	target_close(target);
}

static void a_temporary_directory_in_memory_is_passed_over(void **state)
{
	struct place *place = *state;
	struct target_options options = {0};
	struct target *target;
	struct statfs fs;

	if (statfs("/var/tmp", &fs) || fs.f_type == 0x01021994) {
		print_message("skipped: /var/tmp is in memory itself\n");
		skip();
	}
	mount_or_skip(place, "tmpfs", "size=64m");
	assert_int_equal(setenv("TMPDIR", place->path, 1), 0);
	assert_int_equal(target_find(&target, "scratch:8MiB", &options, NULL), 0);
	assert_false(target_facts(target)->ram_backed);
	target_close(target);
	assert_int_equal(unsetenv("TMPDIR"), 0);
}

static void a_file_that_would_eat_the_margin_is_refused(void **state)
{
	struct place *place = *state;
	struct target_options options = {.scratch_directory = place->path};
	struct error err = {0};
	struct target *target;

	mount_or_skip(place, "tmpfs", "size=100m");
	assert_int_equal(target_find(&target, "scratch:96MiB", &options, &err), 0);
	assert_int_equal(target_open(target, TARGET_WRITE, NULL, 0, &err), -ENOSPC);
	assert_int_equal(err.kind, ERROR_HARNESS);
	assert_non_null(strstr(err.text, "not enough space"));
	assert_int_equal(target_fd(target), -1);
	target_close(target);
}

/* ramfs does no O_DIRECT: measuring its page cache instead would be a lie. */
static void a_file_system_without_o_direct_is_an_error(void **state)
{
	struct place *place = *state;
	struct target_options options = {.scratch_directory = place->path};
	struct target_options create = {.create_bytes = 1 << 20};
	struct error err = {0};
	struct target *target;
	char path[128];

	mount_or_skip(place, "ramfs", "mode=700");
	snprintf(path, sizeof(path), "%s/file", place->path);
	assert_int_equal(target_find(&target, path, &create, &err), 0);
	assert_true(target_facts(target)->ram_backed);
	assert_true(target_open(target, TARGET_WRITE, NULL, 0, &err) < 0);
	assert_int_equal(err.kind, ERROR_HARNESS);
	target_close(target);
	assert_int_equal(entries_in(place->path), 0);

	error_clear(&err);
	loop_command("dd if=/dev/zero of=%s bs=4096 count=4 status=none", path);
	assert_int_equal(target_find(&target, path, &options, &err), 0);
	assert_int_equal(target_open(target, TARGET_READ, NULL, 0, &err), -EINVAL);
	assert_int_equal(err.kind, ERROR_HARNESS);
	assert_non_null(strstr(err.text, "ramfs"));
	assert_non_null(strstr(err.text, "O_DIRECT"));
	target_close(target);
}

static void create_makes_the_file_once_and_keeps_it(void **state)
{
	struct place *place = *state;
	struct target_options create = {.create_bytes = 67117056};
	struct target_options plain = {0};
	struct error err = {0};
	struct target *target;
	struct stat st;
	char path[128];

	snprintf(path, sizeof(path), "%s/file", place->path);
	assert_int_equal(target_find(&target, path, &create, &err), 0);
	assert_int_equal(target_open(target, TARGET_WRITE, NULL, 0, &err), 0);
	assert_int_equal(target_recheck(target, &err), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 67117056);
	target_close(target);
	assert_int_equal(stat(path, &st), 0);

	assert_int_equal(target_find(&target, path, &plain, &err), 0);
	assert_int_equal(target_facts(target)->capacity_bytes, 67117056);
	assert_true(target_open(target, TARGET_WRITE, NULL, 0, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_non_null(strstr(err.text, "add --destroy "));
	target_close(target);
}

static void a_file_that_appeared_meanwhile_is_not_overwritten(void **state)
{
	struct place *place = *state;
	struct target_options create = {.create_bytes = 1 << 20};
	struct error err = {0};
	struct target *target;
	struct stat st;
	char path[128];

	snprintf(path, sizeof(path), "%s/file", place->path);
	assert_int_equal(target_find(&target, path, &create, &err), 0);
	loop_command("echo mine > %s", path);
	assert_true(target_open(target, TARGET_WRITE, NULL, 0, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	target_close(target);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 5);
}

static void a_file_is_opened_by_consent_and_locked(void **state)
{
	struct place *place = *state;
	struct target_options options = {0};
	struct target *first, *second;
	struct error err = {0};
	char path[128];
	const char *word = path;

	snprintf(path, sizeof(path), "%s/file", place->path);
	loop_command("truncate -s 1M %s", path);
	assert_int_equal(target_find(&first, path, &options, &err), 0);
	assert_int_equal(target_find(&second, path, &options, &err), 0);
	assert_int_equal(target_open(first, TARGET_WRITE, &word, 1, &err), 0);
	assert_true(target_open(second, TARGET_WRITE, &word, 1, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_non_null(strstr(err.text, "in use"));
	target_close(second);

	/* A file put in its place is another file. */
	error_clear(&err);
	assert_int_equal(target_recheck(first, &err), 0);
	loop_command("cp %s %s.new && mv %s.new %s", path, path, path, path);
	assert_true(target_recheck(first, &err) < 0);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_non_null(strstr(err.text, "another file"));
	target_close(first);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_scratch_file_is_allocated_and_leaves_no_name),
		TEST(the_file_system_of_a_scratch_file_is_told),
		TEST(a_temporary_directory_in_memory_is_passed_over),
		TEST(a_file_that_would_eat_the_margin_is_refused),
		TEST(a_file_system_without_o_direct_is_an_error),
		TEST(create_makes_the_file_once_and_keeps_it),
		TEST(a_file_that_appeared_meanwhile_is_not_overwritten),
		TEST(a_file_is_opened_by_consent_and_locked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
