#include "timing/stopping.h"

#include <math.h>

size_t stopping_next_look(size_t n) {
    return n < STOPPING_LEAST ? STOPPING_LEAST : n + (3 * n + 9) / 10;
}

/* Comparisons with NaN are false, which is the answer wanted, here and below. */
bool stopping_narrow(double estimate, double low, double high, double precision) {
    const double limit = log1p(precision);
    return estimate - low <= limit && high - estimate <= limit;
}

bool stopping_steady(const double *readings, size_t n, double tolerance) {
    if (n < 3)
        return false;
    const double *last = readings + n - 3;
    const double largest = fmax(last[0], fmax(last[1], last[2]));
    for (int i = 0; i < 3; i++)
        if (!(largest - last[i] <= tolerance * largest))
            return false;
    return true;
}
