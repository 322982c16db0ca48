#include "timing/dependence.h"

#include "timing/stats.h"

#include <math.h>

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
