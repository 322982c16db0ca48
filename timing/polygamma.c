#include "timing/polygamma.h"

#include <float.h>
#include <math.h>

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
