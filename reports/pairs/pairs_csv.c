/* Pairs as a store keeps them. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "reports/pairs/pairs.h"

/* The columns after m, n, k; texts, then numbers. */
#define COLUMNS(X)                                                                                 \
    X(candidate)                                                                                   \
    X(reference)                                                                                   \
    X(mode)                                                                                        \
    X(lens)                                                                                        \
    X(cache)                                                                                       \
    X(place)                                                                                       \
    X(seconds)                                                                                     \
    X(reference_seconds)                                                                           \
    X(disturbed)                                                                                   \
    X(variance)                                                                                    \
    X(freedom)                                                                                     \
    X(round)                                                                                       \
    X(x)
enum {
#define X(name) COLUMN_##name,
    COLUMNS(X)
#undef X
        COLUMN_COUNT
};
static const char *const names[] = {
#define X(name) #name,
    COLUMNS(X)
#undef X
};

/* So that it comes back as the same double. */
static void put_exactly(FILE *out, double value) {
    fputc(',', out);
    if (!isnan(value))
        fprintf(out, "%.17g", value);
}

void pairs_write_csv(FILE *out, const struct pairs *pairs) {
    fputs("m,n,k", out);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        fprintf(out, ",%s", names[i]);
    fputc('\n', out);
    for (size_t i = 0; i < pairs->count; i++)
        for (size_t r = 0; r < pairs->list[i].rounds; r++) {
            const struct pair *pair = &pairs->list[i];
            const char *texts[] = {pair->candidate, pair->reference, pair->mode,
                                   pair->lens,      pair->cache,     words_places[pair->place]};
            csv_put_shape(out, pair->shape);
            csv_put_texts(out, texts, sizeof texts / sizeof *texts);
            put_exactly(out, pair->seconds);
            put_exactly(out, pair->reference_seconds);
            put_exactly(out, pair->disturbed);
            put_exactly(out, pair->used.variance);
            put_exactly(out, pair->used.freedom);
            fprintf(out, ",%u", pair->visit[r]);
            put_exactly(out, pair->x[r]);
            fputc('\n', out);
        }
}

static int take_name(const struct csv_table *table, size_t row, int column, char *name,
                     size_t size) {
    const char *text = csv_table_text(table, row, column);
    if (!*text)
        return csv_table_error(table, row, column, "is empty; a name is wanted");
    if (strlen(text) >= size)
        return csv_table_error(table, row, column, "is longer than %zu bytes", size - 1);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return csv_table_error(table, row, column, "holds a control character, byte 0x%02x",
                                   (unsigned char)*c);
    strcpy(name, text);
    return 0;
}

/* A number from least to most; an empty field is NaN if it may be. */
static int take_number(const struct csv_table *table, size_t row, int column, double least,
                       double most, bool optional, double *value) {
    *value = NAN;
    if (optional && !*csv_table_text(table, row, column))
        return 0;
    if (csv_table_number(table, row, column, value) < 0)
        return -1;
    return *value >= least && *value <= most
               ? 0
               : csv_table_error(table, row, column, "%g is out of range", *value);
}

/* One line: pair->x[0] is its x. */
static int take_line(const struct csv_table *table, size_t row, const int *columns,
                     struct pair *pair, double *round) {
    const double tiny = 1e-30, huge = 1e30;
    char place[8];
    const struct {
        char *name;
        size_t size;
    } texts[] = {
        {pair->candidate, sizeof pair->candidate}, {pair->reference, sizeof pair->reference},
        {pair->mode, sizeof pair->mode},           {pair->lens, sizeof pair->lens},
        {pair->cache, sizeof pair->cache},         {place, sizeof place}};
    const struct {
        double *value, least, most;
        bool optional;
    } numbers[] = {{&pair->seconds, tiny, huge, false},
                   {&pair->reference_seconds, tiny, huge, false},
                   {&pair->disturbed, 0, 1, true},
                   {&pair->used.variance, 0, huge, true},
                   {&pair->used.freedom, 0, huge, true},
                   {round, 0, PAIRS_VISITS - 1, false},
                   {&pair->x[0], -PAIRS_MOST_X, PAIRS_MOST_X, false}};
    if (csv_table_shape(table, row, &pair->shape) < 0)
        return -1;
    for (size_t i = 0; i < COLUMN_seconds; i++)
        if (take_name(table, row, columns[i], texts[i].name, texts[i].size) < 0)
            return -1;
    const int found = words_find(words_places, place);
    if (found < 0)
        return csv_table_error(table, row, columns[COLUMN_place],
                               "'%s' is no place where times are taken", place);
    pair->place = (enum place)found;
    for (size_t i = COLUMN_seconds; i < COLUMN_COUNT; i++) {
        const size_t n = i - COLUMN_seconds;
        if (take_number(table, row, columns[i], numbers[n].least, numbers[n].most,
                        numbers[n].optional, numbers[n].value) < 0)
            return -1;
    }
    return 0;
}

static bool equal(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static bool same_but_round(const struct pair *a, const struct pair *b) {
    return strcmp(a->cache, b->cache) == 0 && a->place == b->place && a->seconds == b->seconds &&
           a->reference_seconds == b->reference_seconds && equal(a->disturbed, b->disturbed) &&
           equal(a->used.variance, b->used.variance) && equal(a->used.freedom, b->used.freedom);
}

/* A line goes on with the pair of the line before, or begins the next in the order. */
static int take_row(const struct csv_table *table, size_t row, const int *columns,
                    struct pairs *pairs) {
    struct pair line = {.rounds = 1};
    double round;
    if (take_line(table, row, columns, &line, &round) < 0)
        return -1;
    struct pair *last = pairs->count ? &pairs->list[pairs->count - 1] : NULL;
    const int order = last ? pairs_compare(last, &line) : -1;
    const int before = order == 0 ? last->visit[last->rounds - 1] : -1;
    if (round <= before || round != floor(round))
        return csv_table_error(table, row, columns[COLUMN_round],
                               "%g where a later round than %d must come; get the file as it was "
                               "written",
                               round, before);
    line.visit[0] = (unsigned char)round;
    if (order > 0)
        return csv_table_error(table, row, columns[COLUMN_candidate],
                               "the line stands out of order, or says a pair again; get the file "
                               "as it was written");
    if (order < 0) {
        pairs_add(pairs, &line);
        return 0;
    }
    if (!same_but_round(last, &line))
        return csv_table_error(table, row, columns[COLUMN_seconds],
                               "the line says otherwise of the pair than the line before");
    last->visit[last->rounds] = line.visit[0];
    last->x[last->rounds++] = line.x[0];
    return 0;
}

static int take_table(const struct csv_table *table, struct pairs *pairs) {
    int columns[COLUMN_COUNT];
    if (!table->ended)
        return error("%s:%zu: the last line has no end; the file was cut off", table->file,
                     table->lines[table->rows]);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if ((columns[i] = csv_table_column(table, names[i])) < 0)
            return -1;
    if (csv_table_column(table, "m") < 0)
        return -1;
    if (table->columns != COLUMN_COUNT + 3)
        return error("%s:1: %zu columns where this version knows %d", table->file, table->columns,
                     COLUMN_COUNT + 3);
    for (size_t i = 0; i < table->rows; i++)
        if (take_row(table, i, columns, pairs) < 0)
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
