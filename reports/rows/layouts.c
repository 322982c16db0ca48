#include "reports/rows/layouts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/rows/derive_values.h"

/* Whether the names are X-nn and X-tn; if so, name becomes X-max. */
static bool are_layouts(const char *nn, const char *tn, char name[RUNDIR_NAME]) {
    size_t stem = strlen(nn);
    if (stem < 3 || strcmp(nn + stem - 3, "-nn") != 0)
        return false;
    stem -= 3;
    if (strncmp(nn, tn, stem) != 0 || strcmp(tn + stem, "-tn") != 0)
        return false;
    snprintf(name, RUNDIR_NAME, "%.*s-max", (int)stem, nn);
    return true;
}

bool layouts_is_max(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, "-max") == 0;
}

static void list_layouts(const struct samples *samples, struct layouts *layouts) {
    size_t column = samples->column_count;
    for (size_t nn = 0; nn < samples->column_count; nn++)
        for (size_t tn = 0; tn < samples->column_count && derive_is_own(samples->columns[nn]);
             tn++) {
            struct layouts_max *max = &layouts->list[layouts->count];
            if (!are_layouts(samples->columns[nn], samples->columns[tn], max->name))
                continue;
            max->nn = nn;
            max->tn = tn;
            max->column = column++;
            layouts->count++;
        }
}

/* The copy, with the new columns' names and no values in them. */
static int copy(const struct samples *from, struct layouts *layouts) {
    struct samples *to = &layouts->samples;
    const size_t columns = from->column_count + layouts->count;
    if (columns > SAMPLES_COLUMNS)
        return error("%zu columns of samples; there is room for %d", columns, SAMPLES_COLUMNS);
    *to = *from;
    to->column_count = columns;
    to->values = need(from->blocks * columns, sizeof *to->values);
    for (size_t i = 0; i < layouts->count; i++)
        memcpy(to->columns[layouts->list[i].column], layouts->list[i].name, RUNDIR_NAME);
    for (size_t b = 0; b < from->blocks; b++)
        memcpy(to->values + b * columns, from->values + b * from->column_count,
               from->column_count * sizeof *to->values);
    return 0;
}

/* Fills the column with the times of the layout that has the better mean of all visits. */
static void fill_max(struct samples *samples, struct layouts_max *max) {
    max->is_nn = !(derive_ratio(samples, max->nn, max->tn, -1).estimate > 0);
    for (size_t b = 0; b < samples->blocks; b++) {
        float *row = samples->values + b * samples->column_count;
        row[max->column] = row[max->is_nn ? max->nn : max->tn];
    }
}

int layouts_add(const struct samples *from, struct layouts *layouts) {
    *layouts = (struct layouts){0};
    list_layouts(from, layouts);
    if (copy(from, layouts) < 0)
        return -1;
    for (size_t i = 0; i < layouts->count; i++)
        fill_max(&layouts->samples, &layouts->list[i]);
    return 0;
}

void layouts_free(struct layouts *layouts) {
    free(layouts->samples.values);
    *layouts = (struct layouts){0};
}

const char *layouts_say(const struct layouts *layouts, size_t column) {
    for (size_t i = 0; i < layouts->count; i++)
        if (layouts->list[i].column == column)
            return layouts->list[i].is_nn ? "nn is the faster layout" : "tn is the faster layout";
    return NULL;
}
