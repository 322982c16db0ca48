#include "timing/slope.h"

#include <math.h>
#include <stdlib.h>

struct slope slope_of_delays(const double *without, const double *with_short,
                             const double *with_long, double planted_short, double planted_long,
                             const size_t *sizes, size_t rounds, double confidence) {
    const double planted = planted_long - planted_short;
    size_t n = 0;
    for (size_t r = 0; r < rounds; r++)
        n += sizes[r];
    double *slopes = malloc((2 * n + 1) * sizeof *slopes);
    if (!slopes || planted == 0)
        n = rounds = 0;
    double *offsets = slopes ? slopes + n : NULL;
    for (size_t i = 0; i < n; i++) {
        slopes[i] = (with_long[i] - with_short[i]) / planted;
        offsets[i] = with_short[i] - without[i] - slopes[i] * planted_short;
    }
    const struct slope result = {rounds_combine(slopes, sizes, rounds, confidence),
                                 rounds_combine(offsets, sizes, rounds, confidence)};
    free(slopes);
    return result;
}
