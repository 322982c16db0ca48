/* Every shape: against the reference library as people read it, and against all the main ones as
 * shapes.csv. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/words.h"
#include "reports/page/document.h"
#include "reports/page/shape_columns.h"
#include "reports/rows/derive.h"
#include "reports/rows/undisturbed.h"
#include "reports/rows/unserved.h"
#include "reports/sections/sections.h"

/* A row of the run, by the line of shapes.csv that it is of. */
struct entry {
    struct shape shape;
    const char *candidate, *mode, *lens; /* of a check no mode and no lens */
    const struct check_row *check;       /* one of the three */
    const struct time_row *time;
    const struct ratio_row *ratio;
};

static int compare_units(const struct entry *a, const struct entry *b) {
    const int order = shape_compare(a->shape, b->shape);
    return order ? order : strcmp(a->candidate, b->candidate);
}

static int compare_entries(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    int order = compare_units(a, b);
    if (order == 0)
        order = words_compare(words_modes, a->mode, b->mode);
    return order ? order : words_compare(words_lenses, a->lens, b->lens);
}

/* What is of no candidate and no main baseline is passed over. Returns how many there are. */
static size_t list_entries(const struct rows *rows, const struct unserved *unserved,
                           struct entry *list) {
    static const struct check_row no_kernel = {.outcome = "no-kernel"};
    size_t count = 0;
    for (size_t i = 0; i < unserved->count; i++)
        list[count++] = (struct entry){unserved->list[i], "", "", "", .check = &no_kernel};
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (strcmp(row->kernel, row->candidate) == 0)
            list[count++] = (struct entry){row->shape, row->candidate, "", "", .check = row};
    }
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (strcmp(row->kernel, row->candidate) == 0)
            list[count++] =
                (struct entry){row->shape, row->candidate, row->mode, row->lens, .time = row};
    }
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (tables_main_index(row->baseline) < TABLES_MAIN)
            list[count++] =
                (struct entry){row->shape, row->candidate, row->mode, row->lens, .ratio = row};
    }
    qsort(list, count, sizeof *list, compare_entries);
    return count;
}

/* Five digits are more than a measurement has, and keep a release of 1,000 kernels below 1 MB. */
static void add_number(struct document *page, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.5g", value);
    document_number(page, strtod(text, NULL));
}

/* The entries of a shape with a candidate in a mode by a lens. */
static void add_line(struct document *page, const struct entry *entries, size_t count,
                     const bool *has, const char *outcome) {
    const struct ratio_row *ratios[TABLES_MAIN] = {0};
    const char *place = "";
    double seconds = NAN;
    for (size_t i = 0; i < count; i++)
        if (entries[i].time) {
            seconds = entries[i].time->median;
            place = entries[i].time->place;
        } else if (entries[i].ratio) {
            ratios[tables_main_index(entries[i].ratio->baseline)] = entries[i].ratio;
            place = entries[i].ratio->place;
        }
    document_row(page);
    shape_cells(page, entries->shape);
    document_cell(page, entries->candidate);
    document_cell(page, entries->mode);
    document_cell(page, entries->lens);
    document_cell(page, place);
    add_number(page, seconds);
    for (size_t b = 0; b < TABLES_MAIN; b++)
        if (has[b]) {
            add_number(page, ratios[b] ? ratios[b]->speedup : NAN);
            add_number(page, ratios[b] ? ratios[b]->ci_low : NAN);
            add_number(page, ratios[b] ? ratios[b]->ci_high : NAN);
        }
    document_cell(page, outcome);
}

/* The entries of a shape with a candidate. */
static void add_unit(struct document *page, const struct entry *entries, size_t count,
                     const bool *has) {
    const char *outcome = "";
    for (size_t i = 0; i < count; i++)
        if (entries[i].check)
            outcome = entries[i].check->outcome;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_entries(entries + first, entries + end) == 0;)
            end++;
        if (!entries[first].check || end - first == count)
            add_line(page, entries + first, end - first, has, outcome);
    }
}

static void add_column(struct document *page, const char *name, enum document_type type) {
    document_column(page, (struct document_column){.name = name, .type = type});
}

static void add_columns(struct document *page, const bool *has) {
    static const char *const ends[] = {"_speedup", "_ratio_low", "_ratio_high"};
    static const struct document_column sizes[] = {SHAPE_COLUMNS};
    char name[2 * RUNDIR_NAME];
    document_columns(page, sizes, sizeof sizes / sizeof *sizes);
    add_column(page, "candidate", DOCUMENT_TEXT);
    add_column(page, "mode", DOCUMENT_TEXT);
    add_column(page, "lens", DOCUMENT_TEXT);
    add_column(page, "place", DOCUMENT_TEXT);
    add_column(page, "seconds", DOCUMENT_SECONDS);
    for (size_t b = 0; b < TABLES_MAIN; b++)
        for (size_t i = 0; has[b] && i < sizeof ends / sizeof *ends; i++) {
            snprintf(name, sizeof name, "%s%s", tables_main[b], ends[i]);
            add_column(page, name, DOCUMENT_NUMBER);
        }
    add_column(page, "outcome", DOCUMENT_TEXT);
}

void shapes_data(struct document *page, const struct rows *rows, const json_t *plan) {
    struct unserved unserved;
    unserved_find(rows, plan, &unserved);
    const size_t most = rows->check_count + rows->time_count + rows->ratio_count + unserved.count;
    struct entry *list = need(most, sizeof *list);
    bool has[TABLES_MAIN] = {0};
    document_table(page, "shapes", NULL);
    const size_t count = list_entries(rows, &unserved, list);
    for (size_t i = 0; i < count; i++)
        if (list[i].ratio)
            has[tables_main_index(list[i].ratio->baseline)] = true;
    add_columns(page, has);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_units(list + first, list + end) == 0;)
            end++;
        add_unit(page, list + first, end - first, has);
    }
    free(list);
    unserved_free(&unserved);
}

/* The lens whose ratios come first, with interval and verdict: that of the times where the series
 * was timed by it, else the first. */
static size_t first_lens(const struct units *units, const struct unit_series *series) {
    size_t first = 0;
    for (size_t lens = units->lens_count; lens-- > 0;)
        if (units_has_lens(series, lens)) {
            first = lens;
            if (strcmp(units->lenses[lens], series->lens) == 0)
                break;
        }
    return first;
}

/* A ratio is known, or 1 + speedup is all that was published. */
static void add_ratio(struct document *page, const struct ratio_row *row, bool interval,
                      bool unrecorded) {
    if (!row) {
        document_empty(page, unrecorded ? "unrecorded" : "not timed by this lens");
        return;
    }
    document_ratio(page, isnan(row->ratio) ? 1 + row->speedup : row->ratio,
                   interval ? row->ci_low : NAN, interval ? row->ci_high : NAN);
    unrecorded_label(page, unrecorded);
    document_mood(page, document_faster(row->verdict));
}

/* The ratio by the first lens with its interval and verdict, then those by the others. */
static void add_ratios(struct document *page, const struct units *units,
                       const struct unit_series *series, const struct unit *unit) {
    const bool unrecorded = unit->check && rows_fate(unit->check) == ROWS_UNRECORDED;
    const size_t first = first_lens(units, series);
    const struct ratio_row *row = unit->by_lens[first];
    add_ratio(page, row, true, unrecorded);
    document_verdict(page, row ? row->verdict : "", DOCUMENT_PLAIN);
    for (size_t lens = 0; lens < units->lens_count; lens++)
        if (lens != first && units_has_lens(series, lens))
            add_ratio(page, unit->by_lens[lens], false, unrecorded);
}

/* By each lens of which visits are left out: "device: 1 of 12 visits left out: disturbed". */
static void add_left_out(struct document *page, const struct units *units,
                         const struct unit *unit) {
    char all[RUNDIR_TEXT] = "", text[UNDISTURBED_TEXT];
    for (size_t lens = 0; lens < units->lens_count; lens++) {
        const struct ratio_row *row = unit->by_lens[lens];
        if (row && row->left_out > 0)
            text_append(all, sizeof all, "%s%s: %s", *all ? "; " : "", units->lenses[lens],
                        undisturbed_text(row->left_out, row->timed_visits, text));
    }
    document_cell(page, all);
}

/* What the device's tensor cores do at best, in operations per second; NaN where no row says it. */
static double peak_of(const struct report *report, const struct time_row *time) {
    const json_t *manifest = report->manifest;
    struct light_rates rates;
    const bool known =
        time && (json_object_get(manifest, "limits") || json_object_get(manifest, "devices")) &&
        derive_rates(manifest, time->device, &rates) == 0;
    return known && rates.f16_flops > 0 ? rates.f16_flops : NAN;
}

static void add_series_columns(struct document *page, const struct report *report,
                               const struct unit_series *series) {
    const struct units *units = report->units;
    const size_t first = first_lens(units, series);
    const char *element = report->about->element;
    char text[RUNDIR_NAME + 16];
    add_column(page, "shape", DOCUMENT_TEXT);
    snprintf(text, sizeof text, "ratio, %s", units->lenses[first]);
    add_column(page, text, DOCUMENT_RATIO);
    add_column(page, "verdict", DOCUMENT_VERDICT);
    for (size_t lens = 0; lens < units->lens_count; lens++)
        if (lens != first && units_has_lens(series, lens)) {
            snprintf(text, sizeof text, "ratio, %s", units->lenses[lens]);
            add_column(page, text, DOCUMENT_RATIO);
        }
    snprintf(text, sizeof text, "%% of %s peak", *element ? element : "f16");
    const struct document_column columns[] = {
        {.name = "time", .type = DOCUMENT_SECONDS, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "TFLOP/s", .type = DOCUMENT_SIGNIFICANT, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = text, .type = DOCUMENT_SHARE, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "% of light", .type = DOCUMENT_SHARE, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "padding %", .type = DOCUMENT_SHARE, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "left out", .type = DOCUMENT_TEXT, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "accumulator", .type = DOCUMENT_TEXT, .omit = DOCUMENT_OMIT_SAME},
    };
    document_columns(page, columns, sizeof columns / sizeof *columns);
}

static void add_series_row(struct document *page, const struct report *report,
                           const struct unit_series *series, const struct unit *unit) {
    const struct time_row *time = unit->time;
    const struct check_row *check = unit->check;
    char shape[SHAPE_TEXT];
    document_row(page);
    document_cell(page, shape_format(unit->shape, shape));
    add_ratios(page, report->units, series, unit);
    document_number(page, time ? time->median : NAN);
    unrecorded_label(page, time && check && rows_fate(check) == ROWS_UNRECORDED);
    document_number(page, time ? time->tflops : NAN);
    document_number(page, time ? 1e12 * time->tflops / peak_of(report, time) : NAN);
    document_number(page, time ? time->light_seconds / time->median : NAN);
    document_number(page, check && check->padding_share > 0 ? check->padding_share : NAN);
    add_left_out(page, report->units, unit);
    document_cell(page, check ? check->seen : "");
}

static void add_series(struct document *page, const struct report *report,
                       const struct unit_series *series) {
    char text[4 * RUNDIR_NAME];
    snprintf(text, sizeof text, "%s over %s, %s: %zu shapes", series->candidate, series->baseline,
             series->mode, series->count);
    document_table(page, "every-shape", text);
    add_series_columns(page, report, series);
    for (size_t i = 0; i < series->count; i++)
        add_series_row(page, report, series, &series->units[i]);
    document_fold(page, false, "%s over %s, %s: %zu shapes", series->candidate, series->baseline,
                  series->mode, series->count);
    unrecorded_explain(page);
}

void section_shapes(struct document *page, const struct report *report) {
    document_only(page, DOCUMENT_DATA);
    shapes_data(page, report->rows, report->plan);
    if (report->units->count == 0)
        return;
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "shapes", "Every shape");
    document_paragraph(
        page, "Time of the reference library over that of the candidate. *Peak* is what the "
              "card's tensor cores do at best, *light* the shortest time that the card can "
              "need. `gemmgate report RUN --shape MxNxK` shows one shape with all libraries "
              "and intervals.");
    for (size_t i = 0; i < report->units->count; i++)
        add_series(page, report, &report->units->series[i]);
}
