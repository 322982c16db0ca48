#include "timing/visits.h"

#include "bench/base/need.h"
#include "timing/stats.h"
#include "timing/tails.h"
#include "timing/within.h"

#include <math.h>
#include <stdlib.h>

/* Sums over the visits that have values. */
struct tally {
    size_t count, with_lag1, with_error, freedom;
    double lag1, effective, errors, halves, squares, inverse_sizes;
};

/* What one visit says: its n values, of this mean and standard deviation. */
struct part {
    struct within within;
    double mean, sd;
    size_t n;
};

static struct part part_of(const double *x, size_t n, double confidence) {
    return (struct part){.within = within_blocks(x, n, confidence),
                         .mean = stats_mean(x, n),
                         .sd = n > 1 ? stats_sd(x, n) : NAN,
                         .n = n};
}

/* What the visit's two processes say together of a - b. They share nothing, so that variances add. */
static struct part part_difference(const struct part *a, const struct part *b) {
    const struct within *x = &a->within, *y = &b->within;
    const double estimate = x->estimate - y->estimate;
    const double half = hypot(x->high - x->low, y->high - y->low) / 2;
    const size_t n = a->n < b->n ? a->n : b->n;
    return (struct part){
        .within = {.estimate = estimate,
                   .low = estimate - half,
                   .high = estimate + half,
                   .plain_error = hypot(x->plain_error, y->plain_error),
                   .likely_half = hypot(x->likely_half, y->likely_half),
                   .lag1 = (x->lag1 + y->lag1) / 2,
                   .effective = x->effective + y->effective},
        .mean = a->mean - b->mean,
        .sd = hypot(a->sd * sqrt((double)n / (double)a->n), b->sd * sqrt((double)n / (double)b->n)),
        .n = n};
}

static void tally_add(struct tally *tally, const struct part *part) {
    const struct within *visit = &part->within;
    tally->count++;
    tally->effective += visit->effective;
    tally->inverse_sizes += 1 / (double)part->n;
    if (!isnan(visit->lag1)) {
        tally->lag1 += visit->lag1;
        tally->with_lag1++;
    }
    if (isfinite(visit->plain_error)) {
        tally->errors += visit->plain_error * visit->plain_error;
        tally->halves += visit->likely_half * visit->likely_half;
        tally->with_error++;
    }
    if (part->n > 1) {
        tally->squares += (double)(part->n - 1) * part->sd * part->sd;
        tally->freedom += part->n - 1;
    }
}

/* What the sums say. */
static struct visits tally_result(const struct tally *tally) {
    const double with_error = (double)tally->with_error;
    return (struct visits){
        .lag1 = tally->with_lag1 > 0 ? tally->lag1 / (double)tally->with_lag1 : NAN,
        .effective = tally->effective,
        .within_sd = tally->freedom > 0 ? sqrt(tally->squares / (double)tally->freedom) : NAN,
        .between_sd = NAN,
        .count = tally->count,
        .within_one_process = tally->count == 1,
        .own = {NAN, 0},
        .used = {NAN, 0},
        .plain_error = with_error > 0 ? sqrt(tally->errors / with_error) : NAN,
        .likely_half = with_error > 0 ? sqrt(tally->halves) / with_error : INFINITY};
}

/* A plain error that is NaN sets no limit. */
void visits_put_interval(struct visits *row, double confidence) {
    const double p = (1 + confidence) / 2;
    const double visits = tails_student_quantile(p, row->own.freedom) * sqrt(row->own.variance);
    const double blocks = tails_student_quantile(p, INFINITY) * row->plain_error;
    const double half = fmax(visits, blocks) / sqrt((double)row->count);
    row->used = row->own;
    row->low = row->estimate - half;
    row->high = row->estimate + half;
}

static const struct visits nothing = {.estimate = NAN,
                                      .low = NAN,
                                      .high = NAN,
                                      .lag1 = NAN,
                                      .effective = NAN,
                                      .within_sd = NAN,
                                      .between_sd = NAN,
                                      .own = {NAN, 0},
                                      .used = {NAN, 0},
                                      .plain_error = NAN,
                                      .likely_half = NAN};

/* estimates and means have room for one value a visit. */
static struct visits combine(const struct part *parts, size_t count, double confidence,
                             double *estimates, double *means) {
    struct tally tally = {0};
    for (size_t r = 0; r < count; r++) {
        estimates[r] = parts[r].within.estimate;
        means[r] = parts[r].mean;
        tally_add(&tally, &parts[r]);
    }
    if (count == 0)
        return nothing;
    struct visits result = tally_result(&tally);
    result.estimate = stats_mean(estimates, count);
    result.low = parts->within.low;
    result.high = parts->within.high;
    if (count == 1) {
        const double t = tails_student_quantile((1 + confidence) / 2, WITHIN_WAVES);
        result.used = (struct spread){pow((result.high - result.low) / 2 / t, 2), WITHIN_WAVES};
        return result;
    }
    result.own = spread_of(estimates, count);
    visits_put_interval(&result, confidence);
    const double between_variance =
        pow(stats_sd(means, count), 2) -
        (tally.freedom > 0 ? pow(result.within_sd, 2) * tally.inverse_sizes / (double)count : NAN);
    result.between_sd = between_variance < 0 ? 0 : sqrt(between_variance);
    return result;
}

static struct visits combine_parts(const struct part *parts, size_t count, double confidence) {
    double *room = need(2 * count, sizeof *room);
    const struct visits result = combine(parts, count, confidence, room, room + count);
    free(room);
    return result;
}

struct visits visits_combine(const double *x, const size_t *sizes, size_t visits,
                             double confidence) {
    struct part *parts = need(visits, sizeof *parts);
    size_t count = 0;
    for (size_t r = 0; r < visits; x += sizes[r++])
        if (sizes[r] > 0)
            parts[count++] = part_of(x, sizes[r], confidence);
    const struct visits result = combine_parts(parts, count, confidence);
    free(parts);
    return result;
}

struct visits visits_difference(const struct visits_values *above,
                                const struct visits_values *below, size_t visits,
                                double confidence) {
    struct part *parts = need(visits, sizeof *parts);
    const double *x = above->x, *y = below->x;
    size_t count = 0;
    for (size_t r = 0; r < visits; x += above->sizes[r], y += below->sizes[r], r++) {
        if (above->sizes[r] == 0 || below->sizes[r] == 0)
            continue;
        const struct part a = part_of(x, above->sizes[r], confidence);
        const struct part b = part_of(y, below->sizes[r], confidence);
        parts[count++] = part_difference(&a, &b);
    }
    const struct visits result = combine_parts(parts, count, confidence);
    free(parts);
    return result;
}

struct slope slope_of_delays(const double *without, const double *with_short,
                             const double *with_long, double planted_short, double planted_long,
                             const size_t *sizes, size_t visits, double confidence) {
    const double planted = planted_long - planted_short;
    size_t n = 0;
    for (size_t r = 0; r < visits; r++)
        n += sizes[r];
    double *slopes = need(2 * n, sizeof *slopes), *offsets = slopes + n;
    if (planted == 0)
        n = visits = 0;
    for (size_t i = 0; i < n; i++) {
        slopes[i] = (with_long[i] - with_short[i]) / planted;
        offsets[i] = with_short[i] - without[i] - slopes[i] * planted_short;
    }
    const struct slope result = {visits_combine(slopes, sizes, visits, confidence),
                                 visits_combine(offsets, sizes, visits, confidence)};
    free(slopes);
    return result;
}
