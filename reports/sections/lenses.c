/* Tables 1 and 2 with their figures, and the quantiles of latency, by candidate and lens. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/sections/sections.h"
#include "timing/stats.h"

static bool is_same(const struct table_line *a, const struct table_line *b) {
    return strcmp(a->candidate, b->candidate) == 0 && strcmp(a->lens, b->lens) == 0;
}

/* The lines of one candidate and lens, which stand together. Table 2 has no intervals and no
 * verdicts. */
static void add_table(struct document *page, const char *id, const char *caption,
                      const struct table_line *line, size_t count, enum table_kind kind) {
#define OF(member, title, ...) DOCUMENT_OF(table_line, member, title, __VA_ARGS__)
    const struct document_column columns[] = {
        OF(baseline, "baseline", TEXT),
        OF(mode, "mode", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(shapes, "shapes", COUNT),
        OF(geomean, kind == TABLE_BEST ? "ratio" : "ratio (95 % interval)", RATIO,
           .omit = DOCUMENT_OMIT_EMPTY),
        OF(shapes_low, "over shapes", INTERVAL, .omit = DOCUMENT_OMIT_EMPTY),
        OF(middle, "median", NUMBER, .digits = 3, .omit = DOCUMENT_OMIT_EMPTY),
        {.name = "faster", .type = DOCUMENT_COUNT, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "slower", .type = DOCUMENT_COUNT, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "same", .type = DOCUMENT_COUNT, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "undecided", .type = DOCUMENT_COUNT, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "environment", .type = DOCUMENT_COUNT, .omit = DOCUMENT_OMIT_ZERO},
        OF(mean, "paper's mean %", SPEEDUP),
        OF(median, "its median %", SPEEDUP),
        OF(sd, "sd %", SHARE),
        OF(wins, "wins", COUNT),
        OF(native, "native", COUNT, .omit = DOCUMENT_OMIT_ZERO),
    };
#undef OF
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    DOCUMENT_TABLE(page, id, caption, columns);
    for (size_t i = 0; i < count; i++) {
        document_row_of(page, &line[i]);
        if (kind == TABLE_CANDIDATE)
            sections_counts(page, &line[i]);
    }
}

/* Both tables are of the same rows, so that their lines are the same. */
static void add_lens(struct document *page, const struct report *report, size_t first,
                     size_t count) {
    const struct table_line *line = &report->table1->lines[first];
    const char *candidate = *line->candidate ? line->candidate : "candidate";
    char text[4 * RUNDIR_NAME], id[32];
    snprintf(text, sizeof text, "%s, lens %s", candidate, line->lens);
    snprintf(id, sizeof id, "lens-%zu", first + 1);
    document_section(page, 3, id, text);
    snprintf(text, sizeof text, "Table 1, lens %s: %s", line->lens, candidate);
    add_table(page, "table1-lens", text, line, count, TABLE_CANDIDATE);
    snprintf(text, sizeof text, "Table 2, lens %s: the better of baseline and %s", line->lens,
             candidate);
    add_table(page, "table2-lens", text, report->table2->lines + first, count, TABLE_BEST);
    for (size_t i = 0; i < report->figure_count; i++) {
        const struct figure *figure = &report->figures[i];
        if (strcmp(figure->candidate, line->candidate) == 0 &&
            strcmp(figure->lens, line->lens) == 0 && figure != sections_figure(report))
            sections_put_figure(page, report, figure);
    }
}

enum { QUANTILES = 3 };

static bool is_latency(const struct time_row *row, const char *candidate) {
    return strcmp(row->candidate, candidate) == 0 && strcmp(row->lens, "latency") == 0;
}

/* The candidate's latency of the shape of row i, or NULL. A shape's rows stand together. */
static const struct time_row *own_latency(const struct rows *rows, size_t i,
                                          const char *candidate) {
    const struct shape shape = rows->times[i].shape;
    while (i > 0 && shape_compare(rows->times[i - 1].shape, shape) == 0)
        i--;
    for (; i < rows->time_count && shape_compare(rows->times[i].shape, shape) == 0; i++)
        if (is_latency(&rows->times[i], candidate) && strcmp(rows->times[i].kernel, candidate) == 0)
            return &rows->times[i];
    return NULL;
}

/* Medians over shapes of the kernel's quantiles over the candidate's. scratch has room for all
 * times of the run, QUANTILES times. Returns how many shapes. */
static size_t latency_ratios(const struct rows *rows, const char *candidate, const char *kernel,
                             double *scratch, double medians[QUANTILES]) {
    size_t shapes = 0, counts[QUANTILES] = {0};
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (!is_latency(row, candidate) || strcmp(row->kernel, kernel) != 0)
            continue;
        const struct time_row *own = own_latency(rows, i, candidate);
        if (!own)
            continue;
        const double ratios[QUANTILES] = {row->median / own->median, row->p90 / own->p90,
                                          row->p99 / own->p99};
        shapes++;
        for (size_t q = 0; q < QUANTILES; q++)
            if (!isnan(ratios[q]))
                scratch[q * rows->time_count + counts[q]++] = ratios[q];
    }
    for (size_t q = 0; q < QUANTILES; q++)
        medians[q] = stats_median(scratch + q * rows->time_count, counts[q]);
    return shapes;
}

static int compare_kernels(const void *left, const void *right) {
    return tables_baseline_compare(*(const char *const *)left, *(const char *const *)right);
}

/* The kernels whose latencies were taken beside the candidate's, in order; returns how many. */
static size_t list_kernels(const struct rows *rows, const char *candidate,
                           const char *kernels[SAMPLES_COLUMNS]) {
    size_t count = 0;
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        bool wanted = is_latency(row, candidate) && strcmp(row->kernel, candidate) != 0;
        for (size_t j = 0; j < count; j++)
            wanted = wanted && strcmp(kernels[j], row->kernel) != 0;
        if (wanted && count < SAMPLES_COLUMNS)
            kernels[count++] = row->kernel;
    }
    qsort(kernels, count, sizeof *kernels, compare_kernels);
    return count;
}

static void add_latencies(struct document *page, const struct rows *rows, const char *candidate) {
    static const struct document_column columns[] = {
        {.name = "kernel", .type = DOCUMENT_TEXT},
        {.name = "of shapes", .type = DOCUMENT_COUNT},
        {.name = "p50", .type = DOCUMENT_NUMBER, .digits = 3},
        {.name = "p90", .type = DOCUMENT_NUMBER, .digits = 3},
        {.name = "p99", .type = DOCUMENT_NUMBER, .digits = 3},
    };
    const char *kernels[SAMPLES_COLUMNS];
    const size_t count = list_kernels(rows, candidate, kernels);
    double *scratch = need(QUANTILES * rows->time_count, sizeof *scratch);
    char caption[RUNDIR_NAME + 64];
    if (count > 0) {
        snprintf(caption, sizeof caption, "Quantiles of latency over those of %s", candidate);
        document_paragraph(page, "*Quantiles of latency*: a library's over the candidate's, median "
                                 "over shapes. A quantile of too few requests is left out.");
        DOCUMENT_TABLE(page, "latency", caption, columns);
    }
    for (size_t k = 0; k < count; k++) {
        double medians[QUANTILES];
        const size_t shapes = latency_ratios(rows, candidate, kernels[k], scratch, medians);
        document_row(page);
        document_cell(page, kernels[k]);
        document_count(page, shapes);
        for (size_t q = 0; q < QUANTILES; q++)
            document_number(page, medians[q]);
    }
    free(scratch);
}

void section_lenses(struct document *page, const struct report *report) {
    const struct table *table = report->table1;
    if (table->count == 0)
        return;
    document_section(page, 2, "tables", "Tables 1 and 2, by lens");
    for (size_t first = 0, end; first < table->count; first = end) {
        const struct table_line *line = &table->lines[first];
        for (end = first + 1; end < table->count && is_same(line, &table->lines[end]);)
            end++;
        add_lens(page, report, first, end - first);
        if (end == table->count || strcmp(line->candidate, table->lines[end].candidate) != 0)
            add_latencies(page, report->rows, line->candidate);
    }
}
