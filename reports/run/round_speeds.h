/* How fast every candidate of a run was in each of its rounds.
 *
 * A round is a fresh process, and the unit of replication: what differs between two kernels, runs
 * or releases is judged by the spread over rounds, not over the blocks inside one. ratios.csv has
 * one estimate over all rounds, so comparisons, gates and stores need this finer view:
 *
 *     speed    one candidate on one shape against one reference, in one mode and lens:
 *              x[i] = ln(t_candidate / t_reference) in round i, above 0 where the candidate is
 * slower speeds   all of a run, sorted, so that two runs can be laid beside each other
 *
 * They are derived from the raw samples, never from the run's own CSV files: an edited ratios.csv
 * changes no verdict. */
#ifndef REPORTS_RUN_ROUND_SPEEDS_H
#define REPORTS_RUN_ROUND_SPEEDS_H

#include <stdio.h>

#include "reports/run/rundir.h"

#define ROUND_SPEEDS_ROUNDS 64

/* Libraries through which two runs are compared before any other, best first; NULL ends them. */
extern const char *const round_speeds_preferred[];

/* The reference is a baseline, a derived -max or RUNDIR_PREVIOUS. */
struct round_speed {
    struct shape shape;
    char candidate[RUNDIR_NAME], reference[RUNDIR_NAME], mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    char cache[8];
    enum place place;
    double seconds, reference_seconds; /* medians over all rounds */
    double disturbed;                  /* share of blocks; NaN: not known */
    double within; /* half-width of the 95 % interval inside a round: mean over the rounds; NaN
                    * where one has too few blocks for an interval */
    size_t rounds;
    double x[ROUND_SPEEDS_ROUNDS]; /* ln(t_candidate / t_reference) of each round, its
                                    * Hodges-Lehmann estimate: above 0 is slower */
};

/* Sorted by shape (shape_compare), candidate, reference, mode, lens; freed by round_speeds_free. */
struct round_speeds {
    struct round_speed *list;
    size_t count;
};

/* Every timed unit of the run. -max references are those of layouts.h.
 * More rounds than ROUND_SPEEDS_ROUNDS are an error. 0, or -1 after error(). */
int round_speeds_read(const char *run, struct round_speeds *speeds);

/* A kernel for one shape is called by its set, and the sets of two releases may differ in name. */
void round_speeds_rename_set(struct round_speeds *speeds, const char *from, const char *to);

/* The same as CSV, a line a round, and back: columns m,n,k,candidate,reference,mode,lens,cache,
 * place,seconds,reference_seconds,disturbed,within,round,x. A number that is not known is empty.
 * Lines stand in the speeds' order and rounds count from 0 without gaps; anything else is refused
 * with file and line. */
void round_speeds_write_csv(FILE *out, const struct round_speeds *speeds);
int round_speeds_read_csv(const char *file, struct round_speeds *speeds);

/* Their order, for qsort. */
int round_speeds_compare(const void *left, const void *right);

/* The row, or NULL. */
const struct round_speed *round_speeds_find(const struct round_speeds *speeds,
                                            const struct round_speed *like, const char *reference);

/* Where a number of both was taken, of which the second may be NULL: native as soon as one is. */
const char *round_speeds_place(const struct round_speed *speed, const struct round_speed *other);

void round_speeds_free(struct round_speeds *speeds);

#endif
