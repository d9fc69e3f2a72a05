// SPDX-License-Identifier: MIT
/*
 * One step of 4 KiB random reads on the engine alone, without profile, plan and result. It does what the
 * program never does: it ends after a number of bytes, so that instructions can be counted per I/O, and it
 * reads through the page cache, where neither side waits for a device.
 *
 *	engine_step [OPTION...] FILE|null
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ssdbench/engine.h"

#define BLOCK 4096U

struct arguments {
	enum engine_kind engine;
	uint32_t iodepth;
	uint32_t sizes; /* of the mix: 4 KiB, 8 KiB and so on, in equal shares */
	bool once, buffered;
	uint64_t runtime_ns; /* 0: ends with its bytes */
	unsigned int passes;
	uint64_t size; /* 0: the whole file */
	const char *target;
};

static const struct option options[] = {
	{"engine", required_argument, NULL, 'e'},
	{"iodepth", required_argument, NULL, 'd'},
	{"sizes", required_argument, NULL, 'n'},
	{"once", no_argument, NULL, 'o'},
	{"buffered", no_argument, NULL, 'b'},
	{"runtime", required_argument, NULL, 'r'},
	{"passes", required_argument, NULL, 'p'},
	{"size", required_argument, NULL, 's'},
	{0},
};

/* 1, and @err filled, for what is not from 1 to @most. */
static uint32_t number(const char *text, uint32_t most, struct error *err)
{
	char *end;
	const unsigned long value = strtoul(text, &end, 10);

	if (*end == '\0' && value >= 1 && value <= most)
		return (uint32_t)value;
	error_usage(err, "%s: not a number from 1 to %u", text, most);
	return 1;
}

static int parse(struct arguments *a, int argc, char *argv[], struct error *err)
{
	int option;

	*a = (struct arguments){.iodepth = 32, .sizes = 1, .passes = 1};
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'e':
			if (engine_kind_parse(optarg) < 0)
				return error_usage(err, "%s: no such engine", optarg);
			a->engine = (enum engine_kind)engine_kind_parse(optarg);
			break;
		case 'd': a->iodepth = number(optarg, 65535, err); break;
		case 'n': a->sizes = number(optarg, ALIAS_MAX, err); break;
		case 'o': a->once = true; break;
		case 'b': a->buffered = true; break;
		case 'r': duration_parse(optarg, &a->runtime_ns, err); break;
		case 'p': a->passes = number(optarg, 1000000, err); break;
		case 's': size_parse(optarg, &a->size, err); break;
		default: return error_usage(err, "see the head of engine_step.c");
		}
	}
	if (argc - optind != 1)
		return error_usage(err, "needs one target, a file or null");
	a->target = argv[optind];
	return err->code;
}

/* 0 with @drive's file, if any, and span. */
static int open_drive(struct engine_drive *drive, const struct arguments *a, struct error *err)
{
	off_t end;

	*drive = (struct engine_drive){.fd = -1, .alignment = BLOCK, .name = a->target};
	drive->span.bytes = a->size;
	if (strcmp(a->target, "null") == 0)
		return 0;
	drive->fd = open(a->target, O_RDONLY | O_CLOEXEC | (a->buffered ? 0 : O_DIRECT));
	if (drive->fd < 0)
		return error_set(err, -errno, "%s: %s", a->target, strerror(errno));
	end = lseek(drive->fd, 0, SEEK_END);
	if (end < 0)
		return error_set(err, -errno, "%s: %s", a->target, strerror(errno));
	if (!a->size || a->size > (uint64_t)end)
		drive->span.bytes = (uint64_t)end;
	return 0;
}

static int run(uint64_t *ios, struct engine_result *result, const struct arguments *a,
	       const struct engine_drive *drive, struct error *err)
{
	struct size_share entry[ALIAS_MAX];
	const struct size_mix mix = {.nr = a->sizes, .entry = entry};
	const struct step step = {
		.label = (char *)"engine_step",
		.read_percent = 100,
		.order = a->once ? ORDER_ONCE : ORDER_RANDOM,
		.mix = &mix,
		.align = BLOCK,
		.iodepth = a->iodepth,
		.numjobs = 1,
		.passes = a->passes,
		.runtime_ns = a->runtime_ns,
	};
	struct clock clock;
	const struct engine_config config = {.kind = a->engine, .seed = 1, .clock = &clock};
	int rc;

	assert(a->sizes >= 1);
	for (uint32_t i = 0; i < a->sizes; i++) {
		entry[i].bytes = (i + 1) * BLOCK;
		entry[i].basis_points = 10000 / a->sizes;
	}
	entry[0].basis_points += 10000 % a->sizes;
	clock_init(&clock, "/sys");
	rc = engine_run(result, &config, &step, drive, 1, NULL, err);
	if (rc == 0)
		*ios = result->drive[0].dir[DIR_READ].ios;
	return rc;
}

int main(int argc, char *argv[])
{
	struct error err = {0};
	struct arguments arguments;
	struct engine_drive drive = {.fd = -1};
	struct engine_result result = {0};
	uint64_t ios;
	int rc = parse(&arguments, argc, argv, &err);

	if (rc == 0)
		rc = open_drive(&drive, &arguments, &err);
	if (rc == 0)
		rc = run(&ios, &result, &arguments, &drive, &err);
	if (rc == 0 && result.drive[0].errors)
		rc = error_set(&err, -EIO, "%s: %llu reads failed", arguments.target,
			       (unsigned long long)result.drive[0].errors);
	if (rc == 0)
		printf("%llu %s %s\n", (unsigned long long)ios, engine_kind_name(result.used),
		       result.features);
	else
		fprintf(stderr, "engine_step: %s\n", err.text);
	engine_result_fini(&result);
	if (drive.fd >= 0)
		close(drive.fd);
	return rc ? EXIT_FAILURE : EXIT_SUCCESS;
}
