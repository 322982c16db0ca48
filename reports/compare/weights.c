#include <stdlib.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "reports/compare/comparison.h"

#define MOST_WEIGHT 1e30 /* sums stay finite */

struct entry {
    struct shape shape;
    double weight;
    size_t line;
};

static int compare(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    const int order = shape_compare(a->shape, b->shape);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int take_entry(const struct csv_table *table, size_t row, int column, struct entry *entry) {
    entry->line = csv_table_line(table, row);
    if (csv_table_shape(table, row, &entry->shape) < 0 ||
        csv_table_number(table, row, column, &entry->weight) < 0)
        return -1;
    return entry->weight >= 0 && entry->weight <= MOST_WEIGHT
               ? 0
               : csv_table_error(table, row, column, "%g is no weight from 0 to %g", entry->weight,
                                 MOST_WEIGHT);
}

/* Sorted by shape, none of them twice. */
static int take_entries(const struct csv_table *table, struct entry *entries) {
    const int column = csv_table_column(table, "weight");
    double most = 0;
    if (column < 0)
        return -1;
    for (size_t i = 0; i < table->rows; i++) {
        if (take_entry(table, i, column, &entries[i]) < 0)
            return -1;
        most = entries[i].weight > most ? entries[i].weight : most;
    }
    if (most == 0)
        return error("%s: no weight is above 0; say how often at least one shape is called",
                     table->file);
    qsort(entries, table->rows, sizeof *entries, compare);
    for (size_t i = 1; i < table->rows; i++)
        if (shape_compare(entries[i - 1].shape, entries[i].shape) == 0)
            return error("%s:%zu: the shape of line %zu again; remove one", table->file,
                         entries[i].line, entries[i - 1].line);
    return 0;
}

int weights_read(const char *file, struct weights *weights) {
    struct csv_table table;
    *weights = (struct weights){0};
    if (csv_table_read(file, &table) < 0)
        return -1;
    const size_t count = table.rows;
    struct entry *entries = malloc((count + 1) * sizeof *entries);
    int status = entries ? take_entries(&table, entries) : error("%s: no memory", file);
    csv_table_free(&table);
    if (status == 0) {
        weights->shapes = malloc(count * sizeof *weights->shapes);
        weights->weights = malloc(count * sizeof *weights->weights);
        if (!weights->shapes || !weights->weights)
            status = error("%s: no memory", file);
    }
    for (size_t i = 0; i < count && status == 0; i++) {
        weights->shapes[i] = entries[i].shape;
        weights->weights[i] = entries[i].weight;
    }
    free(entries);
    if (status < 0)
        weights_free(weights);
    else
        weights->count = count;
    return status;
}

static int compare_shapes(const void *left, const void *right) {
    return shape_compare(*(const struct shape *)left, *(const struct shape *)right);
}

static const struct shape *find(const struct weights *weights, struct shape shape) {
    return bsearch(&shape, weights->shapes, weights->count, sizeof *weights->shapes,
                   compare_shapes);
}

bool weights_has(const struct weights *weights, struct shape shape) {
    return find(weights, shape) != NULL;
}

double weights_of(const struct weights *weights, struct shape shape) {
    if (!weights || weights->count == 0)
        return 1;
    const struct shape *found = find(weights, shape);
    return found ? weights->weights[found - weights->shapes] : 0;
}

void weights_free(struct weights *weights) {
    free(weights->shapes);
    free(weights->weights);
    *weights = (struct weights){0};
}
