#include "timing/rounds.h"

#include "timing/dependence.h"
#include "timing/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8), by Lentz's
 * method. Quick where x <= (a + 1) / (a + b + 2); no term is zero there. */
static double beta_fraction(double a, double b, double x) {
    enum { TERMS = 10000 }; /* about sqrt(max(a, b)) are enough */
    double numerator = 1, denominator = 1 / (1 - (a + b) * x / (a + 1));
    double value = denominator;
    for (int m = 1; m < TERMS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        denominator = 1 / (1 + even * denominator);
        numerator = 1 + even / numerator;
        value *= denominator * numerator;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        denominator = 1 / (1 + odd * denominator);
        numerator = 1 + odd / numerator;
        value *= denominator * numerator;
        if (fabs(denominator * numerator - 1) <= 4 * DBL_EPSILON)
            break;
    }
    return value;
}

/* P(|T| > t) for t > 0, which is I_x(df / 2, 1 / 2) with x = df / (df + t^2) (Abramowitz & Stegun
 * 26.7.1). */
static double student_tails(double t, double df) {
    const double a = df / 2, b = 0.5, ratio = t * t / df;
    const double x = 1 / (1 + ratio), rest = 1 / (1 + 1 / ratio); /* x + rest = 1 */
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) - a * log1p(ratio) -
                             b * log1p(1 / ratio)); /* x^a (1 - x)^b / B(a, b) */
    if (x <= (a + 1) / (a + b + 2))
        return front / a * beta_fraction(a, b, x);
    return 1 - front / b * beta_fraction(b, a, rest);
}

/* By Newton's method from the centre: P(|T| > t) is convex there, so that every step falls short
 * of the root. */
double rounds_student_quantile(double p, double df) {
    if (!(p > 0 && p < 1 && df > 0 && isfinite(df)))
        return NAN;
    const double wanted = 2 * fmin(p, 1 - p);
    const double peak = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * acos(-1));
    double t = 0, tails = 1, step;
    do {
        step = (tails - wanted) / (2 * peak) * pow(1 + t * t / df, (df + 1) / 2);
        t += step;
        tails = t > 0 ? student_tails(t, df) : 1;
    } while (step > 4 * DBL_EPSILON * t);
    return p < 0.5 ? -t : t;
}

/* One round by itself; below and above are the half-widths, dependence counted. */
struct round {
    double estimate, below, above;
    double lag1, effective;
};

static struct round round_of(const double *x, size_t n, double confidence) {
    const struct stats_interval interval = stats_hodges_lehmann(x, n, confidence);
    const double lag1 = dependence_lag1(x, n);
    const double effective = dependence_effective(n, lag1);
    const double widening = sqrt((double)n / effective);
    return (struct round){.estimate = interval.estimate,
                          .below = (interval.estimate - interval.low) * widening,
                          .above = (interval.high - interval.estimate) * widening,
                          .lag1 = lag1,
                          .effective = effective};
}

static const struct rounds nothing = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

/* estimates and means have room for one value a round. */
static struct rounds combine(const double *x, const size_t *sizes, size_t rounds, double confidence,
                             double *estimates, double *means) {
    size_t count = 0, with_lag1 = 0, freedom = 0;
    double below = 0, above = 0, lag1 = 0, effective = 0, squares = 0, inverse_sizes = 0;
    for (size_t r = 0; r < rounds; x += sizes[r++]) {
        const size_t n = sizes[r];
        if (n == 0)
            continue;
        const struct round round = round_of(x, n, confidence);
        below += round.below * round.below;
        above += round.above * round.above;
        effective += round.effective;
        if (!isnan(round.lag1)) {
            lag1 += round.lag1;
            with_lag1++;
        }
        if (n > 1) {
            const double sd = stats_sd(x, n);
            squares += (double)(n - 1) * sd * sd;
            freedom += n - 1;
        }
        inverse_sizes += 1 / (double)n;
        means[count] = stats_mean(x, n);
        estimates[count++] = round.estimate;
    }
    if (count == 0)
        return nothing;

    const double number = (double)count;
    double half_below = sqrt(below) / number, half_above = sqrt(above) / number;
    struct rounds result = {.estimate = stats_mean(estimates, count),
                            .lag1 = with_lag1 > 0 ? lag1 / (double)with_lag1 : NAN,
                            .effective = effective,
                            .within_sd = freedom > 0 ? sqrt(squares / (double)freedom) : NAN,
                            .between_sd = NAN};
    if (count > 1) {
        const double student = rounds_student_quantile((1 + confidence) / 2, number - 1) *
                               stats_sd(estimates, count) / sqrt(number);
        half_below = fmax(half_below, student);
        half_above = fmax(half_above, student);
        const double between_variance =
            pow(stats_sd(means, count), 2) - pow(result.within_sd, 2) * inverse_sizes / number;
        result.between_sd = between_variance < 0 ? 0 : sqrt(between_variance);
    }
    result.low = result.estimate - half_below;
    result.high = result.estimate + half_above;
    return result;
}

struct rounds rounds_combine(const double *x, const size_t *sizes, size_t rounds,
                             double confidence) {
    double *room = rounds > 0 ? malloc(2 * rounds * sizeof *room) : NULL;
    const struct rounds result =
        room ? combine(x, sizes, rounds, confidence, room, room + rounds) : nothing;
    free(room);
    return result;
}
