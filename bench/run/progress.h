/* Progress on stderr: a bar with the time left on a terminal, a line a unit otherwise. */
#ifndef BENCH_RUN_PROGRESS_H
#define BENCH_RUN_PROGRESS_H

#include <stddef.h>

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
void progress_end(const struct progress *progress);

#endif
