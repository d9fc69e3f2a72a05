// SPDX-License-Identifier: MIT
/* Where profiles come from: a path, the user's directory, the binary. */
#include "ssdbench/profile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "embedded.h"
#include "limits.h"
#include "words.h"

#define SUFFIX ".json"

/* What a user gave as a profile is wrong, with another code than -EINVAL. */
static int with_code(struct error *err, int code)
{
	if (err && err->kind == ERROR_USAGE && err->code == -EINVAL)
		err->code = code;
	return code;
}

static int read_bytes(int fd, char *text, size_t room, size_t *length)
{
	size_t used = 0;

	while (used < room) {
		const ssize_t nr = read(fd, text + used, room - used);

		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0)
			return -errno;
		if (nr == 0)
			break;
		used += (size_t)nr;
	}
	*length = used;
	return 0;
}

/* One byte more than the most that is allowed is read, so that profile_parse() sees that it is too
 * long. */
static int read_file(const char *path, char **text, size_t *length, struct error *err)
{
	const size_t room = PROFILE_TEXT_MAX + 1;
	char *buffer = malloc(room);
	int ret = -ENOMEM, fd = -1;

	if (!buffer)
		return error_set(err, ret, "%s: out of memory", path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ret = fd < 0 ? -errno : read_bytes(fd, buffer, room, length);
	if (fd >= 0)
		close(fd);
	if (ret) {
		free(buffer);
		(void)error_usage(err, "%s: cannot read the profile: %s", path, strerror(-ret));
		return with_code(err, ret);
	}
	*text = buffer;
	return 0;
}

static int load_path(struct profile **profile, const char *path,
		     const struct profile_options *options, struct error *err)
{
	char *text = NULL;
	size_t length = 0;
	int ret;

	ret = read_file(path, &text, &length, err);
	if (ret)
		return ret;
	ret = profile_parse(profile, text, length, path, options, err);
	free(text);
	return ret;
}

static int load_embedded(struct profile **out, const struct embedded_file *file,
			 const struct profile_options *options, struct error *err)
{
	struct profile *profile;
	char *origin = strdup("embedded");
	int ret;

	if (!origin)
		return error_set(err, -ENOMEM, "%s: out of memory", file->name);
	/* Messages call it by its name: "embedded" would not tell which. */
	ret = profile_parse(&profile, (const char *)file->text, file->length, file->name, options,
			    err);
	if (ret) {
		free(origin);
		return ret;
	}
	free(profile->origin);
	profile->origin = origin;
	*out = profile;
	return 0;
}

/* A misspelt directory would silently give a built-in profile of the same name. */
static int bad_directory(const char *directory, int ret, struct error *err)
{
	(void)error_usage(err, "%s: cannot read the directory of profiles: %s", directory,
			  strerror(-ret));
	return with_code(err, ret);
}

static int check_directory(const char *directory, struct error *err)
{
	struct stat st;

	if (stat(directory, &st))
		return bad_directory(directory, -errno, err);
	return S_ISDIR(st.st_mode) ? 0 : bad_directory(directory, -ENOTDIR, err);
}

/* The path of @name in @directory; the caller frees. NULL: there is no such file, or no memory. */
static char *own_path(const char *directory, const char *name)
{
	char *path;

	if (!directory || asprintf(&path, "%s/%s" SUFFIX, directory, name) < 0)
		return NULL;
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* @name is what users type, so the profile inside must not call itself something else. */
static int load_own(struct profile **out, const char *path, const char *name,
		    const struct profile_options *options, struct error *err)
{
	struct profile *profile;
	struct stat st;
	int ret;

	/* A list of the directory would wait for the other end of a pipe. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return error_usage(err, "%s: not a regular file", path);
	ret = load_path(&profile, path, options, err);
	if (ret)
		return ret;
	if (strcmp(profile->name, name) != 0) {
		ret = error_usage(err, "%s: /name: \"%s\" differs from the file's name", path,
				  profile->name);
		profile_free(profile);
		return ret;
	}
	*out = profile;
	return 0;
}

static int no_such_profile(const char *word, const char *directory, struct error *err)
{
	struct profile_entry *entries = NULL;
	char message[WORDS_MESSAGE_MAX];
	const char **names;
	struct words words = {0};
	size_t nr = 0;

	if (profile_list(&entries, &nr, directory, NULL))
		nr = 0;
	names = calloc(nr + 1, sizeof(*names));
	for (size_t i = 0; names && i < nr; i++)
		names[words.nr++] = entries[i].name;
	words.name = names;
	(void)error_usage(err, "no profile \"%s\"; it is not %s", word,
			  words_hint(&words, word, message));
	free(names);
	profile_list_free(entries, nr);
	return with_code(err, -ENOENT);
}

static bool is_path(const char *word)
{
	const size_t length = strlen(word), suffix = strlen(SUFFIX);

	return strchr(word, '/') ||
	       (length >= suffix && strcmp(word + length - suffix, SUFFIX) == 0);
}

int profile_load(struct profile **profile, const char *word, const struct profile_options *options,
		 struct error *err)
{
	const char *directory = options ? options->directory : NULL;
	const struct embedded_file *file;
	char *path;
	int ret;

	if (is_path(word))
		return load_path(profile, word, options, err);
	ret = directory ? check_directory(directory, err) : 0;
	if (ret)
		return ret;
	path = own_path(directory, word);
	if (path) {
		ret = load_own(profile, path, word, options, err);
		free(path);
		return ret;
	}
	file = embedded_find(embedded_profiles, word);
	if (file)
		return load_embedded(profile, file, options, err);
	return no_such_profile(word, directory, err);
}

static int wanted(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && is_path(entry->d_name);
}

/* Fills @entry from what loading gave; takes nothing of @profile. */
static int fill_entry(struct profile_entry *entry, const char *name, const char *origin,
		      const struct profile *profile, const struct error *cause)
{
	entry->name = strdup(name);
	entry->title = strdup(profile ? profile->title : "");
	entry->origin = strdup(origin);
	entry->broken = profile ? NULL : strdup(cause->text);
	return entry->name && entry->title && entry->origin && (profile || entry->broken) ? 0
											  : -ENOMEM;
}

static int list_embedded(struct profile_entry *entry, const struct embedded_file *file)
{
	struct profile *profile = NULL;
	struct error cause = {0};
	int ret;

	(void)load_embedded(&profile, file, NULL, &cause);
	ret = fill_entry(entry, file->name, "embedded", profile, &cause);
	profile_free(profile);
	return ret;
}

static int list_own(struct profile_entry *entry, const char *directory, const char *file)
{
	struct profile *profile = NULL;
	struct error cause = {0};
	char *path = NULL, *name = NULL;
	int ret = -ENOMEM;

	name = strndup(file, strlen(file) - strlen(SUFFIX));
	if (asprintf(&path, "%s/%s", directory, file) < 0)
		path = NULL;
	if (name && path) {
		(void)load_own(&profile, path, name, NULL, &cause);
		ret = fill_entry(entry, name, path, profile, &cause);
	}
	profile_free(profile);
	free(path);
	free(name);
	return ret;
}

/* The names of the directory's files in the order of the alphabet. */
static int scan(const char *directory, struct dirent ***files, struct error *err)
{
	int nr;

	*files = NULL;
	if (!directory)
		return 0;
	nr = scandir(directory, files, wanted, alphasort);
	return nr >= 0 ? nr : bad_directory(directory, -errno, err);
}

int profile_list(struct profile_entry **entries, size_t *nr, const char *directory,
		 struct error *err)
{
	const struct embedded_file *file = embedded_profiles;
	struct profile_entry *list;
	struct dirent **files;
	size_t embedded = 0, count;
	int own, ret = -ENOMEM;

	own = scan(directory, &files, err);
	if (own < 0)
		return own;
	while (file[embedded].name)
		embedded++;
	count = embedded + (size_t)own;
	list = calloc(count, sizeof(*list));
	for (size_t i = 0; list && i < count; i++) {
		ret = i < embedded ? list_embedded(&list[i], &file[i])
				   : list_own(&list[i], directory, files[i - embedded]->d_name);
		if (ret)
			break;
	}
	for (size_t i = 0; i < (size_t)own; i++)
		free(files[i]);
	free(files);
	if (ret) {
		profile_list_free(list, count);
		return error_set(err, ret, "out of memory");
	}
	*entries = list;
	*nr = count;
	return 0;
}

void profile_list_free(struct profile_entry *entries, size_t nr)
{
	for (size_t i = 0; entries && i < nr; i++) {
		free(entries[i].name);
		free(entries[i].title);
		free(entries[i].origin);
		free(entries[i].broken);
	}
	free(entries);
}
