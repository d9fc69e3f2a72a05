// SPDX-License-Identifier: MIT
#include "run_output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdout(const char *path)
{
	struct stat file, out;

	return stat(path, &file) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
	       file.st_dev == out.st_dev && file.st_ino == out.st_ino;
}

static bool is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int copy_stream(FILE *from, struct error *err)
{
	char buffer[65536];
	size_t nr;

	errno = 0;
	while ((nr = fread(buffer, 1, sizeof(buffer), from)) > 0) {
		if (fwrite(buffer, 1, nr, stdout) != nr)
			return output_result(errno ? -errno : -EIO, err);
	}
	if (ferror(from))
		return error_set(err, errno ? -errno : -EIO, "cannot read the result again: %s",
				 strerror(errno));
	return output_result(fflush(stdout) ? -errno : 0, err);
}

/* The document is in a file already: memory need not hold it. */
static int copy_result(const char *path, struct error *err)
{
	FILE *from;
	int rc;

	if (!is_regular(path)) {
		fprintf(stderr,
			"ssdbench: warning: the result went to %s, standard output gets none\n",
			path);
		return 0;
	}
	from = fopen(path, "re");
	if (!from)
		return error_set(err, -errno, "cannot read the result again from %s: %s", path,
				 strerror(errno));
	rc = copy_stream(from, err);
	fclose(from);
	return rc;
}

static int print_document(const char *document, struct error *err)
{
	if (fputs(document, stdout) < 0 || fputc('\n', stdout) < 0 || fflush(stdout))
		return output_result(-errno, err);
	return 0;
}

static int print_table(FILE *stream, const struct output_arguments *output, const struct plan *plan,
		       const struct drive_facts *const *drives, const struct run_outcome *outcome,
		       struct error *err)
{
	const struct report_style style = output_style(output, stream);

	return output_result(report_result_table(stream, plan, drives, outcome, &style), err);
}

int run_output_print(const struct output_arguments *output, const struct plan *plan,
		     const struct drive_facts *const *drives, const struct run_outcome *outcome,
		     struct error *err)
{
	if (outcome->document) {
		(void)print_table(stderr, output, plan, drives, outcome, NULL); /* best effort */
		return print_document(outcome->document, err);
	}
	if (outcome->result_path && is_stdout(outcome->result_path))
		return 0;
	if (output->format == FORMAT_TABLE || !outcome->result_path)
		return print_table(stdout, output, plan, drives, outcome, err);
	return copy_result(outcome->result_path, err);
}
