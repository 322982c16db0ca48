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

static enum controls_kind kind_of(const struct control_row *row) {
    return strcmp(row->control, "aa") == 0       ? CONTROLS_AA
           : strcmp(row->control, "across") == 0 ? CONTROLS_ACROSS
                                                 : CONTROLS_DELAY;
}

static double half_width(const struct control_row *row) {
    return (row->ci_high - row->ci_low) / 2;
}

/* The chance that the row's interval misses 1 although the truth is as far off as the margin
 * allows, which is where most would. */
static double miss_chance(const struct control_row *row) {
    const bool logs = kind_of(row) != CONTROLS_DELAY;
    const double half = logs ? log(row->ci_high / row->ci_low) / 2 : half_width(row);
    const double far = half + 2 * derive_control_margin(row);
    if (isnan(half) || !(row->error > 0))
        return isnan(half) ? NAN : 0;
    return (tails_student(half / row->error, row->freedom) +
            tails_student(far / row->error, row->freedom)) /
           2;
}

/* Numbers that are known. */
struct numbers {
    double *list;
    size_t count;
};

static void add(struct numbers *numbers, double x) {
    if (isnan(x))
        return;
    numbers->list = need_more(numbers->list, numbers->count, sizeof *numbers->list);
    numbers->list[numbers->count++] = x;
}

static double end_median(struct numbers *numbers) {
    const double median = stats_median(numbers->list, numbers->count);
    free(numbers->list);
    return median;
}

static struct significance_bounds end_mean(struct numbers *numbers) {
    struct significance_bounds bounds = {NAN, NAN, NAN, NAN};
    if (numbers->count >= 2)
        bounds = significance_bounds(numbers->list, numbers->count, MEAN_ONE_SIDED);
    free(numbers->list);
    return bounds;
}

/* What the rows of a series have. */
struct gathered {
    struct numbers estimates[CONTROLS_KINDS], halves[CONTROLS_KINDS], chances[CONTROLS_KINDS];
    struct numbers paper, planted, found, launch;
};

/* What scatters so much that the interval reaches 1 all the same, or has none, says neither. */
static void count_delay(const struct control_row *row, struct controls_series *series) {
    const bool missed = strcmp(row->verdict, "missed") == 0;
    const bool vague = missed && !(row->ci_low > 1) && !(row->ci_high < 1);
    series->vague += vague;
    series->delays += !vague;
    series->seen += !missed;
}

static void gather(const struct control_row *row, struct gathered *all,
                   struct controls_series *series) {
    const enum controls_kind kind = kind_of(row);
    struct controls_tally *tally = &series->kinds[kind];
    tally->missing += strcmp(row->verdict, "off") == 0;
    tally->half_width_most = fmax(tally->half_width_most, half_width(row));
    add(&all->estimates[kind], kind == CONTROLS_DELAY ? row->ratio : log(row->ratio));
    add(&all->halves[kind], half_width(row));
    add(&all->chances[kind], miss_chance(row));
    if (kind == CONTROLS_AA)
        add(&all->paper, row->speedup);
    if (kind != CONTROLS_DELAY)
        return;
    add(&all->planted, row->planted);
    add(&all->found, row->found);
    add(&all->launch, row->launch);
    count_delay(row, series);
}

static void end_tally(struct gathered *all, enum controls_kind kind, struct controls_tally *tally) {
    const bool logs = kind != CONTROLS_DELAY;
    tally->ratios = all->estimates[kind].count;
    tally->intervals = all->chances[kind].count;
    const struct significance_bounds bounds = end_mean(&all->estimates[kind]);
    tally->mean = logs ? exp(bounds.mean) : bounds.mean;
    tally->mean_low = logs ? exp(bounds.low) : bounds.low;
    tally->mean_high = logs ? exp(bounds.high) : bounds.high;
    tally->half_width_median = end_median(&all->halves[kind]);
    const struct poisson_binomial misses =
        poisson_binomial_of(all->chances[kind].list, tally->intervals, tally->missing);
    tally->expected = misses.expected;
    tally->chance = misses.at_least;
    free(all->chances[kind].list);
}

static void end_series(struct gathered *all, struct controls_series *series) {
    for (int kind = 0; kind < CONTROLS_KINDS; kind++)
        end_tally(all, (enum controls_kind)kind, &series->kinds[kind]);
    const struct significance_bounds as_paper = end_mean(&all->paper);
    series->paper = as_paper.mean;
    series->paper_low = as_paper.low;
    series->paper_high = as_paper.high;
    series->planted_seconds = end_median(&all->planted);
    series->found_seconds = end_median(&all->found);
    series->launch_seconds = end_median(&all->launch);
}

static int compare_series(const void *left, const void *right) {
    const struct controls_series *a = left, *b = right;
    int order = words_compare(words_lenses, a->lens, b->lens);
    return order ? order : words_compare(words_modes, a->mode, b->mode);
}

/* That of the row, which is begun where there is none. */
static size_t series_of(const struct control_row *row, struct controls_series *list,
                        size_t *count) {
    size_t s = 0;
    while (s < *count &&
           (strcmp(list[s].mode, row->mode) != 0 || strcmp(list[s].lens, row->lens) != 0))
        s++;
    if (s < *count || s == CONTROLS_SERIES_MOST)
        return s;
    list[s] = (struct controls_series){0};
    for (int kind = 0; kind < CONTROLS_KINDS; kind++)
        list[s].kinds[kind].half_width_most = NAN;
    strcpy(list[s].mode, row->mode);
    strcpy(list[s].lens, row->lens);
    ++*count;
    return s;
}

size_t controls_summarise(const struct rows *rows,
                          struct controls_series series[CONTROLS_SERIES_MOST]) {
    struct gathered all[CONTROLS_SERIES_MOST] = {0};
    size_t count = 0;
    for (size_t i = 0; i < rows->control_count; i++) {
        const struct control_row *row = &rows->controls[i];
        const size_t s = series_of(row, series, &count);
        if (s < CONTROLS_SERIES_MOST)
            gather(row, &all[s], &series[s]);
    }
    for (size_t s = 0; s < count; s++)
        end_series(&all[s], &series[s]);
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
    [CONTROLS_DELAY] = "seconds found against seconds planted"};

static void judge_tally(const struct controls_series *s, enum controls_kind kind, char *why,
                        size_t size) {
    const struct controls_tally *tally = &s->kinds[kind];
    const double margin = CONTROLS_MEAN_MARGIN * (kind == CONTROLS_DELAY ? 2 : 1);
    if (tally->missing > 0 && tally->chance < CONTROLS_CHANCE)
        say(why, size, s,
            "%zu of %zu intervals of %s miss 1, where %.1f are to be expected (p = %.1g)",
            tally->missing, tally->intervals, subjects[kind], tally->expected, tally->chance);
    if (tally->mean_low > 1 + margin || tally->mean_high < 1 - margin)
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
