/* What a call draws: NVML's counter before and behind a row of calls, over their number. */
#ifndef BENCH_JOBS_ENERGY_H
#define BENCH_JOBS_ENERGY_H

#include "bench/jobs/batch.h"

/* A row takes so long, by the median of the arm's calls. A card counts in steps of 20 to 100 ms, and so each
 * end of a row is at a step: while a card waits for it, it draws what an idle card does. */
#define ENERGY_SECONDS 0.5

/* Rows of an arm on a shape, one in each of the first visits. */
enum { ENERGY_VISITS = 3 };

/* Where a row takes so many times as long as its calls, the card waits for the host, and the arm has no
 * joules: a call is too short. A row ends then. */
#define ENERGY_GAPS 1.5

/* Where a row takes less than so many times as long as its calls, it has done less work, and the arm
 * has no joules. A C of the row is written many times, and a kernel may find its product there already;
 * each call that is timed has an empty one. */
#define ENERGY_SKIPS 0.5

/* Behind the blocks of a visit on the stage, where the plan wants it and NVML has the counter: a row of
 * each arm, whose joules a call go to the series of its times by `device`. Returns as batch_run. */
int energy_measure(struct timing *t);

#endif
