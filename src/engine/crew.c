// SPDX-License-Identifier: MIT
#include "crew.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* From the word to the start: time for the threads to wake up. */
#define START_DELAY_NS      (500 * NSEC_PER_USEC)
#define START_PER_WORKER_NS (20 * NSEC_PER_USEC)

void crew_size(const struct step *step, enum engine_kind kind, uint32_t *jobs, uint32_t *depth)
{
	const bool thread_per_request = kind == ENGINE_SYNC;

	*jobs = thread_per_request ? step->numjobs * step->iodepth : step->numjobs;
	*depth = thread_per_request ? 1 : step->iodepth;
}

int crew_lay_out(struct crew_config *config, uint64_t workers, struct error *err)
{
	const struct step *step = config->step;
	const uint64_t bound =
		config->engine->memory_bytes ? config->engine->memory_bytes : ENGINE_MEMORY_DEFAULT;
	const struct buffer_need need = {
		.largest = size_mix_max(step->mix),
		.reads = step->read_percent > 0,
		.writes = step->read_percent < 100,
		.workers = workers,
		.depth = config->depth,
	};
	char least[UNITS_TEXT_MAX], have[UNITS_TEXT_MAX];

	config->layout = (struct buffer_layout){0};
	if (workers == 0 || buffer_layout_plan(&config->layout, &need, bound) == 0)
		return 0;
	return error_set(err, -ENOMEM,
			 "%s: buffers need at least %s, the bound is %s: raise --memory or lower "
			 "iodepth or numjobs",
			 step->label, size_format(config->layout.minimum_bytes, least),
			 size_format(bound, have));
}

static void *zeroed(size_t nr, size_t size)
{
	const size_t bytes = nr * size;
	void *memory = aligned_alloc(OWN_LINES, bytes > 0 ? bytes : OWN_LINES);

	return memory ? memset(memory, 0, bytes) : NULL;
}

static void set_worker(struct crew *crew, uint32_t number, size_t drive, uint32_t job)
{
	const struct crew_config *c = &crew->config;
	const struct engine_config *engine = c->engine;
	const bool null = c->drive[drive].fd < 0 && !c->null_override;

	crew->worker[number].outbox = crew->outbox[number];
	crew->worker[number].config = (struct worker_config){
		.step = c->step,
		.drive = &c->drive[drive],
		.layout = &c->layout,
		.ops = null ? &ring_null : c->ops,
		.drive_index = (uint32_t)drive,
		.job = job,
		.jobs = c->jobs,
		.depth = c->depth,
		.seed = engine->seed,
		.max_errors = engine->max_errors,
		.iopoll = engine->iopoll && !c->drive[drive].no_poll_queues,
		.sqpoll = engine->sqpoll,
		.cpu = engine->nr_cpus ? (int)engine->cpus[number % engine->nr_cpus] : -1,
		.clock = engine->clock,
		.halt = &crew->halt[drive],
		.line = &crew->line,
	};
}

static int allocate(struct crew *crew)
{
	const struct crew_config *c = &crew->config;

	crew->first = calloc(c->nr_drives + 1, sizeof(*crew->first));
	if (!crew->first)
		return -ENOMEM;
	for (size_t d = 0; d < c->nr_drives; d++)
		crew->first[d + 1] = crew->first[d] + (c->drive[d].skip ? 0 : c->jobs);
	crew->nr = crew->first[c->nr_drives];
	crew->worker = zeroed(crew->nr, sizeof(*crew->worker));
	crew->halt = zeroed(c->nr_drives, sizeof(*crew->halt));
	crew->outbox = calloc(crew->nr + 1, sizeof(struct outbox *));
	if (!crew->worker || !crew->halt || !crew->outbox)
		return -ENOMEM;
	/* One allocation each: large enough to be fresh memory, whose unused pages are never touched. */
	for (uint32_t i = 0; i < crew->nr; i++) {
		crew->outbox[i] = calloc(1, sizeof(struct outbox));
		if (!crew->outbox[i])
			return -ENOMEM;
	}
	return 0;
}

static void line_init(struct start_line *line)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&line->mutex, NULL);
	pthread_cond_init(&line->changed, &attr);
	pthread_condattr_destroy(&attr);
}

int crew_new(struct crew **out, const struct crew_config *config, struct error *err)
{
	struct crew *crew = calloc(1, sizeof(*crew));

	if (!crew)
		return error_set(err, -ENOMEM, "no memory for the workers");
	crew->config = *config;
	line_init(&crew->line);
	if (allocate(crew)) {
		crew_free(crew);
		return error_set(err, -ENOMEM, "no memory for the workers");
	}
	for (size_t d = 0; d < config->nr_drives; d++) {
		for (uint32_t i = crew->first[d]; i < crew->first[d + 1]; i++)
			set_worker(crew, i, d, i - crew->first[d]);
	}
	*out = crew;
	return 0;
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	for (uint32_t i = 0; crew->outbox && i < crew->nr; i++)
		free(crew->outbox[i]);
	for (uint32_t i = 0; crew->worker && i < crew->nr; i++)
		worker_fini(&crew->worker[i]);
	pthread_mutex_destroy(&crew->line.mutex);
	pthread_cond_destroy(&crew->line.changed);
	free(crew->outbox);
	free(crew->worker);
	free(crew->halt);
	free(crew->first);
	free(crew);
}

/* Signals are for the thread that called the engine. */
static int start_threads(struct crew *crew, struct error *err)
{
	sigset_t all, before;
	uint32_t i;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (i = 0; i < crew->nr && rc == 0; i++) {
		rc = pthread_create(&crew->worker[i].thread, NULL, worker_main, &crew->worker[i]);
		crew->worker[i].has_thread = rc == 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return error_set(err, -rc, "cannot start worker %u of %u: %s", i, crew->nr,
				 strerror(rc));
	return 0;
}

static void tell(struct crew *crew, bool *word)
{
	pthread_mutex_lock(&crew->line.mutex);
	*word = true;
	pthread_cond_broadcast(&crew->line.changed);
	pthread_mutex_unlock(&crew->line.mutex);
}

int crew_prepare(struct crew *crew, struct error *err)
{
	struct start_line *line = &crew->line;
	int rc = start_threads(crew, err);
	bool failed = rc != 0;

	if (!failed) {
		pthread_mutex_lock(&line->mutex);
		while (line->ready < crew->nr)
			pthread_cond_wait(&line->changed, &line->mutex);
		failed = line->failed > 0;
		pthread_mutex_unlock(&line->mutex);
	}
	if (!failed)
		return 0;
	tell(crew, &line->abandoned);
	return crew_join(crew, err) < 0 ? err->code : rc;
}

void crew_go(struct crew *crew)
{
	const struct clock *clock = crew->config.engine->clock;
	const struct step *step = crew->config.step;
	struct schedule *s = &crew->line.schedule;
	const uint64_t delay = START_DELAY_NS + crew->nr * START_PER_WORKER_NS;

	s->start = clock_ticks(clock) + clock_span_ticks(clock, delay);
	s->ramp_end = s->start;
	s->window_end = UINT64_MAX;
	if (step->runtime_ns) {
		s->ramp_end += clock_span_ticks(clock, step->ramp_ns);
		s->window_end =
			s->start + clock_span_ticks(clock, step->ramp_ns + step->runtime_ns);
	}
	tell(crew, &crew->line.go);
}

bool crew_wait(struct crew *crew, uint64_t ns)
{
	struct start_line *line = &crew->line;
	const uint64_t until = clock_monotonic_ns() + ns;
	const struct timespec ts = {
		.tv_sec = (time_t)(until / NSEC_PER_SEC),
		.tv_nsec = (long)(until % NSEC_PER_SEC),
	};
	bool done;
	int rc = 0;

	pthread_mutex_lock(&line->mutex);
	while (line->finished < crew->nr && rc == 0)
		rc = pthread_cond_timedwait(&line->changed, &line->mutex, &ts);
	done = line->finished >= crew->nr;
	pthread_mutex_unlock(&line->mutex);
	return done;
}

bool crew_failed(struct crew *crew)
{
	bool failed;

	pthread_mutex_lock(&crew->line.mutex);
	failed = crew->line.failed > 0;
	pthread_mutex_unlock(&crew->line.mutex);
	return failed;
}

uint64_t crew_bytes(const struct crew *crew)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < crew->nr; i++)
		bytes += atomic_load_explicit(&crew->worker[i].published_bytes,
					      memory_order_relaxed);
	return bytes;
}

void crew_halt(struct crew *crew)
{
	for (size_t d = 0; d < crew->config.nr_drives; d++)
		halt_now(&crew->halt[d], crew->config.engine->clock);
}

int crew_join(struct crew *crew, struct error *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < crew->nr; i++) {
		struct worker *w = &crew->worker[i];

		if (!w->has_thread)
			continue;
		pthread_join(w->thread, NULL);
		w->has_thread = false;
		if (w->failure && rc == 0) {
			rc = w->failure;
			if (w->err.kind == ERROR_USAGE)
				error_usage(err, "%s", w->err.text);
			else
				error_set(err, rc, "%s", w->err.text);
		}
	}
	return rc;
}
