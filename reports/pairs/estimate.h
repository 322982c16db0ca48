/* What pairs say: the ratio of one, of one over another, and the mean over many. Every ratio with
 * an interval, and every verdict, that is printed comes from here or is a row of ratios.csv, which
 * is the same. */
#ifndef REPORTS_PAIRS_ESTIMATE_H
#define REPORTS_PAIRS_ESTIMATE_H

#include "reports/pairs/pairs.h"
#include "timing/suite_mean.h"

/* The variance of the mean of the pair's visits. NaN with 0 degrees of freedom: there are fewer than
 * two, which say nothing of another process. */
struct spread estimate_error(const struct pair *pair);

/* What visits say of a logarithm: its mean, with the variance of that, likewise. */
struct estimate_log {
    double mean;
    struct spread error;
};

/* ln(t_candidate / t_reference), above 0 where the candidate is slower; less that of the pair
 * before, of another run with a reference that both have timed, where it is not NULL. The error of
 * a difference is Welch's (1947), of both variances, with Satterthwaite's degrees of
 * freedom. */
struct estimate_log estimate_log(const struct pair *now, const struct pair *before);

/* A ratio of times with its 95 % interval; NaN ends where the error is not known. */
struct estimate {
    double ratio, low, high;
};

/* t_reference / t_candidate: the ratio and the interval of ratios.csv. Before another pair:
 * t_candidate of the earlier run over that of the later. */
struct estimate estimate_over(const struct pair *now, const struct pair *before);

struct estimate estimate_pair(const struct pair *pair);

/* What such an interval of these pairs shows: the word of ratios.csv, where the margin is its. */
enum verdict estimate_verdict(const struct estimate *is, const struct pair *now,
                              const struct pair *before, double margin);

/* Whether more of its blocks were disturbed than may be. */
bool estimate_disturbed(const struct pair *pair);

/* The half-width of the 95 % interval of a value with such an error, which is 0 where it does not
 * scatter. */
double estimate_half(struct spread error);

/* The same, so much wider that as many intervals hold together with 95 % (Bonferroni). */
double estimate_half_of(struct spread error, double count);

/* The mean over pairs of ln(t_reference / t_candidate), a pair counting as its weight (NULL: all
 * the same), with its intervals over visits and over shapes (suite_mean.h); with weights it has no
 * interval over shapes. Weights add up to more than 0. */
struct suite_mean estimate_mean(const struct pair *const *pairs, const double *weights,
                                size_t count);

/* The mean of pairs of two runs, each counting the same: now[i] over before[i] (NULL: of none), Welch's of both means. It has
 * no interval over shapes. */
struct suite_mean estimate_mean_over(const struct pair *const *now,
                                     const struct pair *const *before, size_t count);

#endif
