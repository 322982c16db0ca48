#include "reports/tables/tables.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/words.h"
#include "reports/run/round_speeds.h"
#include "timing/stats.h"

const char *const tables_baselines[] = {ROUND_SPEEDS_PREVIOUS,
                                        "torch-matmul",
                                        "cublas-nn",
                                        "cublas-tn",
                                        "cublas-max",
                                        "cublaslt-heuristic-nn",
                                        "cublaslt-heuristic-tn",
                                        "cublaslt-heuristic-max",
                                        "cublaslt-autotune-nn",
                                        "cublaslt-autotune-tn",
                                        "cublaslt-autotune-max",
                                        "openblas-nn",
                                        "openblas-tn",
                                        "openblas-max",
                                        NULL};

int tables_baseline_compare(const char *left, const char *right) {
    return words_compare(tables_baselines, left, right);
}

const char *const tables_main[TABLES_MAIN] = {"torch-matmul", "cublas-max",
                                              "cublaslt-heuristic-max", "cublaslt-autotune-max",
                                              "openblas-max"};

size_t tables_main_index(const char *baseline) {
    size_t i = 0;
    while (i < TABLES_MAIN && strcmp(tables_main[i], baseline) != 0)
        i++;
    return i;
}

int tables_line_compare(const struct ratio_row *left, const struct ratio_row *right) {
    int order = strcmp(left->candidate, right->candidate);
    if (order == 0)
        order = words_compare(words_lenses, left->lens, right->lens);
    if (order == 0)
        order = words_compare(words_modes, left->mode, right->mode);
    return order ? order : tables_baseline_compare(left->baseline, right->baseline);
}

int tables_row_compare(const void *left, const void *right) {
    const struct ratio_row *a = *(const struct ratio_row *const *)left;
    const struct ratio_row *b = *(const struct ratio_row *const *)right;
    int order = tables_line_compare(a, b);
    return order ? order : shape_compare(a->shape, b->shape);
}

/* speedup and log_ratio are scratch of `count` numbers each. */
static void fill_line(const struct ratio_row *const *rows, size_t count, enum table_kind kind,
                      double *speedup, double *log_ratio, struct table_line *line) {
    size_t ratios = 0;
    *line = (struct table_line){0};
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
        line->slower += strcmp(row->verdict, "slower") == 0;
        line->undecided += !isnan(row->speedup) && strcmp(row->verdict, "undecided") == 0;
        line->environment += strcmp(row->verdict, "environment") == 0;
    }
    line->mean = stats_mean(speedup, line->shapes);
    line->sd = stats_sd(speedup, line->shapes);
    line->geomean = exp(stats_mean(log_ratio, ratios));
    stats_sort(speedup, line->shapes);
    line->median = stats_quantile_sorted(speedup, line->shapes, 0.5);
}

int tables_make(const struct rows *rows, enum table_kind kind, struct table *table) {
    const size_t count = rows->ratio_count, room = count + 1;
    const struct ratio_row **list = malloc(room * sizeof *list);
    double *scratch = malloc(2 * room * sizeof *scratch);
    *table = (struct table){.lines = calloc(room, sizeof *table->lines)};
    if (!list || !scratch || !table->lines) {
        free(list);
        free(scratch);
        tables_free(table);
        return error("no memory for a table of %zu ratios", count);
    }
    for (size_t i = 0; i < count; i++)
        list[i] = &rows->ratios[i];
    qsort(list, count, sizeof *list, tables_row_compare);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && tables_line_compare(list[first], list[end]) == 0;)
            end++;
        fill_line(list + first, end - first, kind, scratch, scratch + room,
                  &table->lines[table->count++]);
    }
    free(list);
    free(scratch);
    return 0;
}

void tables_free(struct table *table) {
    free(table->lines);
    *table = (struct table){0};
}

const char *tables_strongest(const struct table *table, const char *candidate, const char *lens) {
    const char *last = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (strcmp(line->candidate, candidate) != 0 || strcmp(line->lens, lens) != 0 ||
            line->shapes == 0)
            continue;
        if (strcmp(line->baseline, "cublaslt-autotune-max") == 0)
            return line->baseline;
        if (!last || tables_baseline_compare(last, line->baseline) < 0)
            last = line->baseline;
    }
    return last;
}
