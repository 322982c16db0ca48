/* From one number to another, step by step: the mean of each step over the same shapes, and what
 * each step changes. Pure. */
#ifndef REPORTS_FACTORS_FACTORS_H
#define REPORTS_FACTORS_FACTORS_H

#include "reports/factors/factors_file.h"

/* A ratio with its two 95 % intervals (timing/suite_mean.h): what other rounds of the same shapes
 * would show, and what other shapes would. NaN ends where there is none. */
struct factors_value {
    double ratio, low, high, shapes_low, shapes_high;
};

struct factors_line {
    const struct factors_step *step;
    struct factors_value level;  /* t_library / t_kernel */
    struct factors_value change; /* level over that of the step before; NaN of the first */
    double share;                /* of ln(last level / first level) that the change makes */
    size_t shapes;               /* in the mean */
    size_t held;                 /* that the run has, also such as other steps lack */
    size_t alone;                /* that all other steps have and this one lacks */
    size_t rounds;
};

struct factors {
    struct factors_line *lines; /* one a step */
    size_t count;
    size_t shapes;  /* that all steps have: what every mean is over, but for refused ones */
    size_t refused; /* of these, by any of the runs */
};

/* rows[i] are those of chain->steps[i].run, complete, with one kernel on each shape. Both stay the
 * caller's and are kept as long as factors is used.
 *
 * Means. With x_i the value of shape i, the level L is exp(mean ln x_i) or mean x_i. Intervals are
 * those of suite_mean_of of contributions y_i: ln x_i, or ln L + (x_i - L) / L, whose mean is ln L
 * (the delta method). A shape that the step omits contributes ln L, and the others deviate from ln
 * L by shapes / counted as much, so that the means stay: the usual linear form of a mean over a
 * part.
 *
 * A change is the mean of the differences of contributions, shape by shape and, where both steps
 * have as many rounds, round by round; else its interval over rounds is that of two independent
 * levels. Variances of levels are those behind the rows' intervals; those of a change, which no row
 * has, are moderated among each other.
 *
 * Simulated, 2,000 chains each: 10 or 40 shapes, 3 or 4 rounds with a standard deviation of some
 * 2 %, another one for each shape, nothing or 1 % common to a round, both means. Of the
 * true levels 93.0 to 95.3 % were in their intervals, of the changes 93.7 to 96.0 %, and of the
 * changes of the population of shapes 93.2 to 95.1 %.
 *
 * 0, or -1 after error(): a run without such ratios, or with several kernels; refused kernels to be
 * counted that the run has not timed; no shape that all steps have. */
int factors_make(const struct factors_chain *chain, const struct rows *rows,
                 struct factors *factors);
void factors_free(struct factors *factors);

#endif
