/* Two releases of a kernel set, shape by shape and as a whole. Pure: speeds in, rows out. */
#ifndef REPORTS_COMPARE_COMPARISON_H
#define REPORTS_COMPARE_COMPARISON_H

#include "reports/gate/gate_policy.h"
#include "reports/run/round_speeds.h"
#include "reports/run/weights.h"

/* Confidence of the two-sided intervals. Each one-sided bound has the confidence (1 + this) / 2. */
#define COMPARISON_CONFIDENCE 0.95

enum comparison_verdict {
    COMPARISON_FASTER,
    COMPARISON_SAME,
    COMPARISON_SLOWER,
    COMPARISON_UNDECIDED
};
const char *comparison_word(enum comparison_verdict verdict); /* faster same slower undecided */

struct comparison_row {
    struct round_speed speed; /* new against old; of two runs: x is what it is worth, see below */
    size_t old_rounds;        /* of two runs: the old run's; else 0 */
    double old_x[ROUND_SPEEDS_ROUNDS]; /* and its x less their mean */
    double old_seconds, new_seconds;
    double ratio, ci_low, ci_high; /* t_old / t_new over rounds, Student's t; NaN ends: one round */
    const char *place;             /* of words_places */
    double sd;                     /* of x over rounds */
    double margin;                 /* of its size class, as a share: 0.02 */
    const char *size_class;        /* of the policy */
    enum comparison_verdict verdict;
};

struct comparison {
    struct comparison_row *rows;
    size_t count;
    bool paired;               /* old and new were arms of the same blocks */
    size_t only_old, only_new; /* kernels that the other run has not, each on each of its shapes */
};

/* same: the interval lies within (1 / (1 + margin), 1 + margin). faster, slower: it lies above or
 * below 1 and is not same. Else undecided, as is whatever has fewer than two rounds. */
enum comparison_verdict comparison_judge(double ci_low, double ci_high, double margin);

/* The ratio t_old / t_new that the mean of x, less that of old, stands for (x = ln t, or ln of t to
 * the same library). The interval is Student's t, or with rounds of both (old_n > 0) Welch's with
 * Satterthwaite's degrees of freedom (Welch 1947). NaN ends: fewer than two rounds of a side. */
struct comparison_ratio {
    double ratio, low, high;
};
struct comparison_ratio comparison_ratio_of(const double *x, size_t n, const double *old,
                                            size_t old_n, double confidence);

/* One run in which the old release was an arm: the speeds against RUNDIR_PREVIOUS, none if it
 * was not. Rows point into the policy. */
int comparison_paired(const struct round_speeds *speeds, const struct gate_policy *policy,
                      struct comparison *comparison);

/* Two runs on machines of one fingerprint, through a baseline that both have measured. The ratio is
 * (t_base / t_new of the new run) / (t_base / t_old of the old run); its interval is Welch's over
 * the rounds of both, and x holds the new run's rounds less the old run's mean. A speed is compared
 * with that of the same shape, candidate, mode, lens and cache. */
int comparison_crossed(const struct round_speeds *old, const struct round_speeds *new_,
                       const char *baseline, const struct gate_policy *policy,
                       struct comparison *comparison);

/* One mode and lens of the whole set, or of one size class ("" for all). */
struct comparison_total {
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    const char *size_class;
    size_t shapes, faster, same, slower, undecided;
    size_t native;             /* of the shapes */
    double geomean, low, high; /* of t_old / t_new: mean over shapes in each round that all have,
                                * Student's t over the rounds (of two runs: Welch's); NaN ends:
                                * fewer than two rounds */
    /* Of the traffic: the sum of weight x time. The new times are medians; the old ones are the new
     * ones times the rows' ratios, so that the library of the same blocks stands for the machine.
     */
    double old_seconds, new_seconds;
    double change, change_low, change_high; /* new / old - 1, and its interval over rounds as above;
                                             * NaN ends: fewer than two rounds, or no weight */
};

/* Fills totals: for each mode and lens the whole first, then its size classes from small to large.
 * Returns how many (at most COMPARISON_TOTALS), or -1 after error(). */
#define COMPARISON_TOTALS 128
int comparison_totals(const struct comparison *comparison, const struct weights *weights,
                      struct comparison_total totals[COMPARISON_TOTALS]);

void comparison_free(struct comparison *comparison);

#endif
