/* How fast every candidate of a run was in each of its rounds: what comparisons and gates work on.
 * Derived from the raw samples, never from the run's own CSV files. */
#ifndef REPORTS_GATE_LEVELS_H
#define REPORTS_GATE_LEVELS_H

#include <stdio.h>

#include "reports/rundir.h"

#define LEVELS_ROUNDS 64

/* The arm that is the same kernel of an earlier release, in a run made with --against. */
#define LEVELS_PREVIOUS "previous"

/* Libraries through which two runs are compared before any other, best first; NULL ends them. */
extern const char *const levels_preferred[];

/* A candidate against one reference (a baseline, a derived -max or LEVELS_PREVIOUS) in one mode and
 * lens. */
struct level {
    struct shape shape;
    char candidate[RUNDIR_NAME], reference[RUNDIR_NAME], mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    char cache[8];
    double seconds, reference_seconds; /* medians over all rounds */
    double disturbed;                  /* share of blocks; NaN: not known */
    double within; /* half-width of the 95 % interval inside a round: mean over the rounds; NaN
                    * where one has too few blocks for an interval */
    size_t rounds;
    double x[LEVELS_ROUNDS]; /* ln(t_candidate / t_reference) of each round, its Hodges-Lehmann
                              * estimate: above 0 is slower */
};

/* Sorted by shape (shape_compare), candidate, reference, mode, lens; freed by levels_free. */
struct levels {
    struct level *list;
    size_t count;
};

/* Every timed unit of the run. -max references are the layout that add_max of derive.c chooses.
 * More rounds than LEVELS_ROUNDS are an error. 0, or -1 after error(). */
int levels_read(const char *run, struct levels *levels);

/* A kernel for one shape is called by its set, and the sets of two releases may differ in name. */
void levels_rename_set(struct levels *levels, const char *from, const char *to);

/* The same as CSV, a line a round, and back: columns m,n,k,candidate,reference,mode,lens,cache,
 * seconds,reference_seconds,disturbed,within,round,x. A number that is not known is empty.
 * Lines stand in the levels' order and rounds count from 0 without gaps; anything else is refused
 * with file and line. */
void levels_write_csv(FILE *out, const struct levels *levels);
int levels_read_csv(const char *file, struct levels *levels);

/* Their order, for qsort. */
int levels_compare(const void *left, const void *right);

/* The row, or NULL. */
const struct level *levels_find(const struct levels *levels, const struct level *like,
                                const char *reference);

void levels_free(struct levels *levels);

#endif
