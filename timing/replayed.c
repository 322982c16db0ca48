#include "timing/replayed.h"

#include <math.h>
#include <stdbool.h>

#include "timing/tails.h"

static double square(double x) {
    return isnan(x) ? 0 : x * x;
}

double replayed_half(const struct replayed_times *times) {
    const double normal = tails_student_quantile(0.975, INFINITY), n = times->rounds;
    const bool one = !(n >= 2) || isnan(times->native_sd);
    const double rounds =
        one ? normal * times->native_error
            : tails_student_quantile(0.975, n - 1) * times->native_sd * sqrt(1 + 1 / n);
    return sqrt(square(rounds) + square(normal * REPLAYED_SCATTER) +
                square(normal * times->replayed_error)) +
           (times->clock_step > 0 ? times->clock_step : 0);
}

enum replayed_verdict replayed_judge(const struct replayed_times *times) {
    if (!(times->native > 0) || !(times->replayed > 0))
        return REPLAYED_UNKNOWN;
    const double faster = log(times->native / times->replayed);
    const double limit = replayed_half(times) + log1p(REPLAYED_MARGIN);
    const double overlap = times->side_by_side > 1 ? log(times->side_by_side) : 0;
    return faster > limit + overlap || faster < -limit ? REPLAYED_DIFFERS : REPLAYED_AGREES;
}

const char *replayed_word(enum replayed_verdict verdict) {
    static const char *const words[] = {
        [REPLAYED_UNKNOWN] = "", [REPLAYED_AGREES] = "agrees", [REPLAYED_DIFFERS] = "differs"};
    return words[verdict];
}
