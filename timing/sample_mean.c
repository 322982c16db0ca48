#include "timing/sample_mean.h"

#include <math.h>

#include "timing/stats.h"

/* Of neighbours' differences: the sum of products of those of a and b. */
static double products(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 1; i < n; i++)
        sum += (a[i] - a[i - 1]) * (b[i] - b[i - 1]);
    return sum;
}

struct sample_mean sample_mean_of(const double *y, const double *x, double list_x, size_t n,
                                  double drawn) {
    const double slope = x ? products(x, y, n) / products(x, x, n) : 0, count = (double)n;
    const double squares = products(y, y, n) - (x ? slope * products(x, y, n) : 0);
    struct sample_mean result = {.mean = n > 0 ? stats_mean(y, n) : NAN, .error = {0, INFINITY}};
    if (x)
        result.mean += slope * (list_x - stats_mean(x, n));
    result.middle = result.mean;
    if (drawn >= 1)
        return result;
    result.error.freedom = 2 * (count - 1) * (count - 1) / (3 * count - 4) - (x ? 1 : 0);
    result.error.variance = (1 - drawn) / count * fmax(0, squares) / (2 * (count - 1));
    if (n < 2 || !(result.error.freedom > 0) || isnan(result.error.variance))
        result.error = (struct spread){NAN, 0};
    return result;
}

struct sample_mean sample_share_of(const double *y, size_t n, double drawn) {
    const double mean = n > 0 ? stats_mean(y, n) : NAN, count = (double)n;
    const double share = (mean * count + 2) / (count + 4);
    return (struct sample_mean){
        mean,
        drawn * mean + (1 - drawn) * share,
        {(1 - drawn) * share * (1 - share) / (count + 4), INFINITY},
    };
}
