#include "timing/moderation.h"

#include "bench/base/need.h"
#include "timing/stats.h"
#include "timing/tails.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const struct moderation unknown = {NAN, 0};

static bool counts(double variance, double freedom) {
    return isfinite(freedom) && freedom > 0 && isfinite(variance) && variance >= 0;
}

/* A row that counts. */
struct row {
    double variance, freedom;
    size_t index;
};

/* Those that count, variances raised to at least `least` of their median. Returns how many; 0, too,
 * where the median is 0. */
static size_t rows_take(const double *variance, const double *freedom, size_t n, double least,
                        struct row *rows) {
    size_t count = 0;
    double *sorted = need(n, sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        if (counts(variance[i], freedom[i])) {
            sorted[count] = variance[i];
            rows[count++] = (struct row){variance[i], freedom[i], i};
        }
    const double median = stats_median(sorted, count);
    free(sorted);
    for (size_t i = 0; i < count; i++)
        rows[i].variance = fmax(rows[i].variance, least * median);
    return median > 0 ? count : 0;
}

/* The mean and the variance of ln s^2, less what the degrees of freedom add to each, are ln s0^2 -
 * digamma(d0 / 2) + ln(d0 / 2) and trigamma(d0 / 2). */
static struct moderation level_of(const struct row *rows, size_t n) {
    double mean = 0, explained = 0, squares = 0, arithmetic = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            const double half = rows[i].freedom / 2;
            const double e = log(rows[i].variance) - polygamma_digamma(half) + log(half);
            if (pass == 0) {
                mean += e / (double)n;
                explained += polygamma_trigamma(half) / (double)n;
                arithmetic += rows[i].variance / (double)n;
            } else
                squares += (e - mean) * (e - mean);
        }
    const double excess = squares / (double)(n - 1) - explained;
    if (!(excess > 0))
        return (struct moderation){arithmetic, INFINITY};
    const double half = polygamma_trigamma_inverse(excess);
    return (struct moderation){exp(mean + polygamma_digamma(half) - log(half)), 2 * half};
}

struct moderation moderation_level(const double *variance, const double *freedom, size_t n) {
    struct row *rows = need(n, sizeof *rows);
    const size_t count = rows_take(variance, freedom, n, 1e-5, rows);
    const struct moderation level = count == 0   ? unknown
                                    : count == 1 ? (struct moderation){rows->variance, 0}
                                                 : level_of(rows, count);
    free(rows);
    return level;
}

struct moderation moderation_sum(struct moderation a, struct moderation b) {
    const double sum = a.variance + b.variance;
    const double squares =
        a.variance * a.variance / a.freedom + b.variance * b.variance / b.freedom;
    return (struct moderation){sum, squares > 0 ? sum * sum / squares : a.freedom + b.freedom};
}

/* How far out, on either side, the tails that are drawn in begin. */
#define LOWER_TAIL 0.05
#define UPPER_TAIL 0.1

/* The root of a rising function between two ends, by halving. */
static double root(double (*rising)(double x, const void *about), const void *about, double low,
                   double high) {
    for (int i = 0; i < 60 && high - low > 1e-13 * fabs(high); i++) {
        const double middle = (low + high) / 2;
        if (rising(middle, about) < 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

struct moments {
    double mean, variance;
};

/* F with these degrees of freedom, and a tail wanted: the logarithm of P(F > x), or of P(F < x). */
struct tail {
    double d1, d2, log_share;
    bool lower;
};

/* P(F < x) is P(1 / F > 1 / x), with the degrees of freedom changed over. */
static double tail_log(const struct tail *tail, double z) {
    if (!tail->lower)
        return tails_f_log(exp(z), tail->d1, tail->d2);
    return tails_f_log(exp(-z), fmin(tail->d2, TAILS_KNOWN), tail->d1);
}

static double tail_excess(double z, const void *about) {
    const struct tail *tail = about;
    const double excess = tail_log(tail, z) - tail->log_share;
    return tail->lower ? excess : -excess;
}

/* The logarithm of the x with that tail. */
static double tail_quantile(const struct tail *tail) {
    double reach = 1;
    while (reach < 1000 && (tail_excess(-reach, tail) > 0 || tail_excess(reach, tail) < 0))
        reach *= 2;
    return root(tail_excess, tail, -reach, reach);
}

/* Moments of ln F drawn in at its quantiles: for any z with distribution P between a and b, its
 * mean is b less the integral of P, its mean square b^2 less that of 2 z P. By Simpson's rule. */
static struct moments f_moments(double d1, double d2) {
    enum { STEPS = 128 };
    const struct tail lower = {d1, d2, log(LOWER_TAIL), true};
    const struct tail upper = {d1, d2, log(UPPER_TAIL), false};
    const double a = tail_quantile(&lower), b = tail_quantile(&upper);
    double first = 0, second = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        const double z = a + (b - a) * i / STEPS;
        const double p = -expm1(tails_f_log(exp(z), d1, d2));
        first += weight * p;
        second += weight * 2 * (z - b) * p; /* about b, lest much is taken from much */
    }
    first *= (b - a) / STEPS / 3;
    second *= (b - a) / STEPS / 3;
    return (struct moments){b - first, -second - first * first};
}

/* The same of the rows, with the divisor n - 1. */
static struct moments row_moments(const struct row *rows, size_t n) {
    double *z = need(n, sizeof *z);
    for (size_t i = 0; i < n; i++)
        z[i] = log(rows[i].variance);
    stats_sort(z, n);
    const double low = stats_quantile_sorted(z, n, LOWER_TAIL);
    const double high = stats_quantile_sorted(z, n, 1 - UPPER_TAIL);
    for (size_t i = 0; i < n; i++)
        z[i] = fmin(fmax(z[i], low), high);
    const double sd = stats_sd(z, n);
    const struct moments moments = {stats_mean(z, n), sd * sd};
    free(z);
    return moments;
}

/* Rows with fewer degrees of freedom than the most get the variance that has the same tail with
 * the most. Returns the most. */
static double level_out(struct row *rows, size_t n, struct moderation level) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, rows[i].freedom);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].freedom >= most)
            continue;
        const double z = log(rows[i].variance / level.variance);
        struct tail upper = {rows[i].freedom, level.freedom, 0, false}, lower = upper;
        lower.lower = true;
        struct tail tail = tail_log(&upper, z) < tail_log(&lower, z) ? upper : lower;
        tail.log_share = tail_log(&tail, z);
        tail.d1 = most;
        rows[i].variance = level.variance * exp(tail_quantile(&tail));
    }
    return most;
}

/* What of the winsorised variance d0 leaves unexplained; u is d0 / (1 + d0). */
struct search {
    double d1, variance;
};

static double unexplained(double u, const void *about) {
    const struct search *search = about;
    return log(search->variance / f_moments(search->d1, u / (1 - u)).variance);
}

static int by_variance_falling(const void *left, const void *right) {
    const struct row *a = left, *b = right;
    return (a->variance < b->variance) - (a->variance > b->variance);
}

/* The chance, at most 1, that the row-th largest of n variances is no outlier: its tail over the
 * share of rows that are as large, less half a row. Equal rows share their mean rank. */
static void chances_take(const struct row *rows, size_t n, double d1, struct moderation level,
                         double *chance) {
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && rows[to].variance == rows[from].variance; to++)
            continue;
        const double share = ((double)(from + to) / 2) / (double)n;
        const double tail = tails_f_log(rows[from].variance / level.variance, d1, level.freedom);
        for (size_t i = from; i < to; i++)
            chance[i] = exp(fmin(tail - log(share), 0));
    }
}

/* The degrees of freedom with which the largest variance is the median of the largest: its tail's
 * logarithm is about proportional to them. */
static double outlier_freedom(double largest, double d1, struct moderation level) {
    const double tail = tails_f_log(largest / level.variance, d1, level.freedom);
    if (isinf(tail))
        return 0;
    const double first = log(0.5) / tail * level.freedom;
    return log(0.5) / tails_f_log(largest / level.variance, d1, first) * first;
}

/* Each row's d0, rows by falling variance: never less than that of a row farther out. */
static void freedoms_take(const double *chance, size_t n, double outlier, double d1, double level,
                          double *freedom) {
    for (size_t i = 0; i < n; i++)
        freedom[i] = chance[i] >= 1    ? level
                     : isfinite(level) ? chance[i] * level + (1 - chance[i]) * outlier
                                       : chance[i] * (double)n * d1;
    if (isfinite(level)) {
        /* Those farthest out have the least mean that begins there. */
        double sum = 0, least = INFINITY;
        size_t at = 0;
        for (size_t i = 0; i < n; i++) {
            sum += freedom[i];
            if (sum / (double)(i + 1) < least) {
                least = sum / (double)(i + 1);
                at = i;
            }
        }
        for (size_t i = 0; i <= at; i++)
            freedom[i] = least;
    }
    for (size_t i = 1; i < n; i++)
        freedom[i] = fmax(freedom[i], freedom[i - 1]);
}

/* Rows by falling variance, all with d1 degrees of freedom; plain is their level as it is. Each
 * row's d0 into freedom. */
static struct moderation robust_of(const struct row *rows, size_t n, double d1,
                                   struct moderation plain, double *chance, double *freedom) {
    const struct moments moments = row_moments(rows, n);
    const struct search search = {d1, moments.variance};
    struct moderation level = {NAN, INFINITY};
    const bool scattered = log(moments.variance / f_moments(d1, INFINITY).variance) > 0;
    if (scattered) {
        level = plain;
        if (isinf(plain.freedom)) { /* only the tails say so: nothing is out */
            for (size_t i = 0; i < n; i++)
                freedom[i] = INFINITY;
            return plain;
        }
        const double u = plain.freedom / (1 + plain.freedom);
        if (unexplained(u, &search) < 0) {
            const double robust = root(unexplained, &search, u, 1 - 1 / TAILS_KNOWN);
            level.freedom = robust / (1 - robust);
        }
    }
    level.variance = exp(moments.mean - f_moments(d1, level.freedom).mean);
    chances_take(rows, n, d1, level, chance);
    const double outlier = isfinite(level.freedom) ? outlier_freedom(rows->variance, d1, level) : 0;
    freedoms_take(chance, n, outlier, d1, level.freedom, freedom);
    return level;
}

struct moderation moderation_level_robust(const double *variance, const double *freedom, size_t n,
                                          double *row_freedom) {
    struct moderation level = moderation_level(variance, freedom, n);
    for (size_t i = 0; i < n; i++)
        row_freedom[i] = level.freedom;
    struct row *rows = need(n, sizeof *rows);
    double *room = need(2 * n, sizeof *room);
    const size_t count = rows_take(variance, freedom, n, 1e-12, rows);
    if ((double)count * UPPER_TAIL >= 1) {
        const double d1 = level_out(rows, count, level);
        qsort(rows, count, sizeof *rows, by_variance_falling);
        level = robust_of(rows, count, d1, level, room, room + n);
        for (size_t i = 0; i < n; i++)
            row_freedom[i] = level.freedom;
        for (size_t i = 0; i < count; i++)
            row_freedom[rows[i].index] = room[n + i];
    }
    free(room);
    free(rows);
    return level;
}

struct moderation moderation_squeeze(struct moderation own, struct moderation level,
                                     double pooled) {
    const bool has_own = counts(own.variance, own.freedom);
    const bool has_level = level.freedom > 0 && isfinite(level.variance);
    if (!has_level)
        return has_own ? own : unknown;
    if (!has_own)
        own = (struct moderation){0, 0};
    const double sum = own.freedom + level.freedom;
    const double share = isinf(sum) ? 0 : own.freedom / sum;
    return (struct moderation){share * own.variance + (1 - share) * level.variance,
                               fmin(sum, pooled)};
}

/* From here on the series below are exact to rounding. */
#define FAR 15

double polygamma_digamma(double x) {
    if (!(x > 0))
        return NAN;
    double sum = 0;
    for (; x < FAR; x++)
        sum -= 1 / x;
    const double y = 1 / (x * x);
    const double series =
        y * (1. / 12 - y * (1. / 120 - y * (1. / 252 - y * (1. / 240 - y * (1. / 132)))));
    return sum + log(x) - 0.5 / x - series;
}

double polygamma_trigamma(double x) {
    if (!(x > 0))
        return NAN;
    double sum = 0;
    for (; x < FAR; x++)
        sum += 1 / (x * x);
    const double y = 1 / (x * x);
    const double series =
        1 + y * (1. / 6 - y * (1. / 30 - y * (1. / 42 - y * (1. / 30 - y * (5. / 66)))));
    return sum + y / 2 + series / x;
}

double polygamma_tetragamma(double x) {
    if (!(x > 0))
        return NAN;
    double sum = 0;
    for (; x < FAR; x++)
        sum -= 2 / (x * x * x);
    const double y = 1 / (x * x);
    const double series =
        1 + y * (1. / 2 - y * (1. / 6 - y * (1. / 6 - y * (3. / 10 - y * (5. / 6)))));
    return sum - y / x - y * series;
}

double polygamma_trigamma_inverse(double y) {
    if (!(y > 0))
        return NAN;
    /* trigamma is 1/x + 1/(2 x^2) + ... for large x, and 1/x^2 + pi^2/6 for small. */
    if (y > 1e7)
        return 1 / sqrt(y);
    if (y < 1e-6)
        return 1 / y;
    double x = 0.5 + 1 / y, step; /* above the root; convex, so every step falls short of it */
    int steps = 0;
    do {
        const double here = polygamma_trigamma(x);
        step = here * (1 - here / y) / polygamma_tetragamma(x);
        x += step;
    } while (-step > 4 * DBL_EPSILON * x && ++steps < 50);
    return x;
}
