#include "reports/rows/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/rows/rows.h"
#include "timing/stats.h"

/* Offline, a product of so many operations of m n k is not stated: the device still writes the
 * operands while the host launches, so that a launch hides in part. In server mode it is idle. */
#define LAUNCH_SIZE 0x1p32

/* A call waits, or works on the host, where by the median over the blocks it takes the host so much
 * of its time, or so many times as long as the libraries. Nothing of it counts as launch. Of 400
 * kernels and libraries that do not wait, on H100s and H200s, none was above 0.93 and 1.48; of 190
 * kernels that do none was below 0.96 and 1.9. */
#define LAUNCH_MOST_SHARE 0.95
#define LAUNCH_MOST_TIMES 1.5

/* E, by lens: about what an empty call takes on H100s and H200s, alone between two events and in a
 * row. */
const double series_empty_seconds[LENS_COUNT] = {[LENS_DEVICE] = 2.8e-6, [LENS_STREAM] = 1.55e-6};

struct visit {
    size_t blocks, disturbed;
};

/* Fills in which visits are left out. */
static void leave_out(const struct samples *samples, struct series *series) {
    const int disturbed = derive_column(samples, SAMPLES_DISTURBED);
    struct visit visits[SAMPLES_VISITS] = {0};
    size_t count = 0;
    for (size_t b = 0; b < samples->blocks; b++) {
        struct visit *visit = &visits[derive_visit_of(samples, b)];
        visit->blocks++;
        visit->disturbed += disturbed >= 0 && derive_value(samples, b, (size_t)disturbed) > 0;
    }
    for (size_t i = 0; i < SAMPLES_VISITS; i++) {
        series->left_out[i] =
            (double)visits[i].disturbed > ROWS_DISTURBED_MOST * (double)visits[i].blocks;
        series->timed_visits += visits[i].blocks > 0;
        count += series->left_out[i];
    }
    if (2 * count < series->timed_visits)
        series->left_out_count = count;
    else
        memset(series->left_out, 0, sizeof series->left_out);
    series->end = derive_visits(samples);
}

/* The blocks of the visits that stay, with room for the columns more: those of the doubles, or the
 * others. Samples that do not tell have the doubles in all blocks. */
static void copy_blocks(const struct samples *from, const struct series *series, bool doubles,
                        struct samples *to) {
    const int column = derive_column(from, SAMPLES_DOUBLES);
    to->values = need(from->blocks * to->column_count, sizeof *to->values);
    to->blocks = 0;
    for (size_t b = 0; b < from->blocks; b++)
        if (!series->left_out[derive_visit_of(from, b)] &&
            (column < 0 || (derive_value(from, b, (size_t)column) > 0) == doubles))
            memcpy(to->values + to->blocks++ * to->column_count,
                   from->values + b * from->column_count, from->column_count * sizeof *to->values);
}

static bool is_stated(const struct series *series, struct shape shape) {
    const struct samples *samples = &series->plain;
    const bool small = shape_flops(shape) / 2 < LAUNCH_SIZE;
    return series->wanted > 0 &&
           (small || words_find(words_modes, samples->mode) == (int)MODE_SERVER);
}

/* Whether it is a library in one layout, once each: an autotuned one and not its finalists. */
static bool is_library(const char *name, const char *candidate) {
    return derive_is_library(name, candidate) && !layouts_is_max(name) &&
           !layouts_is_finalist(name);
}

/* What the call took the host, or begins with; a launch takes no longer than its call. */
static double host_of(const struct series *series, size_t block, size_t column) {
    const struct samples *plain = &series->plain;
    if (series->hosts[column] < 0)
        return 0;
    return fmin(series->empty >= 0 ? series->yardsticks[block]
                                   : derive_value(plain, block, (size_t)series->hosts[column]),
                fabs(derive_value(plain, block, column)));
}

/* By the median over the blocks. beside: whether the host's time is compared with the libraries', or
 * else with the call's. x has room for the blocks. */
static double median_host(const struct series *series, size_t column, bool beside, double *x) {
    const struct samples *plain = &series->plain;
    for (size_t b = 0; b < plain->blocks; b++)
        x[b] = derive_value(plain, b, (size_t)series->hosts[column]) /
               (beside ? series->yardsticks[b] : fabs(derive_value(plain, b, column)));
    return stats_median(x, plain->blocks);
}

/* Forgets the host's time of those that wait. */
static void drop_waiting(struct series *series, bool beside, double most) {
    double *x = need(series->plain.blocks, sizeof *x);
    for (size_t i = 0; i < series->plain.column_count; i++)
        if (series->hosts[i] >= 0 && !(median_host(series, i, beside, x) < most))
            series->hosts[i] = -1;
    free(x);
}

/* Fills in e of each block: its visit's. Returns whether all have one. */
static bool measure_empty(struct series *series) {
    const struct samples *plain = &series->plain;
    const size_t column = (size_t)series->empty;
    double *x = need(plain->blocks, sizeof *x), sum = 0;
    for (size_t visit = 0; visit < series->end; visit++) {
        size_t n = 0;
        for (size_t b = 0; b < plain->blocks; b++)
            if ((size_t)derive_visit_of(plain, b) == visit && derive_value(plain, b, column) > 0)
                x[n++] = derive_value(plain, b, column);
        const double median = stats_median(x, n);
        for (size_t b = 0; b < plain->blocks; b++)
            if ((size_t)derive_visit_of(plain, b) == visit)
                sum += log(series->yardsticks[b] = median);
    }
    free(x);
    series->launch_seconds = exp(sum / (double)plain->blocks);
    return isfinite(sum) && plain->blocks > 0;
}

/* Fills in g of each block. Returns whether all have one. */
static bool measure(struct series *series, const char *candidate) {
    const struct samples *plain = &series->plain;
    double sum_of_all = 0;
    for (size_t b = 0; b < plain->blocks; b++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < plain->column_count; i++)
            if (series->hosts[i] >= 0 && is_library(plain->columns[i], candidate)) {
                sum += log(derive_value(plain, b, (size_t)series->hosts[i]));
                count++;
            }
        series->yardsticks[b] = exp(sum / count);
        sum_of_all += sum / count;
    }
    series->launch_seconds = exp(sum_of_all / (double)plain->blocks);
    return isfinite(sum_of_all) && plain->blocks > 0;
}

/* What h becomes at the stated launch. */
static double stated_host(const struct series *series, size_t block, size_t column) {
    return host_of(series, block, column) * series->wanted / series->yardsticks[block];
}

/* A marked sample stays marked. */
static void move(struct series *series) {
    struct samples *to = &series->stated;
    for (size_t b = 0; b < to->blocks; b++)
        for (size_t i = 0; i < to->column_count; i++)
            if (series->hosts[i] >= 0) {
                float *value = &to->values[b * to->column_count + i];
                const double seconds =
                    fabs((double)*value) - host_of(series, b, i) + stated_host(series, b, i);
                *value = (float)copysign(seconds, (double)*value);
            }
}

/* Whether the times are to move from e to E: all arms have e. */
static bool has_empty_call(struct series *series, struct shape shape) {
    const struct samples *plain = &series->plain;
    const int lens = words_find(words_lenses, plain->lens);
    if (series->wanted > 0 && lens >= 0)
        series->wanted = series_empty_seconds[lens];
    for (size_t i = 0; i < plain->column_count; i++)
        series->hosts[i] = derive_is_own(plain->columns[i]) ? series->empty : -1;
    return is_stated(series, shape) && measure_empty(series);
}

/* Whether they are to move from g to L: an arm has h unless it waits. */
static bool has_launch(struct series *series, struct shape shape, const char *candidate) {
    const struct samples *plain = &series->plain;
    for (size_t i = 0; i < plain->column_count; i++)
        series->hosts[i] =
            derive_is_own(plain->columns[i]) ? derive_column_of(plain, SAMPLES_HOST, i) : -1;
    drop_waiting(series, false, LAUNCH_MOST_SHARE);
    if (!is_stated(series, shape) || !measure(series, candidate))
        return false;
    drop_waiting(series, true, LAUNCH_MOST_TIMES);
    return true;
}

/* The times stay as they were where `wanted` is 0, where the lens has no h and no e, where no library
 * launches without waiting, and offline from LAUNCH_SIZE on. */
static void state(struct series *series, struct shape shape, const char *candidate, double wanted) {
    const struct samples *plain = &series->plain;
    const size_t size = plain->blocks * plain->column_count;
    series->wanted = wanted;
    series->stated = *plain;
    series->stated.values = need(size, sizeof *plain->values);
    memcpy(series->stated.values, plain->values, size * sizeof *plain->values);
    series->yardsticks = need(plain->blocks, sizeof *series->yardsticks);
    series->empty = derive_column(plain, SAMPLES_EMPTY);
    if (series->empty >= 0 ? has_empty_call(series, shape) : has_launch(series, shape, candidate))
        move(series);
    else
        series->launch_seconds = NAN;
}

int series_open(const struct samples *samples, const struct derive_about *about,
                struct series *series) {
    *series = (struct series){.plain = *samples, .doubles = *samples};
    series->plain.values = series->doubles.values = NULL;
    leave_out(samples, series);
    if (layouts_add(&series->plain, &series->layouts) < 0)
        return -1;
    copy_blocks(samples, series, false, &series->plain);
    copy_blocks(samples, series, true, &series->doubles);
    layouts_fill(&series->plain, &series->layouts);
    state(series, about->shape, about->candidate, about->launch_seconds);
    return 0;
}

void series_close(struct series *series) {
    free(series->plain.values);
    free(series->doubles.values);
    free(series->stated.values);
    free(series->yardsticks);
}

double series_launch_share(const struct series *series, size_t column) {
    const struct samples *stated = &series->stated;
    double sum = 0, known = 0;
    for (size_t b = 0; b < stated->blocks && !isnan(series->launch_seconds); b++)
        if (derive_known(stated, b, column, column)) {
            sum += stated_host(series, b, column) / derive_value(stated, b, column);
            known++;
        }
    return sum / known;
}

const char *series_left_out_text(double left_out, double visits, char text[SERIES_LEFT_OUT_TEXT]) {
    *text = 0;
    if (left_out > 0)
        snprintf(text, SERIES_LEFT_OUT_TEXT, "%.0f of %.0f visits left out: disturbed", left_out,
                 visits);
    return text;
}
