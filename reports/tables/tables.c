#include "reports/tables/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/pairs/estimate.h"
#include "timing/stats.h"

/* The members as columns of the table `lines`. */
#define MEMBER(name_, form_, ...)                                                                  \
    { .name = #name_, .form = form_, .offset = offsetof(struct table_line, name_), __VA_ARGS__ }
#define TEXT(name) MEMBER(name, ROWS_TEXT, .kept = true)
#define COUNT(name) MEMBER(name, ROWS_SIZE)
#define NUMBER(name) MEMBER(name, ROWS_NUMBER)
static const struct rows_column members[] = {
    TEXT(candidate),    TEXT(lens),          TEXT(mode),           TEXT(baseline),
    COUNT(shapes),      NUMBER(mean),        NUMBER(median),       NUMBER(sd),
    COUNT(wins),        NUMBER(geomean),     NUMBER(low),          NUMBER(high),
    NUMBER(shapes_low), NUMBER(shapes_high), NUMBER(with_refused), NUMBER(middle),
    NUMBER(tflops),     NUMBER(better),      COUNT(faster),        COUNT(same),
    COUNT(slower),      COUNT(undecided),    COUNT(environment),   COUNT(judged),
    COUNT(refused),     COUNT(unrecorded),   COUNT(left_out),      COUNT(reference),
    COUNT(leads),
};
#undef NUMBER
#undef COUNT
#undef TEXT
#undef MEMBER

void tables_add(sqlite3 *db, const char *run, const struct table *table) {
    static const struct rows_file file = {.name = "lines",
                                          .columns = members,
                                          .column_count = sizeof members / sizeof *members,
                                          .row_size = sizeof(struct table_line)};
    query_add(db, &file, run, table->lines, table->count);
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
static void set_intervals(const struct ratio_row *const *list, size_t count,
                          const struct pairs *pairs, struct table_line *line) {
    const struct pair **known = need(count, sizeof *known);
    size_t shapes = 0;
    for (size_t i = 0; i < count; i++) {
        known[shapes] = pairs_find_row(pairs, list[i]);
        shapes += known[shapes] != NULL;
    }
    const struct suite_mean mean = estimate_mean(known, NULL, shapes);
    const bool visits = isfinite(mean.low), drawn = isfinite(mean.shapes_low);
    line->low = visits ? exp(mean.low) : NAN;
    line->high = visits ? exp(mean.high) : NAN;
    line->shapes_low = drawn ? exp(mean.shapes_low) : NAN;
    line->shapes_high = drawn ? exp(mean.shapes_high) : NAN;
    free(known);
}

static void count_verdict(const struct ratio_row *row, struct table_line *line) {
    line->faster += strcmp(row->verdict, "faster") == 0;
    line->same += strcmp(row->verdict, "same") == 0;
    line->slower += strcmp(row->verdict, "slower") == 0;
    line->undecided += !isnan(row->speedup) && strcmp(row->verdict, "undecided") == 0;
    line->environment += strcmp(row->verdict, "environment") == 0;
}

/* The means over the rows of a line. scratch: three numbers a row. */
static void set_means(const struct ratio_row *const *list, size_t count, double *scratch,
                      struct table_line *line) {
    double *speedups = scratch, *logs = scratch + count, *rates = logs + count, better = 0;
    size_t ratios = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(list[i]->speedup)) {
            line->wins += list[i]->speedup > 0;
            better += fmax(list[i]->speedup, 0);
            speedups[line->shapes++] = list[i]->speedup;
        }
        if (isnan(list[i]->ratio))
            continue;
        rates[ratios] = log(1e-12 * shape_flops(list[i]->shape) / list[i]->seconds);
        logs[ratios++] = log(list[i]->ratio);
    }
    line->better = line->shapes ? better / (double)line->shapes : NAN;
    line->mean = stats_mean(speedups, line->shapes);
    line->sd = stats_sd(speedups, line->shapes);
    line->median = stats_median(speedups, line->shapes);
    line->geomean = exp(stats_mean(logs, ratios));
    line->with_refused = exp(stats_mean(logs, ratios) * (double)line->shapes /
                             (double)(line->shapes + line->refused));
    line->tflops = exp(stats_mean(rates, ratios));
    line->middle = exp(stats_median(logs, ratios));
}

/* The rows of one line. */
static void fill_line(const struct rows *rows, const struct pairs *pairs,
                      const struct ratio_row *const *list, size_t count, double *scratch,
                      struct table_line *line) {
    *line =
        (struct table_line){.candidate = list[0]->candidate,
                            .lens = list[0]->lens,
                            .mode = list[0]->mode,
                            .baseline = list[0]->baseline,
                            .refused = rows_tested(rows, list[0]->candidate).counts[ROWS_REFUSED]};
    for (size_t i = 0; i < count; i++) {
        count_verdict(list[i], line);
        line->unrecorded +=
            rows_unrecorded(rows, list[i]->shape, list[i]->candidate, list[i]->baseline);
        line->left_out += list[i]->left_out > 0;
    }
    line->judged = line->faster + line->same + line->slower + line->undecided + line->environment;
    set_means(list, count, scratch, line);
    set_intervals(list, count, pairs, line);
}

const char *tables_reference(const struct table *table, const char *candidate, const char *lens) {
    const char *best = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (strcmp(line->candidate, candidate) == 0 && strcmp(line->lens, lens) == 0 &&
            line->shapes > 0 && reference_before(line->baseline, best))
            best = line->baseline;
    }
    return best;
}

static void mark_references(struct table *table) {
    for (size_t i = 0; i < table->count; i++) {
        struct table_line *line = &table->lines[i];
        const char *reference = tables_reference(table, line->candidate, line->lens);
        line->reference = reference && strcmp(reference, line->baseline) == 0;
    }
}

/* Which lines lead: the last of the lenses up to device that has a line. */
static void mark_leading(struct table *table) {
    for (size_t i = 0; i < table->count; i++) {
        struct table_line *line = &table->lines[i], *leading = NULL;
        if (!line->reference || isnan(line->mean))
            continue;
        for (size_t j = 0; j < table->count; j++) {
            struct table_line *other = &table->lines[j];
            if (other->reference && !isnan(other->mean) &&
                strcmp(other->candidate, line->candidate) == 0 &&
                strcmp(other->mode, line->mode) == 0 &&
                (!leading || strcmp(other->lens, "device") == 0))
                leading = other;
        }
        line->leads = leading == line;
    }
}

int tables_make(const struct rows *rows, struct table *table) {
    const size_t count = rows->ratio_count;
    struct pairs pairs;
    *table = (struct table){0};
    if (pairs_take("the run", rows, PAIRS_SHOWN, &pairs) < 0)
        return -1;
    const struct ratio_row **list = need(count, sizeof *list);
    double *scratch = need(3 * count, sizeof *scratch);
    table->lines = need(count, sizeof *table->lines);
    for (size_t i = 0; i < count; i++)
        list[i] = &rows->ratios[i];
    qsort(list, count, sizeof *list, tables_row_compare);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && tables_line_compare(list[first], list[end]) == 0;)
            end++;
        fill_line(rows, &pairs, list + first, end - first, scratch, &table->lines[table->count++]);
    }
    mark_references(table);
    mark_leading(table);
    free(scratch);
    free(list);
    pairs_free(&pairs);
    return 0;
}

void tables_free(struct table *table) {
    free(table->lines);
    *table = (struct table){0};
}

const struct table_line *tables_first(const struct table *table) {
    for (size_t i = 0; i < table->count; i++)
        if (table->lines[i].leads)
            return &table->lines[i];
    return NULL;
}
