#include "timing/significance.h"

#include "bench/base/need.h"
#include "timing/stats.h"
#include "timing/tails.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

double significance_above(double value, struct spread error) {
    if (!(error.variance > 0))
        return 1;
    const double t = value / sqrt(error.variance), tail = tails_student(fabs(t), error.freedom) / 2;
    return t > 0 ? tail : 1 - tail;
}

static double chance_of(double p) {
    return isnan(p) ? 1 : p;
}

void significance_holm(const double *p, size_t n, double *adjusted) {
    for (size_t i = 0; i < n; i++) {
        size_t smaller = 0;
        for (size_t j = 0; j < n; j++)
            smaller += chance_of(p[j]) < chance_of(p[i]) ? 1 : 0;
        adjusted[i] = fmin(1, (double)(n - smaller) * chance_of(p[i]));
    }
    /* A value that is its maximum already is no more than this one's. */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (chance_of(p[j]) < chance_of(p[i]))
                adjusted[i] = fmax(adjusted[i], adjusted[j]);
}

static int compare_chances(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void sort_chances(double *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        p[i] = chance_of(p[i]);
    if (n > 0)
        qsort(p, n, sizeof *p, compare_chances);
}

double significance_level(double *p, size_t n, double alpha) {
    sort_chances(p, n);
    for (size_t i = n; i > 0; i--)
        if (p[i - 1] <= alpha * (double)i / (double)n)
            return alpha * (double)i / (double)n;
    return 0;
}

struct significance_bounds significance_bounds(const double *x, size_t n, double confidence) {
    struct significance_bounds bounds = {stats_mean(x, n), -INFINITY, INFINITY, stats_sd(x, n)};
    if (n < 2)
        return bounds;
    const double half =
        tails_student_quantile(confidence, (double)n - 1) * bounds.sd / sqrt((double)n);
    bounds.low = bounds.mean - half;
    bounds.high = bounds.mean + half;
    return bounds;
}

/* share[k]: that k of n happen. The shares, which begin as 0, stay 0 above `most`: they are below
 * what a double holds. */
static void distribution_fill(const double *chance, size_t n, double *share) {
    size_t most = 0;
    share[0] = 1;
    for (size_t i = 0; i < n; i++) {
        const double more = chance[i] * share[most];
        for (size_t k = most; k > 0; k--)
            share[k] = (1 - chance[i]) * share[k] + chance[i] * share[k - 1];
        share[0] *= 1 - chance[i];
        if (more >= DBL_MIN)
            share[++most] = more;
    }
}

struct poisson_binomial poisson_binomial_of(const double *chance, size_t n, size_t seen) {
    struct poisson_binomial result = {NAN, NAN, NAN};
    double expected = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(chance[i] >= 0 && chance[i] <= 1))
            return result;
        expected += chance[i];
    }
    double *share = need(n + 1, sizeof *share);
    distribution_fill(chance, n, share);
    result = (struct poisson_binomial){expected, 0, 0};
    /* From the small ends on. */
    for (size_t k = 0; k <= seen && k <= n; k++)
        result.at_most += share[k];
    for (size_t k = n + 1; k-- > seen;)
        result.at_least += share[k];
    result.at_most = fmin(result.at_most, 1);
    result.at_least = fmin(result.at_least, 1);
    free(share);
    return result;
}
