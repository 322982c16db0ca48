#include "reports/tables/units.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"

static int compare_lenses(const void *left, const void *right) {
    return words_compare(words_lenses, *(const char *const *)left, *(const char *const *)right);
}

static void list_lenses(const struct rows *rows, struct units *units) {
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const char *lens = rows->ratios[i].lens;
        size_t known = 0;
        while (known < units->lens_count && strcmp(units->lenses[known], lens) != 0)
            known++;
        if (known == units->lens_count && known < UNITS_LENSES)
            units->lenses[units->lens_count++] = lens;
    }
    qsort(units->lenses, units->lens_count, sizeof *units->lenses, compare_lenses);
}

/* A series that is counted has all its texts. */
static bool in_series(const struct ratio_row *row, const struct unit_series *series) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
    return strcmp(row->candidate, series->candidate) == 0 && strcmp(row->mode, series->mode) == 0 &&
           strcmp(row->baseline, series->baseline) == 0;
}

static int compare_ratios(const void *left, const void *right) {
    const struct ratio_row *a = *(const struct ratio_row *const *)left;
    const struct ratio_row *b = *(const struct ratio_row *const *)right;
    const int order = shape_compare(a->shape, b->shape);
    return order ? order : words_compare(words_lenses, a->lens, b->lens);
}

static int compare_checks(const void *left, const void *right) {
    const struct check_row *a = *(const struct check_row *const *)left;
    const struct check_row *b = *(const struct check_row *const *)right;
    const int order = shape_compare(a->shape, b->shape);
    return order ? order : strcmp(a->kernel, b->kernel);
}

/* Pointers to rows, sorted; scratch of all series. */
struct sorted {
    const struct ratio_row **ratios;
    const struct check_row **checks;
    size_t check_count;
};

static const struct check_row *find_check(const struct sorted *sorted, struct shape shape,
                                          const char *candidate) {
    struct check_row key = {.shape = shape};
    const struct check_row *wanted = &key;
    strcpy(key.kernel, candidate);
    const struct check_row **found = bsearch(&wanted, sorted->checks, sorted->check_count,
                                             sizeof *sorted->checks, compare_checks);
    return found ? *found : NULL;
}

static int compare_shapes(const void *left, const void *right) {
    return shape_compare(((const struct unit *)left)->shape, ((const struct unit *)right)->shape);
}

static void fill_times(const struct rows *rows, struct unit_series *series) {
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        const struct unit key = {.shape = row->shape};
        if (strcmp(row->kernel, series->candidate) != 0 || strcmp(row->mode, series->mode) != 0 ||
            strcmp(row->lens, series->lens) != 0)
            continue;
        struct unit *unit = bsearch(&key, series->units, series->count, sizeof key, compare_shapes);
        if (unit)
            unit->time = row;
    }
}

static void fill_series(const struct rows *rows, const struct units *units,
                        const struct sorted *sorted, struct unit_series *series) {
    size_t count = 0;
    for (size_t i = 0; i < rows->ratio_count; i++)
        if (in_series(&rows->ratios[i], series))
            sorted->ratios[count++] = &rows->ratios[i];
    qsort(sorted->ratios, count, sizeof *sorted->ratios, compare_ratios);
    series->units = need(count, sizeof *series->units);
    for (size_t i = 0; i < count; i++) {
        const struct ratio_row *row = sorted->ratios[i];
        if (i == 0 || shape_compare(sorted->ratios[i - 1]->shape, row->shape) != 0)
            series->units[series->count++] = (struct unit){
                .shape = row->shape, .check = find_check(sorted, row->shape, row->candidate)};
        for (size_t lens = 0; lens < units->lens_count; lens++)
            if (strcmp(units->lenses[lens], row->lens) == 0)
                series->units[series->count - 1].by_lens[lens] = row;
    }
    series->lens = units->lens_count > 0 ? units->lenses[0] : "";
    for (size_t lens = 0; lens < units->lens_count; lens++)
        if (strcmp(units->lenses[lens], "device") == 0)
            series->lens = units->lenses[lens];
    fill_times(rows, series);
}

/* A series for every candidate and mode of the table. */
static void add_series(const struct table *table, struct units *units) {
    units->series = need(table->count, sizeof *units->series);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        bool known = false;
        for (size_t j = 0; j < units->count; j++)
            /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): as in in_series. */
            known = known || (strcmp(units->series[j].candidate, line->candidate) == 0 &&
                              strcmp(units->series[j].mode, line->mode) == 0);
        const char *baseline = tables_reference(table, line->candidate, line->lens);
        if (!known && baseline)
            units->series[units->count++] = (struct unit_series){
                .candidate = line->candidate, .mode = line->mode, .baseline = baseline};
    }
}

void units_make(const struct rows *rows, const struct table *table, struct units *units) {
    *units = (struct units){0};
    list_lenses(rows, units);
    struct sorted sorted = {.ratios = need(rows->ratio_count, sizeof *sorted.ratios),
                            .checks = need(rows->check_count, sizeof *sorted.checks)};
    add_series(table, units);
    for (size_t i = 0; i < rows->check_count; i++)
        sorted.checks[sorted.check_count++] = &rows->checks[i];
    qsort(sorted.checks, sorted.check_count, sizeof *sorted.checks, compare_checks);
    for (size_t i = 0; i < units->count; i++)
        fill_series(rows, units, &sorted, &units->series[i]);
    free(sorted.ratios);
    free(sorted.checks);
}

void units_free(struct units *units) {
    for (size_t i = 0; i < units->count; i++)
        free(units->series[i].units);
    free(units->series);
    *units = (struct units){0};
}

const struct ratio_row *units_row(const struct units *units, const struct unit *unit,
                                  const char *lens) {
    for (size_t i = 0; i < units->lens_count; i++)
        if (strcmp(units->lenses[i], lens) == 0)
            return unit->by_lens[i];
    return NULL;
}

bool units_has_lens(const struct unit_series *series, size_t lens) {
    for (size_t i = 0; i < series->count; i++)
        if (series->units[i].by_lens[lens])
            return true;
    return false;
}
