#include "reports/rows/derive_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "timing/stats.h"
#include "timing/verdict.h"

double derive_value(const struct samples *samples, size_t block, size_t column) {
    return (double)samples->values[block * samples->column_count + column];
}

int derive_column(const struct samples *samples, const char *name) {
    for (size_t i = 0; i < samples->column_count; i++)
        if (strcmp(samples->columns[i], name) == 0)
            return (int)i;
    return -1;
}

int derive_column_of(const struct samples *samples, const char *prefix, size_t arm) {
    char name[2 * RUNDIR_NAME];
    snprintf(name, sizeof name, "%s%.80s", prefix, samples->columns[arm]);
    return derive_column(samples, name);
}

bool derive_is_control(const char *name) {
    return text_begins(name, DERIVE_AA) || text_begins(name, DERIVE_DELAY) ||
           text_begins(name, DERIVE_LONG_DELAY);
}

bool derive_is_arm(const char *name) {
    return *name != '@';
}

bool derive_is_own(const char *name) {
    return derive_is_arm(name) && !derive_is_control(name);
}

bool derive_is_library(const char *name, const char *candidate) {
    return derive_is_own(name) && strcmp(name, candidate) != 0 &&
           strcmp(name, RUNDIR_PREVIOUS) != 0;
}

size_t derive_pairs(const struct samples *samples, const char *candidate,
                    size_t pairs[SAMPLES_COLUMNS][2]) {
    const int bottom = derive_column(samples, candidate);
    size_t count = 0;
    for (size_t i = 0; i < samples->column_count; i++) {
        const char *name = samples->columns[i];
        int top = derive_is_control(name) ? derive_column(samples, strchr(name, ':') + 1) : (int)i;
        int below = derive_is_control(name) ? (int)i : bottom;
        if (!derive_is_arm(name) || top < 0 || below < 0 || top == below)
            continue;
        pairs[count][0] = (size_t)top;
        pairs[count++][1] = (size_t)below;
    }
    return count;
}

int derive_visit_of(const struct samples *samples, size_t block) {
    const int column = derive_column(samples, SAMPLES_VISIT);
    return column < 0 ? 0 : (int)derive_value(samples, block, (size_t)column);
}

/* A marked sample holds the host's time, too: it is in no estimate. Nor is NaN, where a visit has left
 * the arm out. */
static bool is_marked(const struct samples *samples, size_t block, size_t column) {
    return !(derive_value(samples, block, column) >= 0);
}

size_t derive_take(const struct samples *samples, size_t column, double *out) {
    size_t n = 0;
    for (size_t b = 0; b < samples->blocks; b++)
        if (!is_marked(samples, b, column))
            out[n++] = derive_value(samples, b, column);
    return n;
}

bool derive_known(const struct samples *samples, size_t block, size_t top, size_t bottom) {
    return !is_marked(samples, block, top) && !is_marked(samples, block, bottom);
}

/* The share of a value below which another is the same reading. */
#define EQUAL 1e-6

/* The least distance between two sorted values that differ by more than EQUAL: the step of the clock,
 * or more. Equal readings of `stream` differ by less: float32 rounds what was read, 6e-8 of each. 0
 * where all are equal. */
static double tick_of(const double *sorted, size_t n) {
    double tick = INFINITY;
    for (size_t i = 1; i < n; i++)
        if (sorted[i] - sorted[i - 1] > EQUAL * sorted[i] && sorted[i] - sorted[i - 1] < tick)
            tick = sorted[i] - sorted[i - 1];
    return isfinite(tick) ? tick : 0;
}

double *derive_blocks(const struct samples *samples, int visit, derive_block *of_block,
                      const void *what, size_t sizes[SAMPLES_VISITS]) {
    const int column = derive_column(samples, SAMPLES_VISIT);
    double *x = need(samples->blocks, sizeof *x);
    size_t n = 0;
    memset(sizes, 0, SAMPLES_VISITS * sizeof *sizes);
    for (size_t b = 0; b < samples->blocks; b++) {
        const int mine = column < 0 ? 0 : (int)derive_value(samples, b, (size_t)column);
        if ((visit >= 0 && mine != visit) || isnan(x[n] = of_block(samples, b, what)))
            continue;
        sizes[mine]++;
        n++;
    }
    return x;
}

/* An estimate of what the blocks give. each: derive_ratio. */
static struct visits visits_of(const struct samples *samples, int visit, derive_block *of_block,
                               const void *what, double each[SAMPLES_VISITS]) {
    size_t sizes[SAMPLES_VISITS];
    double *x = derive_blocks(samples, visit, of_block, what, sizes);
    const struct visits result = visits_difference(&(struct visits_values){x, sizes, each}, NULL,
                                                   SAMPLES_VISITS, VERDICT_CONFIDENCE);
    free(x);
    return result;
}

/* what: the pair of columns. */
static double log_ratio(const struct samples *samples, size_t block, const void *what) {
    const size_t *pair = what;
    return derive_known(samples, block, pair[0], pair[1])
               ? log(derive_value(samples, block, pair[0]) / derive_value(samples, block, pair[1]))
               : NAN;
}

static double log_seconds(const struct samples *samples, size_t block, const void *what) {
    const size_t *pair = what;
    return derive_known(samples, block, pair[0], pair[1])
               ? log(derive_value(samples, block, pair[1]))
               : NAN;
}

double derive_seconds(const struct samples *samples, const size_t pair[2]) {
    return exp(visits_of(samples, -1, log_seconds, pair, NULL).estimate);
}

struct visits derive_ratio(const struct samples *samples, size_t top, size_t bottom, int visit,
                           double each[SAMPLES_VISITS]) {
    const size_t pair[2] = {top, bottom};
    return visits_of(samples, visit, log_ratio, pair, each);
}

double derive_clock_step(const struct samples *samples, size_t column) {
    double *x = need(samples->blocks, sizeof *x);
    const size_t n = derive_take(samples, column, x);
    stats_sort(x, n);
    const double step = n > 0 ? tick_of(x, n) / stats_quantile_sorted(x, n, 0.5) : 0;
    free(x);
    return step;
}

void derive_widen(struct visits *r, double step) {
    r->low = fmin(r->low, r->estimate - step / 2);
    r->high = fmax(r->high, r->estimate + step / 2);
}

double derive_median(const struct samples *samples, size_t column) {
    double *x = need(samples->blocks, sizeof *x);
    const size_t n = derive_take(samples, column, x);
    const double median = stats_median(x, n);
    free(x);
    return median;
}

double derive_mean(const struct samples *samples, const char *name) {
    int column = derive_column(samples, name);
    double sum = 0;
    size_t known = 0;
    for (size_t b = 0; column >= 0 && b < samples->blocks; b++) {
        double x = derive_value(samples, b, (size_t)column);
        known += !isnan(x);
        sum += isnan(x) ? 0 : x;
    }
    return known ? sum / (double)known : NAN;
}

double derive_speedup(const struct samples *samples, const size_t pair[2]) {
    double *x = need(samples->blocks, sizeof *x);
    size_t n = 0;
    for (size_t b = 0; b < samples->blocks; b++)
        if (derive_known(samples, b, pair[0], pair[1]))
            x[n++] = derive_value(samples, b, pair[0]) / derive_value(samples, b, pair[1]);
    const double mean = stats_mean(x, n);
    free(x);
    return mean - 1;
}

size_t derive_visits(const struct samples *samples) {
    return samples->blocks ? (size_t)derive_visit_of(samples, samples->blocks - 1) + 1 : 0;
}

void derive_put_ends(const struct visits *r, double *low, double *high, char note[DERIVE_NOTE]) {
    *note = 0;
    if (isnan(r->estimate))
        snprintf(note, DERIVE_NOTE, DERIVE_ALL_MARKED);
    else if (isinf(r->low) || isinf(r->high)) {
        *low = *high = NAN;
        snprintf(note, DERIVE_NOTE, DERIVE_ONE_VISIT);
    }
}
