#include "timing/within.h"

#include "bench/base/need.h"
#include "timing/stats.h"
#include "timing/tails.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How many of n sorted values make, with x, a sum below a limit, or at most that. Rounding keeps
 * the order of sums, and a sum that is the limit stays so: differences would not. */
static size_t count_sums(const double *sorted, size_t n, double x, double limit, bool or_equal) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const double sum = sorted[middle] + x;
        if (sum < limit || (or_equal && sum == limit))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The long-run variance of the scores over their variance; 1 where all are
 * equal. room is for 2 n values. */
static double score_inflation(const double *x, size_t n, double estimate, double *room) {
    double *sorted = room, *scores = room + n;
    memcpy(sorted, x, n * sizeof *x);
    stats_sort(sorted, n);
    for (size_t i = 0; i < n; i++) {
        const size_t below = count_sums(sorted, n, x[i], 2 * estimate, false);
        const size_t above = n - count_sums(sorted, n, x[i], 2 * estimate, true);
        scores[i] = (double)above - (double)below;
    }
    const double sd = stats_sd(scores, n);
    return sd > 0 ? dependence_long_run(scores, n, WITHIN_WAVES) / (sd * sd) : 1;
}

struct within within_blocks(const double *x, size_t n, double confidence) {
    const struct stats_interval plain = stats_hodges_lehmann(x, n, confidence);
    struct within within = {plain.estimate, plain.low, plain.high, NAN, NAN, NAN, NAN};
    if (isnan(plain.estimate))
        return within;
    const double normal = tails_student_quantile((1 + confidence) / 2, INFINITY);
    const double half = (plain.high - plain.low) / 2;
    within.plain_error = half / normal;
    within.lag1 = dependence_lag1(x, n);
    within.effective = dependence_effective(n, within.lag1);
    within.likely_half = half * sqrt((double)n / within.effective);
    if (isinf(half))
        return within;
    double *room = need(2 * n, sizeof *room);
    const double wider = tails_student_quantile((1 + confidence) / 2, WITHIN_WAVES) / normal *
                         sqrt(score_inflation(x, n, within.estimate, room));
    free(room);
    within.low = within.estimate - (within.estimate - plain.low) * wider;
    within.high = within.estimate + (plain.high - within.estimate) * wider;
    return within;
}

double dependence_lag1(const double *x, size_t n) {
    if (n < 3)
        return NAN;
    const double mean = stats_mean(x, n);
    double products = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        squares += (x[i] - mean) * (x[i] - mean);
        if (i + 1 < n)
            products += (x[i] - mean) * (x[i + 1] - mean);
    }
    /* Equal values may differ from their rounded mean. */
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return products / squares;
    return NAN;
}

double dependence_effective(size_t n, double lag1) {
    const double size = (double)n;
    if (n <= 4 || isnan(lag1))
        return size;
    const double unbiased = fmin(0.99, (size * lag1 + 1) / (size - 4));
    return unbiased > 0 ? size * (1 - unbiased) / (1 + unbiased) : size;
}

double dependence_long_run(const double *x, size_t n, size_t waves) {
    if (n < 2 || waves == 0)
        return NAN;
    const double pi = acos(-1), mean = stats_mean(x, n), size = (double)n;
    double squares = 0;
    for (size_t j = 1; j <= waves; j++) {
        double weight = 0;
        for (size_t i = 0; i < n; i++)
            weight += (x[i] - mean) * cos(pi * (double)j * ((double)i + 0.5) / size);
        squares += 2 * weight * weight / size;
    }
    return squares / (double)waves;
}
