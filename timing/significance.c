#include "timing/significance.h"

#include "timing/stats.h"
#include "timing/tails.h"

#include <math.h>

/* Sums of doubled ranks of up to SIGNIFICANCE_MOST values. */
enum { SUMS = SIGNIFICANCE_MOST * (SIGNIFICANCE_MOST + 1) + 1 };

/* chance[s], 0 <= s <= largest: that the ranks whose signs are negative, each with its own chance
 * and independently, add to s. */
static void negative_sums(const size_t *ranks, const double *negative, size_t n, size_t largest,
                          double *chance) {
    size_t top = 0; /* no sum so far is larger */
    for (size_t s = 0; s <= largest; s++)
        chance[s] = s == 0;
    for (size_t i = 0; i < n; i++) {
        top = top + ranks[i] < largest ? top + ranks[i] : largest;
        for (size_t s = top + 1; s-- > 0;)
            chance[s] = (1 - negative[i]) * chance[s] +
                        (s >= ranks[i] ? negative[i] * chance[s - ranks[i]] : 0);
    }
}

/* Under the hypothesis, with the ranks' signs negative half the time. */
static void null_sums(const size_t *ranks, size_t n, size_t largest, double *chance) {
    double half[SIGNIFICANCE_MOST];
    for (size_t i = 0; i < n; i++)
        half[i] = 0.5;
    negative_sums(ranks, half, n, largest, chance);
}

double significance_above(const double *x, size_t n) {
    if (n == 0 || n > SIGNIFICANCE_MOST)
        return NAN;
    size_t doubled[SIGNIFICANCE_MOST], seen = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            return NAN;
        doubled[i] = 1;
        for (size_t j = 0; j < n; j++)
            doubled[i] += fabs(x[j]) < fabs(x[i]) ? 2 : fabs(x[j]) <= fabs(x[i]);
        if (x[i] <= 0)
            seen += doubled[i];
    }
    double chance[SUMS], p = 0;
    null_sums(doubled, n, seen, chance);
    for (size_t s = 0; s <= seen; s++)
        p += chance[s];
    return fmin(p, 1);
}

static double chance_of(double p) {
    return isnan(p) ? 1 : p;
}

void significance_holm(const double *p, size_t n, double *adjusted) {
    for (size_t i = 0; i < n; i++) {
        size_t smaller = 0;
        for (size_t j = 0; j < n; j++)
            smaller += chance_of(p[j]) < chance_of(p[i]) ? 1 : 0;
        adjusted[i] = fmin(1, (double)(n - smaller) * chance_of(p[i]));
    }
    /* A value that is its maximum already is no more than this one's. */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (chance_of(p[j]) < chance_of(p[i]))
                adjusted[i] = fmax(adjusted[i], adjusted[j]);
}

size_t significance_rounds(size_t tests, double alpha) {
    return (size_t)fmin(3 + ceil(log2((double)tests / alpha)), SIGNIFICANCE_MOST);
}

struct significance_bounds significance_bounds(const double *x, size_t n, double confidence) {
    struct significance_bounds bounds = {stats_mean(x, n), -INFINITY, INFINITY, stats_sd(x, n)};
    if (n < 2)
        return bounds;
    const double half =
        tails_student_quantile(confidence, (double)n - 1) * bounds.sd / sqrt((double)n);
    bounds.low = bounds.mean - half;
    bounds.high = bounds.mean + half;
    return bounds;
}

/* The chance of each rank of |x| that its value is negative, x normal about d with deviation 1:
 * some value has this |x| and is negative while i of the others are smaller. By the midpoint rule.
 */
static void negative_chances(double d, size_t n, double *negative) {
    enum { STEPS = 96 }; /* up to 6: P(x < -6) is 1e-9 */
    const double step = 1.0 / 16;
    for (size_t i = 0; i < n; i++)
        negative[i] = 0;
    for (int at = 0; at < STEPS; at++) {
        const double a = step * (at + 0.5);
        const double density = exp(-(a + d) * (a + d) / 2) / sqrt(2 * acos(-1));
        const double smaller = (erf((a - d) / sqrt(2)) + erf((a + d) / sqrt(2))) / 2;
        for (size_t i = 0; i < n; i++)
            negative[i] +=
                step * density * pow(smaller, (double)i) * pow(1 - smaller, (double)(n - 1 - i));
    }
    double choices = (double)n; /* n!/(i! (n-1-i)!) */
    for (size_t i = 0; i < n; i++) {
        negative[i] *= choices;
        choices *= (double)(n - 1 - i) / (double)(i + 1);
    }
}

/* That the sum of the negative ranks of n values about d is at most `critical`. */
static double power(double d, size_t n, const size_t *ranks, size_t critical) {
    double negative[SIGNIFICANCE_MOST], chance[SUMS], sum = 0;
    negative_chances(d, n, negative);
    negative_sums(ranks, negative, n, critical, chance);
    for (size_t s = 0; s <= critical; s++)
        sum += chance[s];
    return sum;
}

double significance_detectable(double margin, double sd, size_t n, double alpha) {
    if (isnan(sd) || n > SIGNIFICANCE_MOST)
        return NAN;
    if (n == 0 || ldexp(1, -(int)n) > alpha)
        return INFINITY;
    size_t ranks[SIGNIFICANCE_MOST], largest = 0, critical = 0;
    for (size_t i = 0; i < n; i++)
        largest += ranks[i] = i + 1;
    double chance[SUMS];
    null_sums(ranks, n, largest, chance);
    double p = chance[0];
    while (critical < largest && p + chance[critical + 1] <= alpha)
        p += chance[++critical];
    double low = 0, high = 4; /* power at 4 where all 64 rounds must be positive: 0.998 */
    while (high - low > 1e-4) {
        const double d = (low + high) / 2;
        if (power(d, n, ranks, critical) < 0.8)
            low = d;
        else
            high = d;
    }
    return margin + sd * high;
}
