/* Progress on stderr: a bar with the time left on a terminal, a line a round of a unit otherwise.
 */
#ifndef BENCH_RUN_PROGRESS_H
#define BENCH_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/plan/plan.h"
#include "reports/run/rundir.h"

struct progress {
    size_t total, done, skipped; /* rounds of units; skipped: already there when resumed */
    size_t units;                /* that have ended */
    double started;              /* CLOCK_MONOTONIC seconds */
    int terminal;
};

/* units, of so many rounds each; there: those that are there already; begun: rounds of others. */
void progress_start(struct progress *progress, size_t units, int rounds, size_t there,
                    size_t begun);

/* Before a round of a unit: what is in hand. */
void progress_unit(const struct progress *progress, const char *unit);

/* After it, and after so many rounds in all: what became of it. ended: the unit is whole. */
void progress_step(struct progress *progress, const char *unit, size_t rounds, bool ended,
                   const char *result);

/* What became of a unit in a few words: "ok", or the candidate's outcome with its evidence, and the
 * speed against the last baseline. */
void progress_summary(const struct unit *unit, const struct rows *rows, char text[RUNDIR_TEXT]);

void progress_end(const struct progress *progress);

#endif
