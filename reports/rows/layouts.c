#include "reports/rows/layouts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/rows/derive_values.h"
#include "timing/stats.h"

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

static bool is_library(const char *name) {
    return derive_is_arm(name) && !derive_is_control(name);
}

static void list_layouts(const struct samples *samples, struct layouts *layouts) {
    size_t column = samples->column_count;
    for (size_t nn = 0; nn < samples->column_count; nn++)
        for (size_t tn = 0; tn < samples->column_count && is_library(samples->columns[nn]); tn++) {
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
    to->values = malloc(from->blocks * columns * sizeof *to->values + 1);
    if (!to->values)
        return error("no memory for the layouts of %zu blocks", from->blocks);
    for (size_t i = 0; i < layouts->count; i++)
        memcpy(to->columns[layouts->list[i].column], layouts->list[i].name, RUNDIR_NAME);
    for (size_t b = 0; b < from->blocks; b++)
        memcpy(to->values + b * columns, from->values + b * from->column_count,
               from->column_count * sizeof *to->values);
    return 0;
}

/* Whether nn is the faster one in the blocks that are not of the part. x has room for a block. */
static bool is_nn_faster(const struct samples *samples, const struct layouts_max *max,
                         const size_t *part_of, size_t part, double *x) {
    size_t n = 0;
    for (size_t b = 0; b < samples->blocks; b++)
        if (part_of[b] != part && derive_known(samples, b, max->nn, max->tn))
            x[n++] = log(derive_value(samples, b, max->nn) / derive_value(samples, b, max->tn));
    return !(stats_median(x, n) > 0);
}

static void fill(struct samples *samples, struct layouts_max *max, const size_t *part_of,
                 size_t parts, double *x) {
    max->parts = parts;
    for (size_t part = 0; part < parts; part++) {
        const bool nn = is_nn_faster(samples, max, part_of, part, x);
        max->nn_parts += nn;
        for (size_t b = 0; b < samples->blocks; b++) {
            float *row = samples->values + b * samples->column_count;
            if (part_of[b] == part)
                row[max->column] = row[nn ? max->nn : max->tn];
        }
    }
}

int layouts_add(const struct samples *from, struct layouts *layouts) {
    *layouts = (struct layouts){0};
    list_layouts(from, layouts);
    if (copy(from, layouts) < 0)
        return -1;
    size_t *part_of = malloc(from->blocks * sizeof *part_of + 1);
    double *x = malloc(from->blocks * sizeof *x + 1);
    const size_t rounds = derive_rounds(from), parts = rounds > 1 ? rounds : 2;
    for (size_t b = 0; part_of && b < from->blocks; b++)
        part_of[b] = rounds > 1 ? (size_t)derive_round_of(from, b) : b % 2;
    for (size_t i = 0; part_of && x && i < layouts->count; i++)
        fill(&layouts->samples, &layouts->list[i], part_of, parts, x);
    const int status =
        part_of && x ? 0 : error("no memory for the layouts of %zu blocks", from->blocks);
    free(part_of);
    free(x);
    if (status < 0)
        layouts_free(layouts);
    return status;
}

void layouts_free(struct layouts *layouts) {
    free(layouts->samples.values);
    *layouts = (struct layouts){0};
}

const char *layouts_say(const struct layouts *layouts, size_t column, char text[RUNDIR_NAME]) {
    for (size_t i = 0; i < layouts->count; i++) {
        const struct layouts_max *max = &layouts->list[i];
        const size_t tn_parts = max->parts - max->nn_parts;
        if (max->column != column)
            continue;
        if (max->nn_parts == 0 || tn_parts == 0)
            snprintf(text, RUNDIR_NAME, "%s is the faster layout", tn_parts ? "tn" : "nn");
        else if (derive_rounds(&layouts->samples) > 1)
            snprintf(text, RUNDIR_NAME, "the faster layout is nn in %zu and tn in %zu rounds",
                     max->nn_parts, tn_parts);
        else
            snprintf(text, RUNDIR_NAME, "either half of the blocks has another faster layout");
        return text;
    }
    return NULL;
}
