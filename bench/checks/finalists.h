/* The algorithms of autotuned libraries that are arms. Three processes rank all of a library's
 * suggestions, in the place and by the lens that count, before the unit's first visit: so every visit
 * has the same arms. The best three by the sum of their ranks are arms, and always the library's first
 * suggestion. The autotuned library is the best of them by the mean of all visits
 * (reports/rows/layouts.h). */
#ifndef BENCH_CHECKS_FINALISTS_H
#define BENCH_CHECKS_FINALISTS_H

#include "bench/jobs/unit_context.h"

/* Makes the session's finalists those of the units' shapes; units of one shape stand together. Each of
 * the processes serves all shapes. Nothing else may use the device meanwhile. A library that fails in all
 * three processes has none; its check says why. 0 or TROUBLE. */
int finalists_rank(struct device_session *session, const struct unit *const *units, size_t count);

void finalists_free(struct device_session *session);

/* Of a shape, or NULL where it was not ranked. */
const struct finalists *finalists_of(const struct device_session *session, struct shape shape);

/* Lists the arms of the plan's `which`-th baseline: itself, or its finalists. The first suggestion is
 * the arm of the library's heuristic where the plan has that, too. Returns how many there are. */
struct finalist {
    char name[RUNDIR_NAME];
    int variant;
};
int finalists_list(const struct unit_context *context, int which,
                   struct finalist list[FINALISTS_BEST + 1]);

#endif
