#include "timing/agreement.h"

#include "bench/base/need.h"
#include "timing/spread.h"
#include "timing/stats.h"
#include "timing/tails.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static bool is_known(const struct agreement_side *side) {
    return isfinite(side->estimate) && isfinite(side->half) && side->half >= 0;
}

static double difference_of(const struct agreement_row *row) {
    return fabs(row->first.estimate - row->second.estimate);
}

static double combined_of(const struct agreement_row *row) {
    return hypot(row->first.half, row->second.half);
}

static double variance_of(const struct agreement_side *side, double confidence) {
    return pow(side->half / tails_student_quantile((1 + confidence) / 2, side->freedom), 2);
}

/* Of a row's difference, as it should be; NaN where that is not known. */
static double expected_variance(const struct agreement_row *row, double confidence) {
    return is_known(&row->first) && is_known(&row->second)
               ? variance_of(&row->first, confidence) + variance_of(&row->second, confidence)
               : NAN;
}

/* Rows with more than this many times the median variance are of another kind. */
#define WILD 10

static double excess_of(const struct agreement_row *rows, size_t n, double confidence) {
    double *variances = need(n, sizeof *variances), sum = 0;
    size_t known = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        variances[known] = expected_variance(&rows[i], confidence);
        known += !isnan(variances[known]);
    }
    const double most = WILD * stats_median(variances, known);
    free(variances);
    for (size_t i = 0; i < n; i++) {
        const double variance = expected_variance(&rows[i], confidence);
        if (variance <= most) {
            sum += pow(difference_of(&rows[i]), 2) - variance;
            count++;
        }
    }
    return count > 0 ? sqrt(fmax(sum / (double)count, 0)) : NAN;
}

static bool agrees(const struct agreement_row *row) {
    return difference_of(row) <= combined_of(row);
}

/* The chance to agree of two intervals about one truth; NaN where a freedom is not known. */
static double chance_of(const struct agreement_row *row, double confidence) {
    const double a = variance_of(&row->first, confidence);
    const double b = variance_of(&row->second, confidence);
    const struct spread sum =
        spread_sum((struct spread){a, row->first.freedom}, (struct spread){b, row->second.freedom});
    return sum.variance > 0 ? 1 - tails_student(combined_of(row) / sqrt(sum.variance), sum.freedom)
                            : NAN;
}

static double expected_of(const struct agreement_row *rows, size_t n, double confidence) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        const double chance = chance_of(&rows[i], confidence);
        if (!isnan(chance) && is_known(&rows[i].first) && is_known(&rows[i].second)) {
            sum += chance;
            count++;
        }
    }
    return sum / count;
}

/* The jackknife: sums over shapes of the share without the shape. */
struct jackknife {
    double shapes, sum, squares;
};

static struct jackknife jackknife_of(const struct agreement_row *rows, size_t n,
                                     const struct agreement *whole) {
    struct jackknife jack = {0};
    for (size_t first = 0, end; first < n; first = end) {
        double count = 0, agree = 0;
        for (end = first; end < n && rows[end].shape == rows[first].shape; end++)
            if (is_known(&rows[end].first) && is_known(&rows[end].second)) {
                agree += agrees(&rows[end]);
                count++;
            }
        if (count == 0)
            continue;
        const double left = (double)whole->rows - count;
        const double off = left > 0 ? ((double)whole->agree - agree) / left - whole->share : 0;
        jack.shapes++;
        jack.sum += off;
        jack.squares += off * off;
    }
    return jack;
}

static void put_share(struct agreement *agreement, const struct agreement_row *rows, size_t n) {
    agreement->share = (double)agreement->agree / (double)agreement->rows;
    const struct jackknife jack = jackknife_of(rows, n, agreement);
    const double variance =
        (jack.squares - jack.sum * jack.sum / jack.shapes) * (jack.shapes - 1) / jack.shapes;
    /* Of n independent rows it is share (1 - share) / (n - 1). */
    const double independent =
        variance > 0 ? agreement->share * (1 - agreement->share) / variance + 1 : jack.shapes;
    const struct stats_interval share =
        stats_wilson(agreement->share, fmin(independent, jack.shapes));
    agreement->share_low = share.low;
    agreement->share_high = share.high;
}

static void count_verdicts(struct agreement *agreement, const struct agreement_row *row) {
    const enum verdict first = row->first.verdict, second = row->second.verdict;
    const bool opposite = (first == VERDICT_FASTER && second == VERDICT_SLOWER) ||
                          (first == VERDICT_SLOWER && second == VERDICT_FASTER);
    agreement->opposite += opposite;
    agreement->changed += first != second && !opposite;
}

struct agreement agreement_of(const struct agreement_row *rows, size_t n, double confidence) {
    struct agreement agreement = {.median_difference = NAN,
                                  .ninth_difference = NAN,
                                  .median_half = NAN,
                                  .median_combined = NAN,
                                  .expected = expected_of(rows, n, confidence),
                                  .excess_sd = excess_of(rows, n, confidence)};
    double *room = need(4 * n, sizeof *room), *combined = room + n, *own = combined + n;
    for (size_t i = 0; i < n; i++) {
        if (!is_known(&rows[i].first) || !is_known(&rows[i].second))
            continue;
        own[2 * agreement.rows] = rows[i].first.half;
        own[2 * agreement.rows + 1] = rows[i].second.half;
        combined[agreement.rows] = combined_of(&rows[i]);
        room[agreement.rows++] = difference_of(&rows[i]);
        agreement.agree += agrees(&rows[i]);
        count_verdicts(&agreement, &rows[i]);
    }
    put_share(&agreement, rows, n);
    if (agreement.rows > 0) {
        stats_sort(room, agreement.rows);
        agreement.median_difference = stats_quantile_sorted(room, agreement.rows, 0.5);
        agreement.ninth_difference = stats_quantile_sorted(room, agreement.rows, 0.9);
        agreement.median_half = stats_median(own, 2 * agreement.rows);
        agreement.median_combined = stats_median(combined, agreement.rows);
    }
    free(room);
    return agreement;
}
