#include "timing/modality.h"

#include "timing/stats.h"

#include <math.h>

/* How many values the lower group has. The variance inside the groups is least where that between
 * them is greatest: i (n - i) (difference of the means)^2 / n^2, which for values about their
 * common mean is sum^2 / (i (n - i)) with the sum of the lower i. */
static size_t split_at(const double *sorted, size_t n) {
    const double mean = stats_mean(sorted, n);
    double sum = 0, greatest = -1;
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        sum += sorted[i - 1] - mean;
        const double between = sum * sum / ((double)i * (double)(n - i));
        if (between > greatest) {
            greatest = between;
            best = i;
        }
    }
    return best;
}

struct modality modality_split(const double *sorted, size_t n, double tick) {
    if (n < 2)
        return (struct modality){NAN, NAN, NAN, NAN, false};
    const size_t below = split_at(sorted, n), above = n - below;
    struct modality result = {.lower_mean = stats_mean(sorted, below),
                              .upper_mean = stats_mean(sorted + below, above),
                              .upper_share = (double)above / (double)n};
    const double difference = result.upper_mean - result.lower_mean;
    result.d =
        sqrt(2) * difference / hypot(stats_sd(sorted, below), stats_sd(sorted + below, above));
    result.bimodal = n >= 20 && 10 * below >= n && 10 * above >= n && result.d > 4 &&
                     difference >= 0.02 * result.lower_mean && difference >= 3 * tick;
    return result;
}
