#include "reports/tables/tables.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/pairs/estimate.h"
#include "reports/tables/reference.h"
#include "timing/stats.h"

const char *const tables_main[TABLES_MAIN] = {"torch-matmul", "cublas-max",
                                              "cublaslt-heuristic-max", "cublaslt-autotune-max",
                                              "openblas-max"};

size_t tables_main_index(const char *baseline) {
    size_t i = 0;
    while (i < TABLES_MAIN && strcmp(tables_main[i], baseline) != 0)
        i++;
    return i;
}

bool tables_has(const struct table_line *line, const struct ratio_row *row) {
    return strcmp(line->baseline, row->baseline) == 0 && strcmp(line->lens, row->lens) == 0 &&
           strcmp(line->mode, row->mode) == 0 && strcmp(line->candidate, row->candidate) == 0;
}

int tables_line_compare(const struct ratio_row *left, const struct ratio_row *right) {
    int order = strcmp(left->candidate, right->candidate);
    order = order ? order : words_compare(words_lenses, left->lens, right->lens);
    order = order ? order : words_compare(words_modes, left->mode, right->mode);
    return order ? order : reference_compare(left->baseline, right->baseline);
}

int tables_row_compare(const void *left, const void *right) {
    const struct ratio_row *a = *(const struct ratio_row *const *)left;
    const struct ratio_row *b = *(const struct ratio_row *const *)right;
    int order = tables_line_compare(a, b);
    return order ? order : shape_compare(a->shape, b->shape);
}

/* The intervals of a line. */
static void set_suite(const struct ratio_row *const *rows, size_t count, const struct pairs *pairs,
                      struct table_line *line) {
    const struct pair **list = need(count, sizeof *list);
    size_t shapes = 0;
    for (size_t i = 0; i < count; i++) {
        list[shapes] = pairs_find_row(pairs, rows[i]);
        shapes += list[shapes] != NULL;
    }
    const struct suite_mean suite = estimate_mean(list, NULL, shapes);
    const bool known = isfinite(suite.low), drawn = isfinite(suite.shapes_low);
    line->low = known ? exp(suite.low) : NAN;
    line->high = known ? exp(suite.high) : NAN;
    line->shapes_low = drawn ? exp(suite.shapes_low) : NAN;
    line->shapes_high = drawn ? exp(suite.shapes_high) : NAN;
    free(list);
}

/* What all lines need, the numbers as scratch. */
struct work {
    const struct rows *rows;
    const struct ratio_row **ratios;
    struct pairs pairs;
    double *numbers;
};

/* speedup and log_ratio are scratch of `count` numbers each. */
static void fill_line(const struct work *work, const struct ratio_row *const *rows, size_t count,
                      enum table_kind kind, double *speedup, double *log_ratio,
                      struct table_line *line) {
    size_t ratios = 0;
    *line = (struct table_line){.low = NAN, .high = NAN, .shapes_low = NAN, .shapes_high = NAN};
    strcpy(line->candidate, rows[0]->candidate);
    strcpy(line->lens, rows[0]->lens);
    strcpy(line->mode, rows[0]->mode);
    strcpy(line->baseline, rows[0]->baseline);
    for (size_t i = 0; i < count; i++) {
        const struct ratio_row *row = rows[i];
        const bool best = kind == TABLE_BEST;
        if (!isnan(row->speedup)) {
            line->wins += row->speedup > 0;
            speedup[line->shapes++] = best && row->speedup < 0 ? 0 : row->speedup;
        }
        if (!isnan(row->ratio))
            log_ratio[ratios++] = best && row->ratio < 1 ? 0 : log(row->ratio);
        line->faster += strcmp(row->verdict, "faster") == 0;
        line->same += strcmp(row->verdict, "same") == 0;
        line->slower += strcmp(row->verdict, "slower") == 0;
        line->undecided += !isnan(row->speedup) && strcmp(row->verdict, "undecided") == 0;
        line->environment += strcmp(row->verdict, "environment") == 0;
        line->unrecorded += rows_unrecorded(work->rows, row->shape, row->candidate, row->baseline);
    }
    line->judged = line->faster + line->same + line->slower + line->undecided + line->environment;
    line->mean = stats_mean(speedup, line->shapes);
    line->sd = stats_sd(speedup, line->shapes);
    line->geomean = exp(stats_mean(log_ratio, ratios));
    line->middle = exp(stats_median(log_ratio, ratios));
    line->median = stats_median(speedup, line->shapes);
}

static void fill_lines(const struct work *work, size_t count, enum table_kind kind,
                       struct table *table) {
    const struct ratio_row *const *list = work->ratios;
    for (size_t first = 0, end; first < count; first = end) {
        struct table_line *line = &table->lines[table->count++];
        for (end = first + 1; end < count && tables_line_compare(list[first], list[end]) == 0;)
            end++;
        fill_line(work, list + first, end - first, kind, work->numbers, work->numbers + count,
                  line);
        if (kind == TABLE_CANDIDATE)
            set_suite(list + first, end - first, &work->pairs, line);
    }
}

int tables_make(const struct rows *rows, enum table_kind kind, struct table *table) {
    const size_t count = rows->ratio_count;
    struct work work = {.rows = rows};
    *table = (struct table){0};
    if (kind == TABLE_CANDIDATE && pairs_take("the run", rows, PAIRS_SHOWN, &work.pairs) < 0)
        return -1;
    table->lines = need(count, sizeof *table->lines);
    work.ratios = need(count, sizeof *work.ratios);
    work.numbers = need(2 * count, sizeof *work.numbers);
    for (size_t i = 0; i < count; i++)
        work.ratios[i] = &rows->ratios[i];
    qsort(work.ratios, count, sizeof *work.ratios, tables_row_compare);
    fill_lines(&work, count, kind, table);
    free(work.ratios);
    pairs_free(&work.pairs);
    free(work.numbers);
    return 0;
}

void tables_free(struct table *table) {
    free(table->lines);
    *table = (struct table){0};
}

const char *tables_reference(const struct table *table, const char *candidate, const char *lens) {
    const char *best = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (strcmp(line->candidate, candidate) == 0 && strcmp(line->lens, lens) == 0 &&
            line->shapes > 0 && reference_before(REFERENCE_OPPONENT, line->baseline, best))
            best = line->baseline;
    }
    return best;
}
