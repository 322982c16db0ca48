/* The raw samples of one unit and mode, and the rows derived from them. */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "bench/plan.h"
#include "reports/rundir.h"

/* Blocks kept, at most. A longer series keeps every 2nd, 4th, 8th ... block, so that what is kept
 * stays spread evenly over the whole time, and everything reported is computed from what is kept.
 */
#define SERIES_BLOCKS 16384

struct series {
    enum plan_mode mode;
    int arms;
    char names[WIRE_ARMS][RUNDIR_NAME];
    int candidate;  /* which arm is the candidate; -1 if none */
    float *seconds; /* kept blocks x arms, block-major */
    size_t kept;
    uint64_t seen, every; /* blocks timed; one of `every` is kept */
    double timed_seconds; /* sum of all samples, kept or not */
};

/* Adds whole blocks. 0, or -1 after error(). */
int series_add(struct series *series, const float *seconds, size_t blocks);
void series_free(struct series *series);

/* A times row for every arm, and a ratios row for every baseline against the candidate, with the
 * derived -max baselines: for X-nn and X-tn the row of the layout against which the candidate's
 * speedup is smaller. 0, or -1 after error(). */
int series_rows(const struct series *series, const struct unit *unit, struct rows *rows);

#endif
