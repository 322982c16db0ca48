#include "timing/significance.h"

#include "timing/stats.h"
#include "timing/tails.h"

#include <math.h>

/* P(K >= least), K binomial of n with this chance. The terms are summed from the smallest. */
static double at_least(size_t least, size_t n, double chance) {
    double term = pow(chance, (double)n), sum = 0;
    if (chance >= 1)
        return 1;
    for (size_t k = n;; k--) {
        sum += term;
        if (k == least || k == 0)
            return fmin(sum, 1);
        term *= (double)k / (double)(n - k + 1) * (1 - chance) / chance;
    }
}

double significance_above(const double *x, size_t n) {
    size_t above = 0;
    if (n == 0 || n > SIGNIFICANCE_MOST)
        return NAN;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            return NAN;
        above += x[i] > 0;
    }
    return at_least(above, n, SIGNIFICANCE_ALLOWED);
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

size_t significance_rounds(size_t tests, double alpha, size_t spare) {
    size_t n = spare + 1;
    while (n < SIGNIFICANCE_MOST &&
           at_least(n - spare, n, SIGNIFICANCE_ALLOWED) > alpha / (double)tests)
        n++;
    return n;
}

double significance_power(size_t n, size_t spare, double deviations) {
    const double tail = tails_student(fabs(deviations) * sqrt(2), 4) / 2; /* t(4) has variance 2 */
    return at_least(n - spare, n, deviations < 0 ? tail : 1 - tail);
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

double significance_detectable(double margin, double sd, size_t n, double alpha) {
    if (isnan(sd) || n > SIGNIFICANCE_MOST)
        return NAN;
    size_t least = n;
    if (n == 0 || at_least(n, n, SIGNIFICANCE_ALLOWED) > alpha)
        return INFINITY;
    while (least > 0 && at_least(least - 1, n, SIGNIFICANCE_ALLOWED) <= alpha)
        least--;
    double low = 0, high = 8;
    while (high - low > 1e-6) {
        const double d = (low + high) / 2;
        if (at_least(least, n, erfc(-d / sqrt(2)) / 2) < 0.8)
            low = d;
        else
            high = d;
    }
    return margin + sd * high;
}
