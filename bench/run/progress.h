/* Progress on stderr: a bar with the time left on a terminal, a line a unit otherwise. */
#ifndef BENCH_RUN_PROGRESS_H
#define BENCH_RUN_PROGRESS_H

#include <stddef.h>

#include "bench/plan/plan.h"
#include "reports/run/rundir.h"

struct progress {
    size_t total, done, skipped; /* skipped: already there when resumed */
    double started;              /* CLOCK_MONOTONIC seconds */
    int terminal;
};

void progress_start(struct progress *progress, size_t total, size_t skipped);

/* Before a unit: what is in hand. */
void progress_unit(const struct progress *progress, const char *unit);

/* After a unit: what became of it. */
void progress_step(struct progress *progress, const char *unit, const char *result);

/* What became of a unit in a few words: "ok", or the candidate's outcome with its evidence, and the
 * speed against the last baseline. */
void progress_summary(const struct unit *unit, const struct rows *rows, char text[RUNDIR_TEXT]);

void progress_end(const struct progress *progress);

#endif
