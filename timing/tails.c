#include "timing/tails.h"

#include <float.h>
#include <math.h>

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

/* P(F > x) is I_y(d2 / 2, d1 / 2) with y = d2 / (d2 + d1 x). */
double tails_f_log(double x, double d1, double d2) {
    if (isnan(x) || !(d1 > 0) || !(d2 > 0))
        return NAN;
    if (x <= 0)
        return 0;
    if (isinf(x))
        return -INFINITY;
    const double a = fmin(d2, TAILS_KNOWN) / 2, b = d1 / 2, ratio = b * x / a;
    const double y = 1 / (1 + ratio), rest = 1 / (1 + 1 / ratio); /* y + rest = 1 */
    const double front = lgamma(a + b) - lgamma(a) - lgamma(b) - a * log1p(ratio) -
                         b * log1p(1 / ratio); /* ln(y^a rest^b / B(a, b)) */
    if (y <= (a + 1) / (a + b + 2))
        return front - log(a) + log(beta_fraction(a, b, y));
    return log1p(-exp(front - log(b) + log(beta_fraction(b, a, rest))));
}

double tails_student(double t, double df) {
    if (t <= 0)
        return df > 0 ? 1 : NAN;
    return df >= TAILS_KNOWN ? erfc(t * sqrt(0.5)) : exp(tails_f_log(t * t, 1, df));
}

/* The density at the centre, and what it is there over what it is at t. */
static double student_peak(double df) {
    return df >= TAILS_KNOWN ? 1 / sqrt(2 * acos(-1))
                             : exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * acos(-1));
}

static double student_fall(double t, double df) {
    return df >= TAILS_KNOWN ? exp(t * t / 2) : pow(1 + t * t / df, (df + 1) / 2);
}

/* By Newton's method from the centre: P(|T| > t) is convex there, so that every step falls short
 * of the root. */
double tails_student_quantile(double p, double df) {
    if (!(p > 0 && p < 1 && df > 0))
        return NAN;
    const double wanted = 2 * fmin(p, 1 - p), peak = student_peak(df);
    double t = 0, step;
    do {
        step = (tails_student(t, df) - wanted) / (2 * peak) * student_fall(t, df);
        t += step;
    } while (step > 4 * DBL_EPSILON * t);
    return p < 0.5 ? -t : t;
}
