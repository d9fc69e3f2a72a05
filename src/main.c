// SPDX-License-Identifier: MIT
/*
 * The table of commands, the signals, and the exit status: the only place that ends the process and that
 * prints an error.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/status.h"
#include "ssdbench/nearest.h"

static const struct command commands[] = {
	{"run", "run a profile on drives and report", command_run},
	{"plan", "every step of a profile: its time, bytes and drive writes", command_plan},
	{"list", "the profiles that there are", command_list},
	{"show", "one profile as JSON, or what can be set in it", command_show},
	{"drives", "the drives of this machine and whether they could be targets", command_drives},
	{"check", "what of this host and of drives would spoil a result", command_check},
	{"schema", "the JSON Schema of profiles, results or checks", command_schema},
	{0},
};

/* The one global: a signal handler has nowhere else to put what it has seen. */
static atomic_int stop_signal;

/* The first signal asks; the second is from someone who no longer wants to wait. */
static void on_signal(int number)
{
	int none = 0;

	if (!atomic_compare_exchange_strong(&stop_signal, &none, number))
		_exit(STATUS_SIGNAL + number);
}

/*
 * A hangup that our parent had ignored stays so: that is what nohup is for. SIGINT is caught also where a
 * shell ignores it for its background jobs, since who sends it there means it.
 */
static void catch_stop(void)
{
	const struct sigaction handled = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	struct sigaction old;

	sigaction(SIGINT, &handled, NULL);
	sigaction(SIGTERM, &handled, NULL);
	if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &handled, NULL);
}

/* A pipe that nobody reads and a file that may not grow (ulimit -f) are failed writes, not sudden ends. */
static void ignore_write_signals(void)
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};

	sigaction(SIGPIPE, &ignored, NULL);
	sigaction(SIGXFSZ, &ignored, NULL);
}

/*
 * The number of a stream that the caller closed would be that of the next file: messages would go into the
 * journal or onto a drive. Opened the wrong way round, it fails each use as if it were closed.
 */
static int hold_standard_streams(struct error *err)
{
	static const int wrong_way[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong_way[fd]) != fd)
			return error_set(err, -errno, "/dev/null: %s", strerror(errno));
	}
	return 0;
}

static const struct command *find_command(const char *name)
{
	for (const struct command *command = commands; command->name; command++) {
		if (strcmp(command->name, name) == 0)
			return command;
	}
	return NULL;
}

static int unknown_command(const char *name, struct error *err)
{
	struct nearest nearest = {0};

	for (const struct command *command = commands; command->name; command++)
		nearest_offer(&nearest, name, command->name);
	if (nearest.word)
		return error_usage(err, "unknown command '%s': did you mean '%s'?", name,
				   nearest.word);
	return error_usage(err, "unknown command '%s'; see 'ssdbench --help'", name);
}

static int print_help(void)
{
	puts("Usage: ssdbench COMMAND [OPTION...] [WORD...]\n"
	     "Take a drive from a workload's name to a result that can be published.\n");
	for (const struct command *command = commands; command->name; command++)
		printf("  %-8s %s\n", command->name, command->summary);
	puts("\n'ssdbench COMMAND --help' describes a command, 'man ssdbench' everything.\n"
	     "A first run, on a temporary file: ssdbench run quick scratch:1GiB");
	return STATUS_DONE;
}

static int run_command(const char *name, int argc, char **argv,
		       const struct command_context *context, struct error *err)
{
	const struct command *command = find_command(name);

	return command ? command->function(argc, argv, context, err) : unknown_command(name, err);
}

/* ssdbench help [COMMAND] */
static int help(int argc, char **argv, const struct command_context *context, struct error *err)
{
	char option[] = "--help";
	char *words[] = {argc > 1 ? argv[1] : NULL, option, NULL};

	if (argc < 2)
		return print_help();
	return run_command(argv[1], 2, words, context, err);
}

/* @argv begins behind the program's name. */
static int dispatch(int argc, char **argv, const struct command_context *context, struct error *err)
{
	if (argc == 0)
		return error_usage(err, "which command? See 'ssdbench --help'");
	if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)
		return print_help();
	if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0) {
		puts("ssdbench " SSDBENCH_VERSION);
		return STATUS_DONE;
	}
	if (strcmp(argv[0], "help") == 0)
		return help(argc, argv, context, err);
	if (argv[0][0] == '-')
		return error_usage(err, "unknown option '%s'; see 'ssdbench --help'", argv[0]);
	return run_command(argv[0], argc, argv, context, err);
}

/* The status of a command that failed, after saying why. */
static int fail(int rc, const struct error *err)
{
	const int number = atomic_load(&stop_signal);

	if (rc == -EINTR && err->kind == ERROR_NONE && number)
		return STATUS_SIGNAL + number;
	fprintf(stderr, "ssdbench: %s\n", err->kind == ERROR_NONE ? strerror(-rc) : err->text);
	return status_of_error(err);
}

/* Data that did not get out is a failure, however well the command did. */
static int close_stdout(int status)
{
	const bool failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout) == 0 && !failed)
		return status;
	if (status != STATUS_HARNESS)
		fprintf(stderr, "ssdbench: cannot write to standard output: %s\n",
			strerror(errno ? errno : EIO));
	return STATUS_HARNESS;
}

int main(int argc, char **argv)
{
	const struct command_context context = {
		.catch_stop = catch_stop,
		.stop = &stop_signal,
		.argv = (const char *const *)argv,
		.argc = argc,
	};
	struct error err = {0};
	int status = hold_standard_streams(&err);

	/* For the characters of tables alone: numbers are the same in every locale. */
	setlocale(LC_CTYPE, "");
	ignore_write_signals();
	if (status == 0)
		status = dispatch(argc - 1, argv + 1, &context, &err);
	if (status < 0)
		status = fail(status, &err);
	return close_stdout(status);
}
