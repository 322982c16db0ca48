/* The fastest honest kernel or library of each shape, over one or more runs.
 *
 * Runs have no arm in common but libraries. So each kernel stands by its ratio to one library of
 * the shape: the strongest that all of its kernels were timed beside. */
#ifndef REPORTS_COMPARE_WINNERS_H
#define REPORTS_COMPARE_WINNERS_H

#include "reports/gate/gate_policy.h"
#include "reports/page/document.h"
#include "reports/pairs/estimate.h"
#include "reports/query/query.h"
#include "reports/run/opened.h"

struct winners_call {
    const char *const *runs;
    size_t count;
    const char *mode, *lens;          /* NULL: the usual one */
    const struct gate_policy *policy; /* margins */
    const char *folder;               /* for winners.h; NULL: nowhere */
};

/* Writes winners.h and fills *page, which the caller frees. Returns an exit status. */
int winners_make(const struct winners_call *call, struct document **page);

/* A run of one set of kernels. */
struct winners_run {
    char name[RUNDIR_NAME]; /* of its set, unique among the runs */
    const struct pairs *speeds;
    const struct rundir *opened; /* NULL: there is none */
};

struct winners_row {
    struct shape shape;
    const char *mode, *lens; /* of the speeds */
    double margin;
    const char *library;    /* the strongest, by the times of the same visits */
    double library_seconds; /* mean of its times beside each kernel */
    /* The fastest kernel that is shown to be faster than the library; else the fastest: */
    const char *kernel;
    size_t run;
    double timed_visits, left_out; /* as in its pair */
    struct estimate ratio; /* of the library's time to its own; the intervals of a shape's kernels
                            * hold together */
    enum verdict verdict;  /* by that interval and the margin: it wins where it is faster */
};

struct winners {
    struct winners_row *rows; /* by shape */
    size_t count;
    size_t lone;       /* shapes on which the runs have no library in common */
    size_t unrecorded; /* kernels on shapes that cannot win: no device work bounds their times */
};

/* Adds the run's kernels beside their libraries to the table `contenders`, which winners.sql asks. */
void winners_add(sqlite3 *db, const struct winners_run *runs, size_t place, const char *mode,
                 const char *lens);

/* Of one mode and lens. The runs outlive the winners. */
void winners_find(const struct winners_run *runs, size_t run_count, const char *mode,
                  const char *lens, const struct gate_policy *policy, struct winners *winners);
void winners_free(struct winners *winners);

/* The winner of each shape (table "winners"). The caller frees. */
struct document *winners_page(const struct winners *winners, const struct winners_run *runs,
                              size_t run_count);

/* The same as a C header with a function that finds the winner of a shape. */
void winners_write_header(FILE *out, const struct winners *winners, const struct winners_run *runs);

#endif
