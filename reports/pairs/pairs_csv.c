/* Pairs as a store keeps them. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "reports/pairs/pairs.h"
#include "reports/rows/kept_text.h"

/* A line: a pair, whose x[0] is that of the visit. */
struct line {
    struct pair pair;
    double unrecorded, visit;
};

#define LEAST 1e-30
#define MOST 1e30

/* The columns after m, n, k. A number is from least to most; it may be empty, which is NaN, where it is
 * optional. */
static const struct {
    const char *name;
    size_t offset, room; /* of a text, with its NUL; a number's room is 0 */
    double least, most;
    bool optional;
} columns[] = {
#define TEXT(name, member, room)                                                                   \
    { name, offsetof(struct line, member), room, 0, 0, false }
#define NUMBER(name, member, ...)                                                                  \
    { name, offsetof(struct line, member), 0, __VA_ARGS__ }
    TEXT("candidate", pair.candidate, RUNDIR_NAME),
    TEXT("reference", pair.reference, RUNDIR_NAME),
    TEXT("mode", pair.mode, RUNDIR_NAME),
    TEXT("lens", pair.lens, RUNDIR_NAME),
    TEXT("cache", pair.cache, RUNDIR_CODE),
    NUMBER("unrecorded", unrecorded, 0, 1, false),
    NUMBER("seconds", pair.seconds, LEAST, MOST, false),
    NUMBER("reference_seconds", pair.reference_seconds, LEAST, MOST, false),
    NUMBER("disturbed", pair.disturbed, 0, 1, true),
    NUMBER("variance", pair.used.variance, 0, MOST, true),
    NUMBER("freedom", pair.used.freedom, 0, MOST, true),
    NUMBER("visit", visit, 0, PAIRS_VISITS - 1, false),
    NUMBER("x", pair.x, -PAIRS_MOST_X, PAIRS_MOST_X, false),
#undef TEXT
#undef NUMBER
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Numbers so that they come back as the same doubles. */
static void put_line(FILE *out, const struct line *line) {
    csv_put_shape(out, line->pair.shape);
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *at = (const char *)line + columns[i].offset;
        const double *number = (const double *)(const void *)at;
        if (columns[i].room > 0)
            csv_put_texts(out, (const char *const *)(const void *)at, 1);
        else if (isnan(*number))
            fputc(',', out);
        else
            fprintf(out, ",%.17g", *number);
    }
    fputc('\n', out);
}

void pairs_write_csv(FILE *out, const struct pairs *pairs) {
    fputs("m,n,k", out);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(out, ",%s", columns[i].name);
    fputc('\n', out);
    for (size_t i = 0; i < pairs->count; i++)
        for (size_t r = 0; r < pairs->list[i].visits; r++) {
            struct line line = {.pair = pairs->list[i],
                                .unrecorded = pairs->list[i].unrecorded,
                                .visit = pairs->list[i].visit[r]};
            line.pair.x[0] = line.pair.x[r];
            put_line(out, &line);
        }
}

static int take_name(const struct csv_table *table, size_t row, int column, const char **name,
                     size_t room) {
    const char *text = csv_table_text(table, row, column);
    if (!*text)
        return csv_table_error(table, row, column, "is empty; a name is wanted");
    if (strlen(text) >= room)
        return csv_table_error(table, row, column, "is longer than %zu bytes", room - 1);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return csv_table_error(table, row, column, "holds a control character, byte 0x%02x",
                                   (unsigned char)*c);
    *name = kept_text(text);
    return 0;
}

/* places: of the columns in the table. */
static int take_line(const struct csv_table *table, size_t row, const int *places,
                     struct line *line) {
    if (csv_table_shape(table, row, &line->pair.shape) < 0)
        return -1;
    for (size_t i = 0; i < COLUMNS; i++) {
        char *at = (char *)line + columns[i].offset;
        double *number = (double *)(void *)at;
        if (columns[i].room > 0) {
            if (take_name(table, row, places[i], (const char **)(void *)at, columns[i].room) < 0)
                return -1;
        } else if (columns[i].optional && !*csv_table_text(table, row, places[i])) {
            *number = NAN;
        } else {
            if (csv_table_number(table, row, places[i], number) < 0)
                return -1;
            if (!(*number >= columns[i].least && *number <= columns[i].most))
                return csv_table_error(table, row, places[i], "%g is out of range", *number);
        }
    }
    line->pair.unrecorded = line->unrecorded != 0;
    return 0;
}

static bool equal(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static bool same_but_visit(const struct pair *a, const struct pair *b) {
    return strcmp(a->cache, b->cache) == 0 && a->unrecorded == b->unrecorded &&
           a->seconds == b->seconds && a->reference_seconds == b->reference_seconds &&
           equal(a->disturbed, b->disturbed) && equal(a->used.variance, b->used.variance) &&
           equal(a->used.freedom, b->used.freedom);
}

/* A line goes on with the pair of the line before, or begins the next in the order. */
static int take_row(const struct csv_table *table, size_t row, const int *places,
                    struct pairs *pairs) {
    struct line line = {.pair.visits = 1};
    struct pair *pair = &line.pair;
    if (take_line(table, row, places, &line) < 0)
        return -1;
    struct pair *last = pairs->count ? &pairs->list[pairs->count - 1] : NULL;
    const int order = last ? pairs_compare(last, pair) : -1;
    const int before = order == 0 ? last->visit[last->visits - 1] : -1;
    if (line.visit <= before || line.visit != floor(line.visit))
        return csv_table_error(table, row, csv_table_column(table, "visit"),
                               "%g where a later visit than %d must come; get the file as it was "
                               "written",
                               line.visit, before);
    pair->visit[0] = (unsigned char)line.visit;
    if (order > 0)
        return csv_table_error(table, row, csv_table_column(table, "candidate"),
                               "the line stands out of order, or says a pair again; get the file "
                               "as it was written");
    if (order < 0) {
        pairs_add(pairs, pair);
        return 0;
    }
    if (!same_but_visit(last, pair))
        return csv_table_error(table, row, csv_table_column(table, "seconds"),
                               "the line says otherwise of the pair than the line before");
    last->visit[last->visits] = pair->visit[0];
    last->x[last->visits++] = pair->x[0];
    return 0;
}

static int take_table(const struct csv_table *table, struct pairs *pairs) {
    int places[COLUMNS];
    if (!table->ended)
        return error("%s:%zu: the last line has no end; the file was cut off", table->file,
                     table->lines[table->rows]);
    for (size_t i = 0; i < COLUMNS; i++)
        if ((places[i] = csv_table_column(table, columns[i].name)) < 0)
            return -1;
    if (csv_table_column(table, "m") < 0)
        return -1;
    if (table->columns != COLUMNS + 3)
        return error("%s:1: %zu columns where this version knows %d", table->file, table->columns,
                     COLUMNS + 3);
    for (size_t i = 0; i < table->rows; i++)
        if (take_row(table, i, places, pairs) < 0)
            return -1;
    return 0;
}

int pairs_read_csv(const char *file, struct pairs *pairs) {
    struct csv_table table;
    *pairs = (struct pairs){0};
    if (csv_table_read(file, &table) < 0)
        return -1;
    const int status = take_table(&table, pairs);
    csv_table_free(&table);
    if (status < 0)
        pairs_free(pairs);
    return status;
}
