/* Two releases of a kernel set, shape by shape and as a whole: speeds in, rows and a page out. */
#ifndef REPORTS_COMPARE_COMPARISON_H
#define REPORTS_COMPARE_COMPARISON_H

#include <stdbool.h>

#include "reports/gate/gate_policy.h"
#include "reports/page/document.h"
#include "reports/pairs/estimate.h"
#include "reports/rows/unserved.h"
#include "reports/run/opened.h"

struct comparison_row {
    const struct pair *pair; /* of the new release; its pairs outlive the comparison */
    const struct pair *old;  /* of two runs the old one's; else NULL: the pair is of new over old */
    double old_seconds, new_seconds; /* the new time times the ratio, and the new one */
    double ratio, ci_low, ci_high;   /* t_old / t_new (reports/pairs/estimate.h) */
    bool unrecorded;                 /* the new kernel or the old one is */
    double sd;              /* of a visit, as it stands behind the interval; of the new run */
    double margin;          /* of its size class, as a share: 0.02 */
    const char *size_class; /* of the policy */
    enum verdict verdict;
};

/* A kernel of one of the releases that is compared with nothing (reports/compare/absent.h). */
struct comparison_absent {
    struct shape shape;
    char kernel[RUNDIR_NAME];
    char how[32];        /* gone, added, earlier refused, ... */
    const char *outcome; /* of the earlier kernel, "" where there is none */
};

struct comparison {
    struct comparison_row *rows;
    size_t count;
    bool paired; /* old and new were arms of the same blocks */
    size_t only_old,
        only_new; /* kernels that the other run has not timed against the baseline, each
                                * on each of its shapes, and that are not among the absent */
    struct comparison_absent *absent;
    size_t absent_count;
    struct unserved unserved;    /* by the new release */
    struct rows_tested tested;   /* of the new release */
    const struct rows *new_rows; /* of the run with the new release: what became of it; or NULL */
    const struct rundir *now, *before; /* the run with the new release; of two runs the old one's */
};

/* One run in which the old release was an arm: the speeds against RUNDIR_PREVIOUS, none if it
 * was not. Rows point into the policy. */
void comparison_paired(const struct pairs *speeds, const struct gate_policy *policy,
                       struct comparison *comparison);

/* Two runs on machines of one fingerprint, through a baseline that both have measured. The ratio is
 * (t_base / t_new of the new run) / (t_base / t_old of the old run). A pair is compared with that
 * of the same shape, candidate, mode, lens and cache. */
void comparison_crossed(const struct pairs *old, const struct pairs *new_, const char *baseline,
                        const struct gate_policy *policy, struct comparison *comparison);

/* One mode and lens of the whole set, or of one size class ("" for all). */
struct comparison_total {
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    const char *size_class;
    size_t shapes, verdicts[VERDICT_COUNT];
    size_t maybe_faster, behind; /* of a gate */
    size_t judged; /* these, and all of the verdicts; 0: a gate has judged another lens or mode */
    size_t unrecorded, left_out; /* of the shapes; those of which a visit is left out */
    double geomean, low, high;   /* of t_old / t_new, over shapes (estimate_mean_over); NaN ends:
                                * fewer than two visits, or a gate against another card */
};

/* Fills totals: for each mode and lens the whole first, then its size classes from small to large.
 * Returns how many (at most COMPARISON_TOTALS), or -1 after error(). */
#define COMPARISON_TOTALS 128
int comparison_totals(const struct comparison *comparison,
                      struct comparison_total totals[COMPARISON_TOTALS]);

/* The other run's speed of the same thing, or NULL. */
const struct pair *comparison_partner(const struct pairs *others, const struct pair *speed);

void comparison_free(struct comparison *comparison);

/* A fact of the page: the set of the run, or the earlier one of its two, with its folder and commit. */
void comparison_put_set(struct document *page, const char *name, const struct rundir *run,
                        bool earlier);

/* What a comparison says, as a document: compare.csv, compare.md, compare.html and what the
 * terminal shows are laid out of it.
 *
 * A table of the totals, "totals"; it stays open for document_most. */
void comparison_put_totals(struct document *page, const struct comparison_total *totals,
                           size_t count);

/* What became of the kernels of the new release, which shapes have none, and which kernels are gone
 * or added. False: all were compared. */
#define COMPARISON_UNCOMPARED ((ROWS_FATE_COUNT + 1) * ROWS_CHECK_TEXT)
bool comparison_uncompared(const struct comparison *comparison, char text[COMPARISON_UNCOMPARED]);

/* The figure of compare.html, COMPARISON_FIGURE.svg in its folder: the slowest first. Returns 1, 0
 * where no row has a ratio or there is no gnuplot, or -1 after error(). */
#define COMPARISON_FIGURE "ratios"
int comparison_draw(const char *folder, const struct comparison *comparison);

/* Its table "shapes" is compare.csv: what was not compared, then every row in the comparison's order.
 * drawn: the figure is there. The caller frees. */
struct document *comparison_page(const struct comparison *comparison,
                                 const struct comparison_total *totals, size_t total_count,
                                 bool drawn);

#endif
