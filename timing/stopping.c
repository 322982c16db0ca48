#include "timing/stopping.h"

#include <math.h>

#include "timing/stats.h"
#include "timing/tails.h"
#include "timing/verdict.h"

size_t stopping_next_look(size_t n) {
    return n < STOPPING_LEAST ? STOPPING_LEAST : n + (3 * n + 9) / 10;
}

double stopping_half_width(const double *x, size_t visits, struct moderation level) {
    const struct moderation own = {pow(stats_sd(x, visits), 2),
                                   visits > 1 ? (double)visits - 1 : 0};
    const struct moderation used = moderation_squeeze(own, level, INFINITY);
    return visits > 0 && used.freedom > 0
               ? tails_student_quantile((1 + VERDICT_CONFIDENCE) / 2, used.freedom) *
                     sqrt(used.variance / (double)visits)
               : INFINITY;
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
