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

bool stopping_steady(const double readings[STOPPING_STEADY], double tolerance) {
    double largest = readings[0];
    for (int i = 1; i < STOPPING_STEADY; i++)
        largest = fmax(largest, readings[i]);
    for (int i = 0; i < STOPPING_STEADY; i++)
        if (!(largest - readings[i] <= tolerance * largest))
            return false;
    return true;
}
