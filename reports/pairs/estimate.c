#include "reports/pairs/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "timing/stats.h"
#include "timing/tails.h"

struct moderation estimate_error(const struct pair *pair) {
    return (struct moderation){pair->used.variance / (double)pair->rounds, pair->used.freedom};
}

static double half_at(double confidence, struct moderation error) {
    return error.variance == 0
               ? 0
               : tails_student_quantile((1 + confidence) / 2, error.freedom) * sqrt(error.variance);
}

double estimate_half(struct moderation error) {
    return half_at(VERDICT_CONFIDENCE, error);
}

static struct estimate about(double mean, double half) {
    return (struct estimate){exp(mean), exp(mean - half), exp(mean + half)};
}

struct estimate estimate_together(const struct pair *pair, size_t count) {
    const double confidence = 1 - (1 - VERDICT_CONFIDENCE) / (double)count;
    return about(-stats_mean(pair->x, pair->rounds),
                 pair->rounds > 1 ? half_at(confidence, estimate_error(pair)) : NAN);
}

struct estimate estimate_pair(const struct pair *pair) {
    return estimate_together(pair, 1);
}

struct estimate estimate_over(const struct pair *now, const struct pair *before) {
    if (!before)
        return estimate_pair(now);
    const bool known = now->rounds > 1 && before->rounds > 1;
    return about(stats_mean(before->x, before->rounds) - stats_mean(now->x, now->rounds),
                 known ? estimate_half(moderation_sum(estimate_error(now), estimate_error(before)))
                       : NAN);
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
    double *x = malloc((count * PAIRS_VISITS + 1) * sizeof *x);
    struct moderation *variance = malloc((count + 1) * sizeof *variance);
    size_t visits = 1, shapes = x && variance ? count : 0;
    for (size_t i = 0; i < shapes; i++)
        if (pairs[i]->visit[pairs[i]->rounds - 1] >= visits)
            visits = pairs[i]->visit[pairs[i]->rounds - 1] + 1;
    for (size_t i = 0; i < shapes; i++) {
        const double scale = scale_of(weights, i, count);
        for (size_t v = 0; v < visits; v++)
            x[i * visits + v] = NAN;
        for (size_t v = 0; v < pairs[i]->rounds; v++)
            x[i * visits + pairs[i]->visit[v]] = -scale * pairs[i]->x[v];
        variance[i] = pairs[i]->used;
        variance[i].variance *= scale * scale;
    }
    const struct suite_mean mean = suite_mean_of(x, variance, shapes, visits, VERDICT_CONFIDENCE);
    free(variance);
    free(x);
    return mean;
}

struct suite_mean estimate_mean_over(const struct pair *const *now,
                                     const struct pair *const *before, const double *weights,
                                     size_t count) {
    struct suite_mean mean = estimate_mean(now, weights, count);
    if (!before)
        return mean;
    const struct suite_mean was = estimate_mean(before, weights, count);
    mean.error = moderation_sum(mean.error, was.error);
    const double half = estimate_half(mean.error);
    mean.estimate -= was.estimate;
    mean.low = mean.estimate - half;
    mean.high = mean.estimate + half;
    mean.shapes_low = mean.shapes_high = mean.common_sd = NAN;
    return mean;
}
