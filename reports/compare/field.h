/* Kernels of one or more runs on each shape, in order of speed, and which of them wins.
 *
 * Runs have no arm in common but libraries. So each kernel stands by its ratio to one library of
 * the shape: the strongest that all of its kernels were timed beside. Pure: speeds in, rows out. */
#ifndef REPORTS_COMPARE_FIELD_H
#define REPORTS_COMPARE_FIELD_H

#include <stdio.h>

#include "reports/compare/comparison.h"
#include "reports/page/document.h"
#include "reports/run/opened.h"

#define FIELD_RUNS 32

struct field_run {
    char name[RUNDIR_NAME];      /* of its set, unique among the runs */
    struct pairs speeds;         /* of the opened run, which keeps them */
    const struct rundir *opened; /* that; NULL: there is none */
};

struct field_kernel {
    const char *name;
    size_t run;
    double timed_visits, left_out; /* as in its pair */
    struct estimate ratio; /* of the library's time to its own; the intervals of a row's kernels
                            * hold together */
    enum verdict verdict;  /* by that interval and the row's margin */
};

struct field_row {
    struct shape shape;
    const char *mode, *lens; /* of the speeds */
    double margin;
    const char *library;          /* the strongest, by the times of the same visits */
    double library_seconds;       /* mean of its times beside each kernel */
    struct field_kernel *kernels; /* fastest first */
    size_t count;
    size_t best; /* the fastest that wins; else the fastest */
    bool wins;   /* its verdict is faster */
};

struct field {
    struct field_row *rows; /* by shape */
    size_t count;
    size_t lone; /* shapes on which the runs have no library in common */
    size_t
        unrecorded; /* kernels on shapes that cannot win, since no device work bounds what they take */
};

/* Of one mode and lens. The runs and the policy outlive the field. */
void field_make(const struct field_run *runs, size_t run_count, const char *mode, const char *lens,
                const struct gate_policy *policy, struct field *field);
void field_free(struct field *field);

/* The winner of each shape (table "winners"). The caller frees. */
struct document *field_winners_page(const struct field *field, const struct field_run *runs,
                                    size_t run_count);

/* The same as a C header with a function that finds the winner of a shape. */
void field_write_header(FILE *out, const struct field *field, const struct field_run *runs);

/* Reads the rows and speeds of an opened run, which must be complete and what its samples give,
 * without the speeds of kernels that have failed a check, also later than they were timed. 0, or -1
 * after error(). */
int field_read_run(struct rundir *run);

/* Reads such runs of equal machines, at most FIELD_RUNS. Says through error() what cannot be
 * compared. Returns an exit status. */
int field_read(struct rundir *opened, size_t count, struct field_run runs[FIELD_RUNS]);

#endif
