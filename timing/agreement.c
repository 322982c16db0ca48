#include "timing/agreement.h"

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

static double half_of(const struct agreement_row *row) {
    return hypot(row->first.half, row->second.half);
}

static int sign_of(const struct agreement_side *side) {
    return (side->estimate - side->half > 0) - (side->estimate + side->half < 0);
}

static double variance_of(const struct agreement_side *side, double confidence) {
    return pow(side->half / tails_student_quantile((1 + confidence) / 2, side->freedom), 2);
}

/* A difference squared, and what variance it should have. */
struct pair {
    double square, variance;
};

/* Rows with more than this many times the median variance are of another kind. */
#define WILD 10

/* room is for n values. */
static double excess_sd_of(const struct pair *pairs, size_t n, double *room) {
    for (size_t i = 0; i < n; i++)
        room[i] = pairs[i].variance;
    const double most = WILD * stats_median(room, n);
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (pairs[i].variance <= most) {
            sum += pairs[i].square - pairs[i].variance;
            count++;
        }
    return sqrt(fmax(sum / (double)count, 0));
}

static double excess_of(const struct agreement_row *rows, size_t n, double confidence) {
    struct pair *pairs = calloc(n + 1, sizeof *pairs);
    double *room = calloc(n + 1, sizeof *room), excess = NAN;
    size_t count = 0;
    for (size_t i = 0; pairs && room && i < n; i++) {
        const double variance =
            variance_of(&rows[i].first, confidence) + variance_of(&rows[i].second, confidence);
        if (is_known(&rows[i].first) && is_known(&rows[i].second) && !isnan(variance))
            pairs[count++] = (struct pair){pow(difference_of(&rows[i]), 2), variance};
    }
    if (count > 0)
        excess = excess_sd_of(pairs, count, room);
    free(room);
    free(pairs);
    return excess;
}

static void count_verdicts(struct agreement *agreement, const struct agreement_row *row) {
    const int first = sign_of(&row->first), second = sign_of(&row->second);
    agreement->opposite += first * second < 0;
    agreement->decided += first * second > 0;
    agreement->changed += (first == 0) != (second == 0);
}

struct agreement agreement_of(const struct agreement_row *rows, size_t n, double confidence) {
    struct agreement agreement = {.median_difference = NAN,
                                  .ninth_difference = NAN,
                                  .median_half = NAN,
                                  .excess_sd = excess_of(rows, n, confidence)};
    double *room = malloc((2 * n + 1) * sizeof *room);
    for (size_t i = 0; room && i < n; i++) {
        if (!is_known(&rows[i].first) || !is_known(&rows[i].second))
            continue;
        room[agreement.rows] = difference_of(&rows[i]);
        room[n + agreement.rows++] = half_of(&rows[i]);
        agreement.agree += difference_of(&rows[i]) <= half_of(&rows[i]);
        count_verdicts(&agreement, &rows[i]);
    }
    const struct stats_interval share = stats_wilson(agreement.agree, agreement.rows);
    agreement.share = share.estimate;
    agreement.share_low = share.low;
    agreement.share_high = share.high;
    if (agreement.rows > 0) {
        stats_sort(room, agreement.rows);
        agreement.median_difference = stats_quantile_sorted(room, agreement.rows, 0.5);
        agreement.ninth_difference = stats_quantile_sorted(room, agreement.rows, 0.9);
        agreement.median_half = stats_median(room + n, agreement.rows);
    }
    free(room);
    return agreement;
}
