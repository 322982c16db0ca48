#include "timing/visits.h"

#include "bench/base/need.h"
#include "timing/stats.h"
#include "timing/tails.h"

#include <math.h>
#include <stdlib.h>

/* What one visit says: its estimate, and the standard error of that by its blocks. */
struct part {
    double estimate, error;
};

static struct part part_of(const double *x, size_t n) {
    return (struct part){stats_hodges_lehmann(x, n), stats_quartile_sd(x, n) / sqrt((double)n)};
}

double visits_least_half(const struct visits *row, double confidence) {
    return tails_student_quantile((1 + confidence) / 2, INFINITY) * row->block_error /
           sqrt((double)row->count);
}

/* A floor that is NaN sets no limit. */
void visits_put_interval(struct visits *row, double confidence) {
    const double t = tails_student_quantile((1 + confidence) / 2, row->own.freedom);
    const double half = row->own.freedom > 0
                            ? fmax(t * sqrt(row->own.variance / (double)row->count),
                                   visits_least_half(row, confidence))
                            : INFINITY;
    row->low = row->estimate - half;
    row->high = row->estimate + half;
}

static struct visits combine(const struct part *parts, size_t count, double confidence) {
    double *estimates = need(count, sizeof *estimates), squares = 0, with_error = 0;
    for (size_t r = 0; r < count; r++) {
        estimates[r] = parts[r].estimate;
        if (isnan(parts[r].error))
            continue;
        squares += parts[r].error * parts[r].error;
        with_error++;
    }
    struct visits result = {.estimate = stats_mean(estimates, count),
                            .count = count,
                            .own = spread_of(estimates, count),
                            .block_error = sqrt(squares / with_error)};
    visits_put_interval(&result, confidence);
    free(estimates);
    return result;
}

struct visits visits_combine(const double *x, const size_t *sizes, size_t visits,
                             double confidence) {
    return visits_difference(&(struct visits_values){x, sizes, NULL}, NULL, visits, confidence);
}

/* The two processes of a visit share nothing, so that their variances add. */
struct visits visits_difference(const struct visits_values *above,
                                const struct visits_values *below, size_t visits,
                                double confidence) {
    struct part *parts = need(visits, sizeof *parts);
    size_t count = 0, x = 0, y = 0; /* where the values of a visit begin */
    for (size_t r = 0; r < visits; r++) {
        const size_t of_above = above->sizes[r], of_below = below ? below->sizes[r] : 0;
        const bool has_both = of_above > 0 && (of_below > 0 || !below);
        if (has_both)
            parts[count] = part_of(above->x + x, of_above);
        if (has_both && below) {
            const struct part other = part_of(below->x + y, of_below);
            parts[count].estimate -= other.estimate;
            parts[count].error = hypot(parts[count].error, other.error);
        }
        if (above->estimates)
            above->estimates[r] = has_both ? parts[count].estimate : NAN;
        count += has_both;
        x += of_above;
        y += of_below;
    }
    const struct visits result = combine(parts, count, confidence);
    free(parts);
    return result;
}

struct slope slope_of_delays(const double *without, const double *with_short,
                             const double *with_long, double planted_short, double planted_long,
                             const size_t *sizes, size_t visits, double confidence) {
    const double planted = planted_long - planted_short;
    size_t n = 0;
    for (size_t r = 0; r < visits; r++)
        n += sizes[r];
    double *slopes = need(2 * n, sizeof *slopes), *offsets = slopes + n;
    if (planted == 0)
        n = visits = 0;
    for (size_t i = 0; i < n; i++) {
        slopes[i] = (with_long[i] - with_short[i]) / planted;
        offsets[i] = with_short[i] - without[i] - slopes[i] * planted_short;
    }
    const struct slope result = {visits_combine(slopes, sizes, visits, confidence),
                                 visits_combine(offsets, sizes, visits, confidence)};
    free(slopes);
    return result;
}
