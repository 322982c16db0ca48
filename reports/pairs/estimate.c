#include "reports/pairs/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "timing/stats.h"
#include "timing/tails.h"

struct spread estimate_error(const struct pair *pair) {
    return pair->visits > 1
               ? (struct spread){pair->used.variance / (double)pair->visits, pair->used.freedom}
               : (struct spread){NAN, 0};
}

struct estimate_log estimate_log(const struct pair *now, const struct pair *before) {
    struct estimate_log log = {stats_mean(now->x, now->visits), estimate_error(now)};
    if (!before)
        return log;
    const struct spread error = estimate_error(before);
    log.mean -= stats_mean(before->x, before->visits);
    log.error = log.error.freedom > 0 && error.freedom > 0 ? spread_sum(log.error, error)
                                                           : (struct spread){NAN, 0};
    return log;
}

double estimate_half(struct spread error, double count) {
    const double confidence = 1 - (1 - VERDICT_CONFIDENCE) / count;
    return error.variance == 0
               ? 0
               : tails_student_quantile((1 + confidence) / 2, error.freedom) * sqrt(error.variance);
}

struct estimate estimate_over(const struct pair *now, const struct pair *before) {
    const struct estimate_log log = estimate_log(now, before);
    const double half = estimate_half(log.error, 1);
    return (struct estimate){exp(-log.mean), exp(-log.mean - half), exp(-log.mean + half)};
}

bool estimate_disturbed(const struct pair *pair) {
    return pair->disturbed > ROWS_DISTURBED_MOST;
}

enum verdict estimate_verdict(const struct estimate *is, const struct pair *now,
                              const struct pair *before, double margin) {
    return estimate_disturbed(now) || (before && estimate_disturbed(before))
               ? VERDICT_DISTURBED
               : verdict_of(is->low, is->high, margin);
}

/* A mean with weights is the mean of values that are as many times larger as each counts more than
 * its share. */
static double scale_of(const double *weights, size_t i, size_t count) {
    double sum = 0;
    for (size_t j = 0; weights && j < count; j++)
        sum += weights[j];
    return weights ? weights[i] / sum * (double)count : 1;
}

struct suite_mean estimate_mean(const struct pair *const *pairs, const double *weights,
                                size_t count) {
    double *x = need(count * PAIRS_VISITS, sizeof *x);
    struct spread *variance = need(count, sizeof *variance);
    size_t visits = 1;
    for (size_t i = 0; i < count; i++)
        if (pairs[i]->visit[pairs[i]->visits - 1] >= visits)
            visits = pairs[i]->visit[pairs[i]->visits - 1] + 1;
    for (size_t i = 0; i < count; i++) {
        const double scale = scale_of(weights, i, count);
        for (size_t v = 0; v < visits; v++)
            x[i * visits + v] = NAN;
        for (size_t v = 0; v < pairs[i]->visits; v++)
            x[i * visits + pairs[i]->visit[v]] = -scale * pairs[i]->x[v];
        variance[i] = pairs[i]->used;
        variance[i].variance *= scale * scale;
    }
    struct suite_mean mean = suite_mean_of(x, variance, count, visits, VERDICT_CONFIDENCE);
    if (weights)
        mean.shapes_low = mean.shapes_high = NAN;
    free(variance);
    free(x);
    return mean;
}

struct suite_mean estimate_mean_over(const struct pair *const *now,
                                     const struct pair *const *before, size_t count) {
    struct suite_mean mean = estimate_mean(now, NULL, count);
    if (!before)
        return mean;
    const struct suite_mean was = estimate_mean(before, NULL, count);
    mean.error = spread_sum(mean.error, was.error);
    const double half = estimate_half(mean.error, 1);
    mean.estimate -= was.estimate;
    mean.low = mean.estimate - half;
    mean.high = mean.estimate + half;
    mean.shapes_low = mean.shapes_high = NAN;
    return mean;
}
