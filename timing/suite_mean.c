#include "timing/suite_mean.h"

#include "bench/base/need.h"
#include "timing/stats.h"
#include "timing/tails.h"

#include <math.h>
#include <stdlib.h>

/* The mean of those that are known; NaN for none. */
static double known_mean(const double *x, size_t n, size_t *known) {
    double sum = 0;
    *known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i])) {
            sum += x[i];
            ++*known;
        }
    return sum / (double)*known;
}

/* The variance of the visits' means, each shape's own taken off; visits without shapes that have
 * more than one visit do not count. NaN for fewer than two. */
static double visits_variance(const double *estimates, size_t shapes, size_t visits,
                              size_t *count) {
    double squares = 0;
    *count = 0;
    for (size_t r = 0; r < visits; r++) {
        double sum = 0;
        size_t present = 0;
        for (size_t i = 0; i < shapes; i++) {
            size_t known;
            const double *row = estimates + i * visits, mean = known_mean(row, visits, &known);
            if (known < 2 || isnan(row[r]))
                continue;
            sum += row[r] - mean;
            present++;
        }
        if (present == 0)
            continue;
        squares += pow(sum / (double)present, 2);
        ++*count;
    }
    return *count > 1 ? squares / (double)(*count - 1) : NAN;
}

/* What the shapes say of the variance of the estimate, and with how many degrees of freedom. */
static struct spread explained_by(const double *estimates, const struct spread *variance,
                                  size_t shapes, size_t visits) {
    double sum = 0, squares = 0, own = 0, best = 0, n = 0;
    for (size_t i = 0; i < shapes; i++) {
        size_t known;
        known_mean(estimates + i * visits, visits, &known);
        if (known == 0)
            continue;
        if (isnan(variance[i].variance) || !(variance[i].freedom > 0))
            return (struct spread){INFINITY, 1};
        const double share = variance[i].variance / (double)known;
        sum += share;
        squares += share * share / variance[i].freedom;
        own += known > 1 ? (double)(known - 1) : variance[i].freedom;
        best = fmax(best, variance[i].freedom);
        n++;
    }
    const double freedom = squares > 0 ? sum * sum / squares : INFINITY;
    return (struct spread){sum / (n * n), fmin(freedom, fmax(own, best))};
}

/* Sets the interval over visits. */
static void set_visits(struct suite_mean *suite, const double *estimates, size_t shapes,
                       size_t visits, struct spread explained, double p) {
    const double seen = visits_variance(estimates, shapes, visits, &suite->visits);
    suite->error = explained;
    if (isnan(seen))
        suite->visits = 1;
    else if (suite->shapes > 1 &&
             (suite->visits == 2 || seen > explained.variance * (double)suite->visits))
        suite->error = (struct spread){seen / (double)suite->visits, (double)suite->visits - 1};
    const double half =
        tails_student_quantile(p, suite->error.freedom) * sqrt(suite->error.variance);
    suite->low = suite->estimate - half;
    suite->high = suite->estimate + half;
}

struct suite_mean suite_mean_of(const double *estimates, const struct spread *variance,
                                size_t shapes, size_t visits, double confidence) {
    struct suite_mean suite = {.estimate = NAN,
                               .low = NAN,
                               .high = NAN,
                               .shapes_low = NAN,
                               .shapes_high = NAN,
                               .error = {NAN, 0}};
    double *means = need(shapes, sizeof *means);
    for (size_t i = 0; i < shapes; i++) {
        size_t known;
        const double mean = known_mean(estimates + i * visits, visits, &known);
        if (known == 0)
            continue;
        means[suite.shapes++] = mean;
    }
    const double p = (1 + confidence) / 2, n = (double)suite.shapes;
    if (suite.shapes > 0) {
        suite.estimate = stats_mean(means, suite.shapes);
        set_visits(&suite, estimates, shapes, visits,
                   explained_by(estimates, variance, shapes, visits), p);
        const double half = suite.shapes > 1 ? tails_student_quantile(p, n - 1) *
                                                   stats_sd(means, suite.shapes) / sqrt(n)
                                             : INFINITY;
        suite.shapes_low = suite.estimate - half;
        suite.shapes_high = suite.estimate + half;
    }
    free(means);
    return suite;
}
