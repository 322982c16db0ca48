/* Progress on stderr. On a terminal one line moves: the visit and the unit in hand, and when the run
 * ends. Elsewhere each visit is a line, and each minute of a visit that takes longer. Kernels that
 * fail leave a line of their own. */
#ifndef BENCH_RUN_PROGRESS_H
#define BENCH_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/plan/plan.h"
#include "bench/run/work_list.h"
#include "reports/run/rundir.h"

/* Visits or checks of units that were made in this run. */
struct progress_spent {
    double seconds;
    size_t count;
};

struct progress {
    size_t units, ended; /* ended: in this run */
    int visits;          /* of each unit */
    size_t *done; /* units that have their checks, and then each visit, or will never have it */
    struct progress_spent checked, visited;
    double started; /* CLOCK_MONOTONIC seconds */
    double told;    /* when the last line was printed */
    int terminal;   /* its columns; 0: stderr is none */
};

/* Takes the list of what is to be measured, and says what is there already. */
void progress_start(struct progress *progress, const struct work_list *list, int visits);

/* Before a visit of a unit, or its checks (WORK_CHECKS): what is in hand. */
void progress_unit(const struct progress *progress, const char *unit, int visit);

/* After a visit of a unit, from 0, or its checks: how long it took, and what became of it. ended: the unit is whole, and has no more visits. refused: something of it failed. */
struct progress_turn {
    const char *unit, *result;
    int visit;
    bool ended, refused;
    double seconds;
};
void progress_step(struct progress *progress, const struct progress_turn *turn);

/* Says in a few words what became of a unit: "ok", or the candidate's outcome with its evidence, and
 * the leading ratio. Returns whether something failed. */
bool progress_summary(const struct unit *unit, const struct rows *rows, char text[RUNDIR_TEXT]);

void progress_end(const struct progress *progress);

void progress_free(struct progress *progress);

#endif
