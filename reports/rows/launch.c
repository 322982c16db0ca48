#include "reports/rows/launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/rows/derive_values.h"
#include "timing/stats.h"

static bool is_stated(const struct samples *samples, struct shape shape, double wanted) {
    const bool small = (double)shape.m * (double)shape.n * (double)shape.k < LAUNCH_SIZE;
    return wanted > 0 && (small || words_find(words_modes, samples->mode) == (int)MODE_SERVER);
}

/* Whether it is a library in one layout, once each: an autotuned one and not its finalists. */
static bool is_library(const char *name, const char *candidate) {
    return derive_is_own(name) && !layouts_is_max(name) && !layouts_is_finalist(name) &&
           strcmp(name, candidate) != 0 && strcmp(name, RUNDIR_PREVIOUS) != 0;
}

/* What the call took the host; a launch takes no longer than its call. */
static double host_of(const struct launch *launch, size_t block, size_t column) {
    return launch->hosts[column] < 0
               ? 0
               : fmin(derive_value(launch->plain, block, (size_t)launch->hosts[column]),
                      fabs(derive_value(launch->plain, block, column)));
}

/* By the median over the blocks. beside: whether the host's time is compared with the libraries', or
 * else with the call's. x has room for the blocks. */
static double median_host(const struct launch *launch, size_t column, bool beside, double *x) {
    const struct samples *plain = launch->plain;
    for (size_t b = 0; b < plain->blocks; b++)
        x[b] = derive_value(plain, b, (size_t)launch->hosts[column]) /
               (beside ? launch->yardsticks[b] : fabs(derive_value(plain, b, column)));
    return stats_median(x, plain->blocks);
}

/* Forgets the host's time of those that wait. */
static void drop_waiting(struct launch *launch, bool beside, double most, double *x) {
    for (size_t i = 0; i < launch->plain->column_count; i++)
        if (launch->hosts[i] >= 0 && !(median_host(launch, i, beside, x) < most))
            launch->hosts[i] = -1;
}

/* Fills in g of each block. Returns whether all have one. */
static bool measure(struct launch *launch, const char *candidate) {
    double sum_of_all = 0;
    for (size_t b = 0; b < launch->plain->blocks; b++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < launch->plain->column_count; i++)
            if (launch->hosts[i] >= 0 && is_library(launch->plain->columns[i], candidate)) {
                sum += log(derive_value(launch->plain, b, (size_t)launch->hosts[i]));
                count++;
            }
        launch->yardsticks[b] = exp(sum / count);
        sum_of_all += sum / count;
    }
    launch->seconds = exp(sum_of_all / (double)launch->plain->blocks);
    return isfinite(sum_of_all) && launch->plain->blocks > 0;
}

/* What h becomes at the stated launch. */
static double stated_host(const struct launch *launch, size_t block, size_t column) {
    return host_of(launch, block, column) * launch->wanted / launch->yardsticks[block];
}

/* A marked sample stays marked. */
static void move(struct launch *launch) {
    struct samples *to = &launch->samples;
    for (size_t b = 0; b < to->blocks; b++)
        for (size_t i = 0; i < to->column_count; i++)
            if (launch->hosts[i] >= 0) {
                float *value = &to->values[b * to->column_count + i];
                const double seconds =
                    fabs((double)*value) - host_of(launch, b, i) + stated_host(launch, b, i);
                *value = (float)copysign(seconds, (double)*value);
            }
}

void launch_state(const struct layouts *with, struct shape shape, const char *candidate,
                  double wanted, struct launch *launch) {
    const struct samples *plain = &with->samples;
    const size_t size = plain->blocks * plain->column_count;
    *launch = (struct launch){.samples = *plain, .seconds = NAN, .wanted = wanted, .plain = plain};
    launch->samples.values = need(size, sizeof *launch->samples.values);
    memcpy(launch->samples.values, plain->values, size * sizeof *plain->values);
    launch->yardsticks = need(plain->blocks, sizeof *launch->yardsticks);
    double *x = need(plain->blocks, sizeof *x);
    for (size_t i = 0; i < plain->column_count; i++)
        launch->hosts[i] = derive_is_own(plain->columns[i]) ? derive_host_column(plain, i) : -1;
    drop_waiting(launch, false, LAUNCH_MOST_SHARE, x);
    if (is_stated(plain, shape, wanted) && measure(launch, candidate)) {
        drop_waiting(launch, true, LAUNCH_MOST_TIMES, x);
        move(launch);
    } else
        launch->seconds = NAN;
    free(x);
}

void launch_free(struct launch *launch) {
    free(launch->samples.values);
    free(launch->yardsticks);
    *launch = (struct launch){0};
}

double launch_slope(const struct launch *launch, const size_t pair[2]) {
    double sum = 0, known = 0;
    for (size_t b = 0; b < launch->samples.blocks && !isnan(launch->seconds); b++)
        if (derive_known(&launch->samples, b, pair[0], pair[1])) {
            for (int i = 0; i < 2; i++)
                sum += (i ? -1 : 1) * stated_host(launch, b, pair[i]) /
                       derive_value(&launch->samples, b, pair[i]);
            known++;
        }
    return sum / known;
}

double launch_share(const struct launch *launch, size_t column) {
    double sum = 0, known = 0;
    for (size_t b = 0; b < launch->samples.blocks && !isnan(launch->seconds); b++)
        if (derive_known(&launch->samples, b, column, column)) {
            sum += stated_host(launch, b, column) / derive_value(&launch->samples, b, column);
            known++;
        }
    return sum / known;
}

size_t launch_stated(const struct rows *rows, double *seconds) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < rows->ratio_count; i++)
        if (rows->ratios[i].launch_seconds > 0) {
            sum += log(rows->ratios[i].launch_seconds);
            count++;
        }
    *seconds = exp(sum / (double)count);
    return count;
}
