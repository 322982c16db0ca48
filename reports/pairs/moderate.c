#include "reports/pairs/moderate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/derive_controls.h"
#include "reports/rows/size_class.h"
#include "timing/visits.h"

/* A row of several visits, and what it is moderated by: rows of the same words and of shapes of its
 * size class. */
struct moderate_row {
    const char *kind, *lens, *mode;
    struct shape shape;
    size_t place; /* among the run's ratios, then its controls */
    struct visits visits;
};

static int compare_series(const struct moderate_row *a, const struct moderate_row *b) {
    int order = strcmp(a->kind, b->kind);
    order = order ? order : strcmp(a->lens, b->lens);
    return order ? order : strcmp(a->mode, b->mode);
}

/* By kind, lens, mode, size class, shape and, so that the order does not depend on the sort, place.
 */
static int compare_rows(const void *left, const void *right) {
    const struct moderate_row *a = left, *b = right;
    int order = compare_series(a, b);
    order = order ? order : size_class_of(a->shape) - size_class_of(b->shape);
    order = order ? order : shape_compare(a->shape, b->shape);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* Where the rows of the shape of the first end; *freedom: the most that any of them has. */
static size_t shape_end(const struct moderate_row *rows, size_t first, size_t count,
                        double *freedom) {
    size_t end = first;
    *freedom = 0;
    for (; end < count && shape_compare(rows[first].shape, rows[end].shape) == 0; end++)
        *freedom = fmax(*freedom, rows[end].visits.own.freedom);
    return end;
}

/* The `count` rows that are a class by themselves into moderated[]; room is for as many. */
static void moderate_class(const struct moderate_row *rows, size_t count,
                           struct visits *moderated) {
    double pooled = 0, freedom;
    for (size_t i = 0; i < count; pooled += freedom)
        i = shape_end(rows, i, count, &freedom);
    for (size_t i = 0; i < count; i++)
        moderated[i] = rows[i].visits;
    visits_moderate_all(moderated, count, pooled, 0.95);
}

/* All rows of a kind, a lens and a mode; they change only when all of them were read. */
static void moderate_series(struct moderate_row *rows, size_t count, struct visits *of_all,
                            struct visits *of_class) {
    moderate_class(rows, count, of_all);
    for (size_t first = 0, end; first < count; first = end) {
        const int size_class = size_class_of(rows[first].shape);
        size_t shapes = 0;
        double unused;
        for (end = first; end < count && size_class_of(rows[end].shape) == size_class; shapes++)
            end = shape_end(rows, end, count, &unused);
        if (shapes >= MODERATE_LEAST)
            moderate_class(rows + first, end - first, of_class + first);
        else
            memcpy(of_class + first, of_all + first, (end - first) * sizeof *of_class);
    }
    for (size_t i = 0; i < count; i++)
        rows[i].visits = of_class[i];
}

/* Puts the rows into another order. */
static void moderate_by_class(struct moderate_row *rows, size_t count) {
    struct visits *room = need(2 * count, sizeof *room);
    if (count > 0)
        qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_series(rows + first, rows + end) == 0;)
            end++;
        moderate_series(rows + first, end - first, room, room + count);
    }
    free(room);
}

/* No row of a unit has more degrees of freedom than visits; an edited one may. */
static bool has_visits(double estimate, double visit_sd, double freedom, double visits) {
    return isfinite(estimate) && isfinite(visit_sd) && freedom >= 1 && freedom <= visits;
}

static struct visits visits_of(const struct ratio_row *row) {
    const double variance = row->visit_sd * row->visit_sd + row->clock_step * row->clock_step / 12;
    return (struct visits){.estimate = log(row->ratio),
                           .count = (size_t)(row->freedom + 1.5),
                           .own = {variance, row->freedom},
                           .plain_error = row->block_error};
}

static void put_ratio(struct ratio_row *row, const struct visits *visits) {
    const double least = row->clock_step / 2;
    row->ci_low = exp(fmin(visits->low, visits->estimate - least));
    row->ci_high = exp(fmax(visits->high, visits->estimate + least));
    row->freedom = visits->used.freedom;
    snprintf(row->verdict, sizeof row->verdict, "%s", rows_verdict(row));
}

/* The rows of several visits: first the ratios, by their place, then the controls. */
static size_t list_rows(const struct rows *rows, struct moderate_row *list) {
    size_t count = 0;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (has_visits(log(row->ratio), row->visit_sd, row->freedom, row->visits))
            list[count++] =
                (struct moderate_row){"ratio", row->lens, row->mode, row->shape, i, visits_of(row)};
    }
    for (size_t i = 0; i < rows->control_count; i++) {
        const struct control_row *row = &rows->controls[i];
        if (has_visits(row->ratio, row->visit_sd, row->freedom, row->visits))
            list[count++] = (struct moderate_row){row->control,
                                                  row->lens,
                                                  row->mode,
                                                  row->shape,
                                                  rows->ratio_count + i,
                                                  derive_control_visits(row)};
    }
    return count;
}

void moderate_rows(struct rows *rows) {
    struct moderate_row *list = need(rows->ratio_count + rows->control_count, sizeof *list);
    const size_t count = list_rows(rows, list);
    moderate_by_class(list, count);
    for (size_t i = 0; i < count; i++) {
        const struct visits *visits = &list[i].visits;
        if (!isfinite(visits->low) || !isfinite(visits->high))
            continue;
        if (list[i].place < rows->ratio_count)
            put_ratio(&rows->ratios[list[i].place], visits);
        else
            derive_control_put(&rows->controls[list[i].place - rows->ratio_count], visits);
    }
    free(list);
}
