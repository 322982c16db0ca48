#include "reports/run/controls.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/words.h"
#include "reports/rows/derive_controls.h"
#include "timing/significance.h"
#include "timing/stats.h"
#include "timing/tails.h"

#define MEAN_ONE_SIDED 0.9995 /* both bounds together: 99.9 % */

static bool in_series(const struct control_row *row, const struct controls_series *series) {
    return strcmp(row->mode, series->mode) == 0 && strcmp(row->lens, series->lens) == 0;
}

static enum controls_kind kind_of(const struct control_row *row) {
    return strcmp(row->control, "aa") == 0       ? CONTROLS_AA
           : strcmp(row->control, "across") == 0 ? CONTROLS_ACROSS
           : derive_control_is_bound(row)        ? CONTROLS_AUTOTUNE
                                                 : CONTROLS_DELAY;
}

/* The rows of a series and a kind. */
struct chosen {
    const struct rows *rows;
    const struct controls_series *series;
    enum controls_kind kind;
};

static double half_width(const struct control_row *row) {
    return (row->ci_high - row->ci_low) / 2;
}

static double planted(const struct control_row *row) {
    return row->planted;
}

static double found(const struct control_row *row) {
    return row->found;
}

static double launch(const struct control_row *row) {
    return row->launch;
}

static double estimate(const struct control_row *row) {
    return kind_of(row) == CONTROLS_DELAY ? row->ratio : log(row->ratio);
}

static double paper(const struct control_row *row) {
    return row->speedup;
}

/* The chance that the row's interval misses 1 although the truth is as far off as the margin
 * allows, which is where most would. */
static double miss_chance(const struct control_row *row) {
    const bool logs = kind_of(row) != CONTROLS_DELAY;
    const double half = logs ? log(row->ci_high / row->ci_low) / 2 : half_width(row);
    const double margin = derive_control_margin(row);
    if (isnan(half) || !(row->error > 0))
        return isnan(half) ? NAN : 0;
    const double below = tails_student((half + 2 * margin) / row->error, row->freedom);
    return (tails_student(half / row->error, row->freedom) +
            (derive_control_is_bound(row) ? 0 : below)) /
           2;
}

/* The values of the rows that have one, for the caller to free. */
static double *take(const struct chosen *chosen, double (*value)(const struct control_row *),
                    size_t *n) {
    const struct rows *rows = chosen->rows;
    double *x = need(rows->control_count, sizeof *x);
    *n = 0;
    for (size_t i = 0; i < rows->control_count; i++) {
        const struct control_row *row = &rows->controls[i];
        if (kind_of(row) == chosen->kind && in_series(row, chosen->series) && !isnan(value(row)))
            x[(*n)++] = value(row);
    }
    return x;
}

static double median_of(const struct chosen *chosen, double (*value)(const struct control_row *)) {
    size_t n;
    double *x = take(chosen, value, &n);
    const double median = stats_median(x, n);
    free(x);
    return median;
}

static struct significance_bounds mean_of_chosen(const struct chosen *chosen,
                                                 double (*value)(const struct control_row *),
                                                 size_t *n) {
    double *x = take(chosen, value, n);
    struct significance_bounds bounds = {NAN, NAN, NAN, NAN};
    if (*n >= 2)
        bounds = significance_bounds(x, *n, MEAN_ONE_SIDED);
    free(x);
    return bounds;
}

static void count_intervals(const struct chosen *chosen, struct controls_tally *tally) {
    double *chances = take(chosen, miss_chance, &tally->intervals);
    for (size_t i = 0; i < chosen->rows->control_count; i++) {
        const struct control_row *row = &chosen->rows->controls[i];
        if (kind_of(row) != chosen->kind || !in_series(row, chosen->series))
            continue;
        tally->missing += strcmp(row->verdict, "off") == 0;
        tally->half_width_most = fmax(tally->half_width_most, half_width(row));
    }
    const struct poisson_binomial misses =
        poisson_binomial_of(chances, tally->intervals, tally->missing);
    tally->expected = misses.expected;
    tally->chance = misses.at_least;
    free(chances);
}

static struct controls_tally tally_of(const struct chosen *chosen) {
    struct controls_tally tally = {.half_width_most = NAN};
    const struct significance_bounds bounds = mean_of_chosen(chosen, estimate, &tally.ratios);
    const bool logs = chosen->kind != CONTROLS_DELAY;
    tally.mean = logs ? exp(bounds.mean) : bounds.mean;
    tally.mean_low = logs ? exp(bounds.low) : bounds.low;
    tally.mean_high = logs ? exp(bounds.high) : bounds.high;
    tally.half_width_median = median_of(chosen, half_width);
    count_intervals(chosen, &tally);
    return tally;
}

/* What scatters so much that the interval reaches 1 all the same, or has none, says neither. */
static void count_delay(const struct control_row *row, struct controls_series *series) {
    const bool missed = strcmp(row->verdict, "missed") == 0;
    if (kind_of(row) != CONTROLS_DELAY)
        return;
    if (missed && !(row->ci_low > 1) && !(row->ci_high < 1)) {
        series->vague++;
        return;
    }
    series->delays++;
    series->seen += !missed;
}

static void fill_series(const struct rows *rows, struct controls_series *series) {
    struct chosen chosen = {rows, series, CONTROLS_AA};
    size_t n;
    for (; chosen.kind < CONTROLS_KINDS; chosen.kind++)
        series->kinds[chosen.kind] = tally_of(&chosen);
    chosen.kind = CONTROLS_AA;
    const struct significance_bounds as_paper = mean_of_chosen(&chosen, paper, &n);
    series->paper = as_paper.mean;
    series->paper_low = as_paper.low;
    series->paper_high = as_paper.high;
    chosen.kind = CONTROLS_DELAY;
    series->planted_seconds = median_of(&chosen, planted);
    series->found_seconds = median_of(&chosen, found);
    series->launch_seconds = median_of(&chosen, launch);
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
            series[count] = (struct controls_series){0};
            strcpy(series[count].mode, row->mode);
            strcpy(series[count++].lens, row->lens);
        }
        count_delay(row, &series[s]);
    }
    for (size_t s = 0; s < count; s++)
        fill_series(rows, &series[s]);
    qsort(series, count, sizeof *series, compare_series);
    return count;
}

bool controls_want(const json_t *plan, const char *lens) {
    const json_t *precise = json_object_get(plan, "precise_lenses");
    return json_array_size(precise) == 0 || jsonfile_lists(precise, lens);
}

/* Another reason, cut to what there is room for. */
__attribute__((format(printf, 4, 5))) static void
say(char *why, size_t size, const struct controls_series *s, const char *format, ...) {
    va_list args;
    text_append(why, size, "%s%s, %s: ", *why ? "; " : "", s->mode, s->lens);
    va_start(args, format);
    text_append_args(why, size, format, args);
    va_end(args);
}

/* What a control is of, in words. */
static const char *const subjects[CONTROLS_KINDS] = {
    [CONTROLS_AA] = "a baseline against itself",
    [CONTROLS_ACROSS] = "a baseline over another in the first visits against the same in the last",
    [CONTROLS_AUTOTUNE] = "an autotuned library over its own first suggestion",
    [CONTROLS_DELAY] = "seconds found against seconds planted"};

static void judge_tally(const struct controls_series *s, enum controls_kind kind, char *why,
                        size_t size) {
    const struct controls_tally *tally = &s->kinds[kind];
    const double margin = CONTROLS_MEAN_MARGIN * (kind == CONTROLS_DELAY ? 2 : 1);
    if (tally->missing > 0 && tally->chance < CONTROLS_CHANCE)
        say(why, size, s,
            "%zu of %zu intervals of %s %s 1, where %.1f are to be expected (p = %.1g)",
            tally->missing, tally->intervals, subjects[kind],
            kind == CONTROLS_AUTOTUNE ? "lie above" : "miss", tally->expected, tally->chance);
    if (tally->mean_low > 1 + margin ||
        (tally->mean_high < 1 - margin && kind != CONTROLS_AUTOTUNE))
        say(why, size, s, "over %zu ratios of %s the mean is %.4f (99.9 %% interval %.4f to %.4f)",
            tally->ratios, subjects[kind], tally->mean, tally->mean_low, tally->mean_high);
}

enum controls_verdict controls_judge(const struct rows *rows, const json_t *plan, char *why,
                                     size_t size) {
    struct controls_series list[CONTROLS_SERIES_MOST];
    const size_t count = controls_summarise(rows, list);
    size_t judged = 0;
    *why = 0;
    for (size_t i = 0; i < count; i++) {
        const struct controls_series *s = &list[i];
        if (!controls_want(plan, s->lens))
            continue;
        judged += s->kinds[CONTROLS_AA].intervals + s->delays;
        for (enum controls_kind kind = CONTROLS_AA; kind < CONTROLS_KINDS; kind++)
            judge_tally(s, kind, why, size);
        if (s->vague > 0 && s->delays == 0)
            say(why, size, s,
                "none of %zu planted delays was seen, since all of them scatter too much: give a "
                "longer --duration",
                s->vague);
        if ((double)(s->delays - s->seen) > CONTROLS_MISS_SHARE * (double)s->delays)
            say(why, size, s, "%zu of %zu planted delays were not seen", s->delays - s->seen,
                s->delays);
    }
    return *why ? CONTROLS_FAILED : judged ? CONTROLS_PASSED : CONTROLS_NONE;
}

bool controls_paper_off(const struct controls_series *series) {
    return series->paper_low > CONTROLS_MEAN_MARGIN || series->paper_high < -CONTROLS_MEAN_MARGIN;
}

const char *controls_word(enum controls_verdict verdict) {
    static const char *const words[] = {"none", "passed", "failed"};
    return words[verdict];
}

enum controls_verdict controls_record(const struct rows *rows, const json_t *plan, json_t *manifest,
                                      char *why, size_t size) {
    const enum controls_verdict verdict = controls_judge(rows, plan, why, size);
    json_object_set_new(manifest, "controls",
                        json_pack("{s:s, s:s}", "verdict", controls_word(verdict), "why", why));
    return verdict;
}
