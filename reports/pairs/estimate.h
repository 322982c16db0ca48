/* What pairs say: the ratio of one, of one over another, and the mean over many. Every ratio with
 * an interval that is printed comes from here or is a row of ratios.csv, which is the same. */
#ifndef REPORTS_PAIRS_ESTIMATE_H
#define REPORTS_PAIRS_ESTIMATE_H

#include "reports/pairs/pairs.h"
#include "timing/suite_mean.h"

/* A ratio of times with its 95 % interval. NaN ends: a side has fewer than two visits, of which the
 * interval says nothing of another process. */
struct estimate {
    double ratio, low, high;
};

/* t_reference / t_candidate: the ratio and the interval of ratios.csv. */
struct estimate estimate_pair(const struct pair *pair);

/* The same with an interval that is so much wider that as many of them hold together with 95 %
 * (Bonferroni). */
struct estimate estimate_together(const struct pair *pair, size_t count);

/* Of two runs, through a reference that both have timed: t_candidate of the earlier over that of
 * the later. The interval is Welch's (1947) of both moderated variances, with Satterthwaite's
 * degrees of freedom. before NULL: as estimate_pair. */
struct estimate estimate_over(const struct pair *now, const struct pair *before);

/* The variance of the mean of the pair's visits. */
struct moderation estimate_error(const struct pair *pair);

/* The half-width of the 95 % interval of a value with such an error, which is 0 where it does not
 * scatter. */
double estimate_half(struct moderation error);

/* The mean over pairs of ln(t_reference / t_candidate), a pair counting as its weight (NULL: all
 * the same), with its intervals over visits and over shapes (suite_mean.h). Weights add up to more
 * than 0. All NaN without memory. */
struct suite_mean estimate_mean(const struct pair *const *pairs, const double *weights,
                                size_t count);

/* The same of pairs of two runs: now[i] over before[i] (NULL: of none), Welch's of both means. It has
 * no interval over shapes. */
struct suite_mean estimate_mean_over(const struct pair *const *now,
                                     const struct pair *const *before, const double *weights,
                                     size_t count);

#endif
