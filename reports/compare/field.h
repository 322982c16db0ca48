/* Kernels of one or more runs and the libraries beside them, on each shape in order of speed.
 *
 * Runs have no arm in common but libraries. So each kernel stands by its ratio to one library of
 * the shape, the strongest that all runs have timed there, which is the row's anchor. Pure: speeds
 * in, rows out. */
#ifndef REPORTS_COMPARE_FIELD_H
#define REPORTS_COMPARE_FIELD_H

#include "reports/compare/comparison.h"

#define FIELD_RUNS 32

struct field_run {
    char name[RUNDIR_NAME]; /* of its set, unique among the runs */
    struct round_speeds speeds;
};

/* A kernel, or a library. */
struct field_entry {
    const char *name;
    size_t run; /* a kernel's; of a library FIELD_RUNS */
    bool is_library;
    const char *place; /* of words_places; of a library native where it is beside any kernel */
    double seconds;    /* median, of a library the mean of its medians */
    size_t rounds;
    double x[ROUND_SPEEDS_ROUNDS]; /* ln(t / t of the anchor) by rounds */
    struct comparison_ratio ratio; /* of the anchor's time to its own. Those of the kernels hold
                                    * together: Bonferroni over the row's kernels */
    size_t rank; /* from 1; the first of a rank is the fastest, and no other of it is
                  * COMPARISON_SLOWER than that */
};

struct field_row {
    struct shape shape;
    const char *mode, *lens, *cache; /* of the speeds */
    const char *size_class;
    double margin;
    struct field_entry *entries; /* fastest first */
    size_t count;
    size_t anchor; /* which entry is the strongest library */
    size_t kernel; /* which entry is the fastest kernel, of those that may win if there are any */
    bool passed_over; /* a faster one is native, which the policy refuses */
    size_t winner;    /* the kernel, if it may win and is shown to be faster than the anchor and by
                       * more than the    margin; else the anchor */
    double weight;    /* how often the shape is called */
};

struct field {
    struct field_row *rows; /* by shape, mode, lens and cache */
    size_t count;
    size_t lone; /* shapes, by mode and lens, on which the runs have no library in common */
};

/* Of one mode and lens, or of all (NULL). The runs and the policy outlive the field. 0, or -1 after
 * error(). */
int field_make(const struct field_run *runs, size_t run_count, const char *mode, const char *lens,
               const struct gate_policy *policy, const struct weights *weights,
               struct field *field);
void field_free(struct field *field);

/* One entry over all shapes of a mode and lens. */
struct field_total {
    const char *mode, *lens, *name;
    size_t run;
    bool is_library;
    size_t shapes;                 /* it has */
    size_t first;                  /* of these, on how many its rank is 1 */
    size_t common;                 /* that all ranked entries have; the ratio is over these */
    struct comparison_ratio ratio; /* geometric mean of the anchors' time to its own */
    double seconds;                /* of the traffic of the common shapes */
    size_t rank;                   /* as field_entry; 0: it has fewer than half of the shapes */
    size_t rounds;
    size_t native; /* of the shapes */
    double x[ROUND_SPEEDS_ROUNDS];
};

/* By mode and lens, then by rank. The caller frees *totals. Returns how many, or -1 after error().
 */
long field_totals(const struct field *field, const struct gate_policy *policy,
                  struct field_total **totals);

#endif
