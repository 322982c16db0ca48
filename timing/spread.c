#include "timing/spread.h"

#include <math.h>

#include "timing/stats.h"

struct spread spread_of(const double *x, size_t n) {
    if (n < 2)
        return (struct spread){NAN, 0};
    const double sd = stats_sd(x, n);
    return (struct spread){sd * sd, (double)(n - 1)};
}

struct spread spread_sum(struct spread a, struct spread b) {
    const double sum = a.variance + b.variance;
    const double squares =
        a.variance * a.variance / a.freedom + b.variance * b.variance / b.freedom;
    return (struct spread){sum, squares > 0 ? sum * sum / squares : a.freedom + b.freedom};
}
