// SPDX-License-Identifier: MIT
#include "save.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * A device, a pipe, or a name in /dev or /proc for a stream that is open already (/dev/stdout, which may be a
 * file that a shell made): replaced by a rename, they would not be what they were.
 */
static bool is_in_place(const char *path)
{
	struct stat st;

	if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
		return true;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int save_to(const char *path, const struct result_document *document)
{
	char *target;
	int ret;

	if (is_in_place(path))
		return file_write_in_place(path, result_document_write, document);
	/* The file behind a symbolic link is replaced, not the link. */
	target = realpath(path, NULL);
	ret = file_replace(target ? target : path, result_document_write, document);
	free(target);
	return ret;
}

/* "DIRECTORY/ssdbench-ID.json"; false: it could not be saved there. */
static bool save_in_place_of(struct run_outcome *outcome, const struct save_request *request,
			     const char *directory)
{
	char *path = NULL;

	if (asprintf(&path, "%s/ssdbench-%s.json", directory, request->id) < 0)
		return false;
	if (directory_make(directory) == 0 && save_to(path, &request->document) == 0) {
		outcome->result_path = path;
		return true;
	}
	free(path);
	return false;
}

static bool save_in_run_directory(struct run_outcome *outcome, const struct save_request *request)
{
	char *path = path_join(request->directory, RESULT_FILE);

	if (path && strcmp(path, request->path) != 0 && save_to(path, &request->document) == 0) {
		outcome->result_path = path;
		return true;
	}
	free(path);
	return false;
}

static bool save_in_memory(struct run_outcome *outcome, const struct save_request *request)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int ret;

	if (!out)
		return false;
	ret = result_document_write(out, &request->document);
	if (fclose(out) != 0 || ret < 0) {
		free(text);
		return false;
	}
	outcome->document = text;
	return true;
}

static bool save_elsewhere(struct run_outcome *outcome, const struct save_request *request)
{
	if (save_in_run_directory(outcome, request))
		return true;
	for (size_t i = 0; i < request->places->nr; i++) {
		if (save_in_place_of(outcome, request, request->places->directory[i]))
			return true;
	}
	return false;
}

void save_result(struct run_outcome *outcome, const struct save_request *request)
{
	const int ret = save_to(request->path, &request->document);
	const char *cause = ret < 0 ? strerrordesc_np(-ret) : "";

	outcome->saved = ret == 0;
	if (ret == 0) {
		outcome->result_path = strdup(request->path);
	} else if (save_elsewhere(outcome, request)) {
		snprintf(outcome->save_error, sizeof(outcome->save_error),
			 "cannot write the result to %s: %s; it was saved to %s", request->path,
			 cause, outcome->result_path);
	} else if (save_in_memory(outcome, request)) {
		snprintf(outcome->save_error, sizeof(outcome->save_error),
			 "cannot write the result to %s: %s, nor anywhere else", request->path,
			 cause);
	} else {
		snprintf(outcome->save_error, sizeof(outcome->save_error),
			 "cannot put the result together: %s; what was measured is in %s/%s", cause,
			 request->directory, JOURNAL_FILE);
	}
}
