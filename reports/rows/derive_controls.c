#include "reports/rows/derive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/rows/series.h"
#include "timing/stats.h"

static bool is_delay(const struct control_row *row) {
    return strcmp(row->control, "delay") == 0;
}

double derive_control_margin(const struct control_row *row) {
    return is_delay(row) ? 0.02 : 0.0025;
}

static const char *word_of(const struct control_row *row) {
    const double margin = derive_control_margin(row);
    const bool bound = strcmp(row->control, "autotune") == 0; /* it may be less by any amount */
    if (isnan(row->ci_low))
        return "unknown";
    return row->ci_low <= 1 + margin && (bound || row->ci_high >= 1 - margin) ? "ok" : "off";
}

static struct control_row row_of(const struct samples *samples, const struct derive_about *about,
                                 const char *control, size_t baseline) {
    struct control_row row = {
        .shape = about->shape, .speedup = NAN, .planted = NAN, .found = NAN, .launch = NAN};
    row.candidate = about->candidate;
    row.control = control;
    row.baseline = samples->columns[baseline];
    row.mode = samples->mode;
    row.lens = samples->lens;
    row.device = about->device;
    return row;
}

static void put_visits(struct control_row *row, struct visits *r) {
    const bool delay = is_delay(row);
    char note[DERIVE_NOTE];
    derive_widen(r, row->clock_step);
    row->ratio = delay ? r->estimate : exp(r->estimate);
    row->ci_low = delay ? r->low : exp(r->low);
    row->ci_high = delay ? r->high : exp(r->high);
    row->visits = (double)r->count;
    row->visit_sd = sqrt(r->own.variance);
    row->block_error = r->block_error;
    derive_put_ends(r, &row->ci_low, &row->ci_high, note);
    if (!row->note)
        row->note = kept_text(note);
    row->freedom = isnan(row->ci_low) ? NAN : r->own.freedom;
    row->error = isnan(row->ci_low) ? NAN : sqrt(r->own.variance / (double)r->count);
    if (!row->verdict)
        row->verdict = word_of(row);
}

static double step_of_pair(const struct samples *samples, const size_t pair[2]) {
    return derive_clock_step(samples, pair[0]) + derive_clock_step(samples, pair[1]);
}

/* A baseline over another arm. The speedup is that of an arm of its own. */
static void add_ratio(const struct samples *samples, const struct derive_about *about,
                      const char *control, const size_t pair[2], struct rows *rows) {
    struct control_row row = row_of(samples, about, control, pair[0]);
    struct visits r = derive_ratio(samples, pair[0], pair[1], -1, NULL);
    row.clock_step = step_of_pair(samples, pair);
    if (derive_is_control(samples->columns[pair[1]])) {
        row.speedup = derive_speedup(samples, pair);
    } else {
        char note[DERIVE_NOTE];
        snprintf(note, sizeof note, "over %.90s", samples->columns[pair[1]]);
        row.note = kept_text(note);
        if (r.estimate == 0) /* an autotuned library that is its first suggestion */
            return;
    }
    for (size_t b = 0; b < samples->blocks; b++)
        row.samples += derive_known(samples, b, pair[0], pair[1]);
    put_visits(&row, &r);
    rows_add_control(rows, &row);
}

/* Of the squared distances from the mean. */
static double scatter_of(const double *x, size_t n) {
    const double mean = stats_mean(x, n);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum;
}

/* The difference of the means of the first visits and of the last. Its variance is that of a visit times
 * (1/first + 1/last), which is put as the variance of `count` visits' mean. */
static struct visits difference_of(const double *x, size_t first, size_t last, double block_error) {
    const double n = (double)first, m = (double)last;
    const double freedom = n + m - 2, scale = (n + m) * (1 / n + 1 / m);
    const double scatter = scatter_of(x, first) + scatter_of(x + first, last);
    struct visits r = {.estimate = stats_mean(x, first) - stats_mean(x + first, last),
                       .count = first + last,
                       .own = {scale * scatter / freedom, freedom},
                       .block_error = block_error * sqrt(scale)};
    visits_put_interval(&r, VERDICT_CONFIDENCE);
    return r;
}

/* top over other, two baselines. */
static void add_across(const struct samples *samples, const struct derive_about *about,
                       const size_t pair[2], struct rows *rows) {
    const size_t visits = derive_visits(samples);
    size_t first = 0, last = 0;
    char note[DERIVE_NOTE];
    double x[SAMPLES_VISITS];
    struct control_row row = row_of(samples, about, "across", pair[0]);
    const struct visits all = derive_ratio(samples, pair[0], pair[1], -1, x);
    for (size_t i = 0; i < visits; i++) {
        x[first + last] = x[i];
        if (!isnan(x[i]))
            ++*(2 * i < visits ? &first : &last);
    }
    if (first == 0 || last == 0)
        return;
    struct visits r = difference_of(x, first, last, all.block_error);
    row.clock_step = step_of_pair(samples, pair);
    row.samples = (double)samples->blocks;
    snprintf(note, sizeof note, "over %.90s%s", samples->columns[pair[1]],
             isfinite(r.low) ? "" : "; too few visits for an interval");
    row.note = note;
    put_visits(&row, &r);
    rows_add_control(rows, &row);
}

/* The arm of an autotuned library's first suggestion, or -1. What X-max is, is told of its layouts. */
static int first_suggestion(const struct samples *samples, const char *library) {
    char first[RUNDIR_NAME];
    if (layouts_is_max(library))
        return -1;
    const int own = layouts_first_of(library, first) ? derive_column(samples, first) : -1;
    layouts_name_finalist(library, 0, first);
    return own >= 0 ? own : derive_column(samples, first);
}

/* The columns of a baseline's two delays. */
struct delay {
    size_t baseline, brief, lengthy;
};

/* Times by arm in the blocks that have all three. */
struct delay_times {
    const double *without, *brief, *lengthy;
    size_t blocks, above; /* above: in which the long delay takes longer than the short one */
    double more,
        found; /* by how much the long delay is longer, and the median of what that costs */
};

/* x has four times `room`; sizes: the blocks of each visit. Returns how many visits. */
static size_t take_times(const struct samples *samples, const struct delay *delay, double *x,
                         size_t room, size_t *sizes, struct delay_times *times) {
    size_t visits = 0, n = 0;
    int last = -1;
    for (size_t b = 0; b < samples->blocks; b++) {
        if (!derive_known(samples, b, delay->baseline, delay->brief) ||
            !derive_known(samples, b, delay->baseline, delay->lengthy))
            continue;
        visits += derive_visit_of(samples, b) != last;
        last = derive_visit_of(samples, b);
        sizes[visits - 1]++;
        x[n] = derive_value(samples, b, delay->baseline);
        x[room + n] = derive_value(samples, b, delay->brief);
        x[2 * room + n] = derive_value(samples, b, delay->lengthy);
        x[3 * room + n] = x[2 * room + n] - x[room + n];
        times->above += x[3 * room + n] > 0;
        n++;
    }
    times->without = x;
    times->brief = x + room;
    times->lengthy = x + 2 * room;
    times->blocks = n;
    times->found = stats_median(x + 3 * room, n);
    return visits;
}

/* Whether the long delay costs more than the short one beyond doubt, by at least half of what it is
 * longer. It is put into every call, so this is asked of the blocks of all visits as one: what
 * differs between processes is no reason not to find it. Beyond doubt: the blocks in which it takes
 * longer are two standard deviations more than half of them. */
static bool is_found(const struct delay_times *times) {
    const double blocks = (double)times->blocks;
    return (double)times->above - blocks / 2 > sqrt(blocks) && times->found >= times->more / 2;
}

static struct slope slope_of(const struct delay_times *times, const size_t *sizes, size_t visits) {
    const double brief = times->more / (DERIVE_LONG_TIMES - 1);
    return slope_of_delays(times->without, times->brief, times->lengthy, brief,
                           DERIVE_LONG_TIMES * brief, sizes, visits, 0.95);
}

/* Steps of both arms' clocks, for each second planted. */
static double step_of(const struct samples *samples, const struct delay *delay, double more) {
    const size_t arms[] = {delay->brief, delay->lengthy};
    double step = 0;
    for (size_t i = 0; i < 2; i++)
        step += derive_clock_step(samples, arms[i]) * derive_median(samples, arms[i]);
    return step / more;
}

static void add_delay(const struct samples *samples, const struct derive_about *about,
                      const struct delay *delay, struct rows *rows) {
    const size_t room = samples->blocks + 1;
    double *x = need(4 * room, sizeof *x);
    size_t *sizes = need(room, sizeof *sizes);
    struct control_row row = row_of(samples, about, "delay", delay->baseline);
    struct delay_times times = {.more = (DERIVE_LONG_TIMES - 1) * samples->planted_seconds};
    const size_t visits = take_times(samples, delay, x, room, sizes, &times);
    struct slope slope = slope_of(&times, sizes, visits);
    row.samples = (double)times.blocks;
    row.planted = times.more;
    row.found = times.found;
    row.launch = slope.offset.estimate;
    row.clock_step = step_of(samples, delay, times.more);
    if (!is_found(&times))
        row.verdict = "missed";
    put_visits(&row, &slope.slope);
    rows_add_control(rows, &row);
    free(x);
    free(sizes);
}

/* The first library beside the baseline, or -1. */
static int other_library(const struct samples *samples, const char *candidate, size_t baseline) {
    for (size_t i = 0; i < samples->column_count; i++)
        if (i != baseline && derive_is_library(samples->columns[i], candidate))
            return (int)i;
    return -1;
}

void derive_controls(const struct series *series, const struct derive_about *about,
                     struct rows *rows) {
    const struct samples *samples = &series->plain, *doubles = &series->doubles;
    for (size_t i = 0; i < samples->column_count; i++) {
        if (!derive_is_own(samples->columns[i]))
            continue;
        const int aa = derive_column_of(samples, DERIVE_AA, i);
        const int brief = derive_column_of(samples, DERIVE_DELAY, i);
        const int lengthy = derive_column_of(samples, DERIVE_LONG_DELAY, i);
        const int other = other_library(samples, about->candidate, i);
        const int first = first_suggestion(samples, samples->columns[i]);
        if (aa >= 0)
            add_ratio(doubles, about, "aa", (size_t[2]){i, (size_t)aa}, rows);
        if (aa >= 0 && other >= 0)
            add_across(samples, about, (size_t[2]){i, (size_t)other}, rows);
        if (first >= 0)
            add_ratio(samples, about, "autotune", (size_t[2]){i, (size_t)first}, rows);
        if (brief >= 0 && lengthy >= 0)
            add_delay(doubles, about, &(struct delay){i, (size_t)brief, (size_t)lengthy}, rows);
    }
}
