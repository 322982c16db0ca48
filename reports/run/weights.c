#include "reports/run/weights.h"

#include <stdlib.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/need.h"

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

/* Sorted by shape, none of them twice. Counts of calls are weights, too; those of a shape that
 * stands there several times are added up. *kept: how many are left. */
static int take_entries(const struct csv_table *table, struct entry *entries, size_t *kept) {
    const bool counts = csv_table_find(table, "weight") < 0 && csv_table_find(table, "count") >= 0;
    const int column = csv_table_column(table, counts ? "count" : "weight");
    double most = 0;
    *kept = 0;
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
    for (size_t i = 0; i < table->rows; i++) {
        if (*kept == 0 || shape_compare(entries[*kept - 1].shape, entries[i].shape) != 0)
            entries[(*kept)++] = entries[i];
        else if (counts)
            entries[*kept - 1].weight += entries[i].weight;
        else
            return error("%s:%zu: the shape of line %zu again; remove one", table->file,
                         entries[i].line, entries[*kept - 1].line);
    }
    return 0;
}

static void keep(const struct entry *entries, size_t count, struct weights *weights) {
    weights->shapes = need(count, sizeof *weights->shapes);
    weights->weights = need(count, sizeof *weights->weights);
    for (size_t i = 0; i < count; i++) {
        weights->shapes[i] = entries[i].shape;
        weights->weights[i] = entries[i].weight;
    }
    weights->count = count;
}

int weights_read(const char *file, struct weights *weights) {
    struct csv_table table;
    size_t count = 0;
    *weights = (struct weights){0};
    if (csv_table_read(file, &table) < 0)
        return -1;
    struct entry *entries = need(table.rows, sizeof *entries);
    const int status = take_entries(&table, entries, &count);
    csv_table_free(&table);
    if (status == 0)
        keep(entries, count, weights);
    free(entries);
    return status;
}

int weights_of_run(const char *run, const json_t *plan, struct weights *weights) {
    *weights = (struct weights){0};
    const json_t *shapes = json_object_get(plan, "shapes");
    const json_t *counts = json_object_get(plan, "counts");
    const size_t count = json_array_size(counts);
    struct entry *entries = need(count, sizeof *entries);
    int status = counts && json_array_size(shapes) != count
                     ? error("%s/plan.json: counts are not those of its shapes", run)
                     : 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        const char *text = json_string_value(json_array_get(shapes, i));
        entries[i] = (struct entry){.weight = json_number_value(json_array_get(counts, i))};
        if (!text || shape_parse(text, &entries[i].shape) || !(entries[i].weight > 0) ||
            entries[i].weight > MOST_WEIGHT)
            status = error("%s/plan.json: counts[%zu] is no count of calls of a shape", run, i);
    }
    if (status == 0 && count > 0) {
        qsort(entries, count, sizeof *entries, compare);
        keep(entries, count, weights);
    }
    free(entries);
    return status;
}

static int compare_shapes(const void *left, const void *right) {
    return shape_compare(*(const struct shape *)left, *(const struct shape *)right);
}

static const struct shape *find_shape(const struct weights *weights, struct shape shape) {
    return bsearch(&shape, weights->shapes, weights->count, sizeof *weights->shapes,
                   compare_shapes);
}

bool weights_has(const struct weights *weights, struct shape shape) {
    return find_shape(weights, shape) != NULL;
}

double weights_of(const struct weights *weights, struct shape shape) {
    if (!weights || weights->count == 0)
        return 1;
    const struct shape *found = find_shape(weights, shape);
    return found ? weights->weights[found - weights->shapes] : 0;
}

void weights_free(struct weights *weights) {
    free(weights->shapes);
    free(weights->weights);
    *weights = (struct weights){0};
}
