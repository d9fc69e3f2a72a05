// SPDX-License-Identifier: MIT
#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ssdbench/run.h"

char *path_join(const char *directory, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

int directory_make(const char *path)
{
	char *part = strdup(path);
	int ret = 0;

	if (!part)
		return -ENOMEM;
	for (char *slash = part; ret == 0 && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (mkdir(part, 0777) < 0 && errno != EEXIST)
			ret = -errno;
		*slash = '/';
	}
	/* EEXIST may be a file of that name; the first use of the directory tells ENOTDIR then. */
	if (ret == 0 && mkdir(part, 0777) < 0 && errno != EEXIST)
		ret = -errno;
	free(part);
	return ret;
}

int directory_prepare(const char *path, struct error *err)
{
	static const char *const file[] = {RUN_FILE, JOURNAL_FILE, RESULT_FILE};
	const int ret = directory_make(path);

	if (ret < 0)
		return error_set(
			err, ret,
			"cannot make the run's directory %s: %s; name another with --output", path,
			strerrordesc_np(-ret));
	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		char *name = path_join(path, file[i]);
		const bool there = name && access(name, F_OK) == 0;

		free(name);
		if (there)
			return error_usage(
				err,
				"%s holds a run already (%s); name another directory with --output",
				path, file[i]);
	}
	return 0;
}

/* fsync of the directory that holds @path, so that a rename in it lasts. */
static int sync_directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int ret = 0;
	int fd;

	if (!directory)
		return -ENOMEM;
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Some filesystems answer EINVAL: they have no such thing to sync. */
	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
		ret = -errno;
	if (fd >= 0)
		close(fd);
	free(directory);
	return ret;
}

/*
 * A stream that keeps the cause of its first failed write: by the time that a writer looks, errno is that
 * of something else.
 */
struct sink {
	int fd;
	int error; /* positive errno; 0: none */
};

static ssize_t sink_write(void *cookie, const char *data, size_t size)
{
	struct sink *sink = cookie;
	size_t done = 0;

	while (done < size && !sink->error) {
		const ssize_t nr = write(sink->fd, data + done, size - done);

		if (nr < 0 && errno != EINTR)
			sink->error = errno;
		done += nr > 0 ? (size_t)nr : 0;
	}
	return sink->error ? 0 : (ssize_t)size;
}

/* Lets @writer write to @fd. Only fsync tells that the bytes are there, where @sync can be asked for. */
static int write_all(int fd, bool sync, file_writer *writer, const void *context)
{
	struct sink sink = {.fd = fd};
	FILE *out = fopencookie(&sink, "w", (cookie_io_functions_t){.write = sink_write});
	int ret;

	if (!out)
		return -errno;
	ret = writer(out, context);
	if (fclose(out) != 0 && ret == 0)
		ret = -EIO;
	if (sink.error)
		ret = -sink.error;
	if (ret == 0 && sync && fsync(fd) < 0)
		ret = -errno;
	return ret;
}

int file_replace(const char *path, file_writer *writer, const void *context)
{
	char *temporary = NULL;
	int fd, ret;

	if (asprintf(&temporary, "%s.%d.tmp", path, (int)getpid()) < 0)
		return -ENOMEM;
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		ret = -errno;
		goto out;
	}
	ret = write_all(fd, true, writer, context);
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	if (ret == 0 && rename(temporary, path) < 0)
		ret = -errno;
	if (ret < 0)
		(void)unlink(temporary); /* the cause is known; a second failure adds nothing */
	else
		ret = sync_directory_of(path);
out:
	free(temporary);
	return ret;
}

int file_write_in_place(const char *path, file_writer *writer, const void *context)
{
	/* Not to wait for ever for a FIFO's reader; and after what others wrote to the same stdout. */
	const int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
	int flags, ret;

	if (fd < 0)
		return -errno;
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		ret = -errno;
	else
		ret = write_all(fd, false, writer, context);
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

static void add_place(struct places *places, char *directory)
{
	if (directory)
		places->directory[places->nr++] = directory;
}

void places_init(struct places *places)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	*places = (struct places){0};
	/* The XDG specification wants relative paths ignored. */
	if (state && state[0] == '/')
		add_place(places, path_join(state, "ssdbench"));
	else if (home && home[0] == '/')
		add_place(places, path_join(home, ".local/state/ssdbench"));
	add_place(places, strdup("/var/tmp"));
	add_place(places, strdup("/tmp"));
}

void places_fini(struct places *places)
{
	for (size_t i = 0; i < places->nr; i++)
		free(places->directory[i]);
	*places = (struct places){0};
}

char *run_directory_name(const struct profile *profile, const struct drive_facts *drive)
{
	const time_t now = time(NULL);
	char when[32];
	char *name = NULL;
	struct tm tm;

	if (!gmtime_r(&now, &tm) || strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &tm) == 0)
		return NULL;
	if (asprintf(&name, "ssdbench-%s-%s-%s", profile->name, drive->name ? drive->name : "drive",
		     when) < 0)
		return NULL;
	for (char *c = name; *c; c++) {
		if (*c == '/')
			*c = '_';
	}
	return name;
}
