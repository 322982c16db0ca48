#include "reports/run/controls.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/words.h"
#include "reports/run/about.h"
#include "reports/run/derive.h"
#include "timing/significance.h"
#include "timing/stats.h"

#define MEAN_ONE_SIDED 0.9995 /* both bounds together: 99.9 % */

/* The least k with P(X <= k) >= 0.999 for X from Binomial(n, p), summed exactly. p(0) does not
 * underflow in long double below n = 200000. */
static size_t most_by_chance(size_t n, long double p) {
    long double term = powl(1 - p, (long double)n), sum = term;
    size_t k = 0;
    for (; k < n && sum < 0.999L; k++) {
        term *= (long double)(n - k) / (long double)(k + 1) * p / (1 - p);
        sum += term;
    }
    return k;
}

static bool in_series(const struct control_row *row, const struct controls_series *series) {
    return strcmp(row->mode, series->mode) == 0 && strcmp(row->lens, series->lens) == 0;
}

static bool is_aa(const struct control_row *row) {
    return strcmp(row->control, "aa") == 0;
}

static bool has_interval(const struct control_row *row) {
    return !isnan(row->ci_low) && !isnan(row->ci_high);
}

static double half_width(const struct control_row *row) {
    return is_aa(row) ? (row->ci_high - row->ci_low) / 2 : NAN;
}

static double planted(const struct control_row *row) {
    return is_aa(row) ? NAN : row->planted;
}

static double found(const struct control_row *row) {
    return is_aa(row) ? NAN : row->found;
}

static double log_ratio(const struct control_row *row) {
    return is_aa(row) && has_interval(row) ? log(row->ratio) : NAN;
}

/* The values of the rows of the series that have one, for the caller to free. NULL, with *n 0,
 * where memory is short. */
static double *take(const struct rows *rows, const struct controls_series *series,
                    double (*value)(const struct control_row *), size_t *n) {
    double *x = malloc((rows->control_count + 1) * sizeof *x);
    *n = 0;
    for (size_t i = 0; x && i < rows->control_count; i++)
        if (in_series(&rows->controls[i], series) && !isnan(value(&rows->controls[i])))
            x[(*n)++] = value(&rows->controls[i]);
    return x;
}

static double median_of(const struct rows *rows, const struct controls_series *series,
                        double (*value)(const struct control_row *)) {
    size_t n;
    double *x = take(rows, series, value, &n);
    const double median = x ? stats_median(x, n) : NAN;
    free(x);
    return median;
}

static void take_mean(const struct rows *rows, struct controls_series *series) {
    size_t n;
    double *x = take(rows, series, log_ratio, &n);
    if (n >= 2) {
        const struct significance_bounds bounds = significance_bounds(x, n, MEAN_ONE_SIDED);
        series->mean = exp(bounds.mean);
        series->mean_low = exp(bounds.low);
        series->mean_high = exp(bounds.high);
    }
    free(x);
}

static void count_row(const struct control_row *row, struct controls_series *series) {
    if (!is_aa(row)) {
        series->delays++;
        if (strcmp(row->verdict, "ok") == 0)
            series->seen++;
        else
            series->fewest = fmin(series->fewest, row->samples);
    } else if (has_interval(row)) {
        series->intervals++;
        series->missing +=
            row->ci_low > 1 + DERIVE_AA_MARGIN || row->ci_high < 1 - DERIVE_AA_MARGIN;
        series->close += fabs(row->ratio - 1) < CONTROLS_CLOSE;
        series->half_width_most = fmax(series->half_width_most, half_width(row));
    }
}

static int compare_series(const void *left, const void *right) {
    const struct controls_series *a = left, *b = right;
    int order = words_compare(words_lenses, a->lens, b->lens);
    return order ? order : words_compare(words_modes, a->mode, b->mode);
}

size_t controls_summarise(const struct rows *rows,
                          struct controls_series series[CONTROLS_SERIES_MOST]) {
    size_t count = 0;
    for (size_t i = 0; i < rows->control_count; i++) {
        const struct control_row *row = &rows->controls[i];
        size_t s = 0;
        while (s < count && !in_series(row, &series[s]))
            s++;
        if (s == CONTROLS_SERIES_MOST)
            continue;
        if (s == count) {
            series[count] = (struct controls_series){.half_width_most = NAN,
                                                     .mean = NAN,
                                                     .mean_low = NAN,
                                                     .mean_high = NAN,
                                                     .fewest = INFINITY};
            strcpy(series[count].mode, row->mode);
            strcpy(series[count++].lens, row->lens);
        }
        count_row(row, &series[s]);
    }
    for (size_t s = 0; s < count; s++) {
        series[s].allowed = most_by_chance(series[s].intervals, CONTROLS_MISS_SHARE);
        take_mean(rows, &series[s]);
        series[s].half_width_median = median_of(rows, &series[s], half_width);
        series[s].planted_seconds = median_of(rows, &series[s], planted);
        series[s].found_seconds = median_of(rows, &series[s], found);
    }
    qsort(series, count, sizeof *series, compare_series);
    return count;
}

/* No lens's name is part of another's. */
static bool is_wanted(const char *lens, const char *precise) {
    return !*precise || strstr(precise, lens);
}

/* Another reason, cut to what there is room for. */
__attribute__((format(printf, 4, 5))) static void
say(char *why, size_t size, const struct controls_series *s, const char *format, ...) {
    size_t used = strlen(why);
    va_list args;
    snprintf(why + used, size - used, "%s%s, %s: ", used ? "; " : "", s->mode, s->lens);
    used = strlen(why);
    va_start(args, format);
    vsnprintf(why + used, size - used, format, args);
    va_end(args);
}

enum controls_verdict controls_judge(const struct rows *rows, const char *precise, char *why,
                                     size_t size) {
    struct controls_series list[CONTROLS_SERIES_MOST];
    const size_t count = controls_summarise(rows, list);
    size_t judged = 0;
    *why = 0;
    for (size_t i = 0; i < count; i++) {
        const struct controls_series *s = &list[i];
        if (!is_wanted(s->lens, precise))
            continue;
        judged += s->intervals + s->delays;
        if (s->missing > s->allowed)
            say(why, size, s,
                "%zu of %zu intervals of a baseline against itself miss 1, where chance explains "
                "at most %zu",
                s->missing, s->intervals, s->allowed);
        if (s->mean_low > 1 + CONTROLS_MEAN_MARGIN || s->mean_high < 1 - CONTROLS_MEAN_MARGIN)
            say(why, size, s,
                "over %zu ratios of a baseline against itself the mean is %.4f (99.9 %% interval "
                "%.4f to %.4f)",
                s->intervals, s->mean, s->mean_low, s->mean_high);
        if ((double)(s->delays - s->seen) > CONTROLS_MISS_SHARE * (double)s->delays)
            say(why, size, s, "%zu of %zu planted delays were not seen%s", s->delays - s->seen,
                s->delays,
                s->fewest < CONTROLS_FEW ? ", for want of samples: --duration takes more" : "");
    }
    return *why ? CONTROLS_FAILED : judged ? CONTROLS_PASSED : CONTROLS_NONE;
}

const char *controls_word(enum controls_verdict verdict) {
    static const char *const words[] = {"none", "passed", "failed"};
    return words[verdict];
}

int controls_record(const char *run, json_t *manifest, char *why, size_t size) {
    struct rows rows = {0};
    struct about about;
    if (about_read(run, &about) < 0 || rundir_read_rows(run, &rows) < 0)
        return -1;
    const enum controls_verdict verdict = controls_judge(&rows, about.precise, why, size);
    json_object_set_new(manifest, "controls",
                        json_pack("{s:s, s:s}", "verdict", controls_word(verdict), "why", why));
    rows_free(&rows);
    return (int)verdict;
}
