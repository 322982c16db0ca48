#include "bench/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/error.h"
#include "timing/stats.h"

int series_add(struct series *series, const float *seconds, size_t blocks) {
    size_t arms = (size_t)series->arms;
    if (!series->seconds) {
        series->seconds = malloc(SERIES_BLOCKS * arms * sizeof *series->seconds);
        series->every = 1;
        if (!series->seconds)
            return error("no memory for the samples of %d arms", series->arms);
    }
    for (size_t b = 0; b < blocks; b++, series->seen++) {
        for (size_t a = 0; a < arms; a++)
            series->timed_seconds += (double)seconds[b * arms + a];
        if (series->seen % series->every != 0)
            continue;
        if (series->kept == SERIES_BLOCKS) {
            for (size_t i = 1; i < SERIES_BLOCKS / 2; i++)
                memcpy(series->seconds + i * arms, series->seconds + 2 * i * arms,
                       arms * sizeof *seconds);
            series->kept = SERIES_BLOCKS / 2;
            series->every *= 2;
            if (series->seen % series->every != 0)
                continue;
        }
        memcpy(series->seconds + series->kept++ * arms, seconds + b * arms, arms * sizeof *seconds);
    }
    return 0;
}

void series_free(struct series *series) {
    free(series->seconds);
    series->seconds = NULL;
}

static void arm_column(const struct series *series, int arm, double *out) {
    for (size_t b = 0; b < series->kept; b++)
        out[b] = (double)series->seconds[b * (size_t)series->arms + (size_t)arm];
}

static int add_time(const struct series *series, const struct unit *unit, int arm, double *column,
                    struct rows *rows) {
    struct time_row row = {.shape = unit->shape, .n = (double)series->kept, .rounds = 1};
    snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(unit));
    snprintf(row.kernel, sizeof row.kernel, "%s", series->names[arm]);
    snprintf(row.mode, sizeof row.mode, "%s", plan_mode_names[series->mode]);
    snprintf(row.lens, sizeof row.lens, "call");
    arm_column(series, arm, column);
    row.mean = stats_mean(column, series->kept);
    row.sd = stats_sd(column, series->kept);
    stats_sort(column, series->kept);
    row.median = stats_quantile_sorted(column, series->kept, 0.5);
    row.p05 = stats_quantile_sorted(column, series->kept, 0.05);
    row.p95 = stats_quantile_sorted(column, series->kept, 0.95);
    row.tflops = shape_flops(unit->shape) / row.median * 1e-12;
    if (series->every > 1)
        snprintf(row.note, sizeof row.note, "%llu blocks timed; every %lluth kept",
                 (unsigned long long)series->seen, (unsigned long long)series->every);
    return rows_add_time(rows, &row);
}

/* The paper's speedup is the mean over blocks of t_baseline / t_candidate, minus 1 (section 3.1);
 * the ratio is exp of the Hodges-Lehmann estimate of ln(t_baseline / t_candidate). */
static void fill_ratio(const struct series *series, int arm, double *quotient, double *logarithm,
                       struct ratio_row *row) {
    size_t arms = (size_t)series->arms;
    for (size_t b = 0; b < series->kept; b++) {
        const float *block = series->seconds + b * arms;
        quotient[b] = (double)block[arm] / (double)block[series->candidate];
        logarithm[b] = log(quotient[b]);
    }
    struct stats_interval hl = stats_hodges_lehmann(logarithm, series->kept, 0.95);
    row->speedup = stats_mean(quotient, series->kept) - 1;
    row->ratio = exp(hl.estimate);
    row->ci_low = exp(hl.low);
    row->ci_high = exp(hl.high);
    row->n = (double)series->kept;
    row->rounds = 1;
    snprintf(row->verdict, sizeof row->verdict, "%s",
             row->ci_low > 1    ? "faster"
             : row->ci_high < 1 ? "slower"
                                : "undecided");
    if (isinf(row->ci_high)) {
        row->ci_low = row->ci_high = NAN;
        snprintf(row->note, sizeof row->note, "too few blocks for an interval");
    }
}

/* Appends X-max for every pair X-nn, X-tn among the rows from `first` on. */
static int add_max(struct rows *rows, size_t first) {
    size_t last = rows->ratio_count;
    for (size_t i = first; i < last; i++)
        for (size_t j = first; j < last; j++) {
            struct ratio_row nn = rows->ratios[i], tn = rows->ratios[j];
            size_t stem = strlen(nn.baseline);
            if (stem < 3 || strcmp(nn.baseline + stem - 3, "-nn") != 0)
                continue;
            stem -= 3;
            if (strncmp(nn.baseline, tn.baseline, stem) != 0 ||
                strcmp(tn.baseline + stem, "-tn") != 0)
                continue;
            struct ratio_row max = nn.speedup <= tn.speedup ? nn : tn;
            snprintf(max.baseline + stem, sizeof max.baseline - stem, "-max");
            snprintf(max.note, sizeof max.note, "%s is the faster layout",
                     nn.speedup <= tn.speedup ? "nn" : "tn");
            if (rows_add_ratio(rows, &max) < 0)
                return -1;
        }
    return 0;
}

int series_rows(const struct series *series, const struct unit *unit, struct rows *rows) {
    double *x = malloc(series->kept * sizeof *x + 1), *y = malloc(series->kept * sizeof *y + 1);
    size_t first = rows->ratio_count;
    int result = -1;
    if (!x || !y) {
        error("no memory for the statistics of %zu blocks", series->kept);
        goto done;
    }
    for (int arm = 0; arm < series->arms; arm++)
        if (add_time(series, unit, arm, x, rows) < 0)
            goto done;
    for (int arm = 0; arm < series->arms && series->candidate >= 0; arm++) {
        if (arm == series->candidate)
            continue;
        struct ratio_row row = {.shape = unit->shape};
        snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(unit));
        snprintf(row.baseline, sizeof row.baseline, "%s", series->names[arm]);
        snprintf(row.mode, sizeof row.mode, "%s", plan_mode_names[series->mode]);
        snprintf(row.lens, sizeof row.lens, "call");
        fill_ratio(series, arm, x, y, &row);
        if (rows_add_ratio(rows, &row) < 0)
            goto done;
    }
    result = add_max(rows, first);
done:
    free(x);
    free(y);
    return result;
}
