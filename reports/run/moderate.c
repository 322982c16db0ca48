#include "reports/run/moderate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/run/size_class.h"
#include "timing/rounds.h"

/* A row of several rounds. */
struct member {
    struct ratio_row *row;
    int size_class;
};

static bool is_of_unit(const struct ratio_row *a, const struct ratio_row *b) {
    return shape_compare(a->shape, b->shape) == 0 && strcmp(a->candidate, b->candidate) == 0 &&
           strcmp(a->mode, b->mode) == 0 && strcmp(a->lens, b->lens) == 0;
}

/* Whether `max` is X-max and `layout` X-nn or X-tn, with the same numbers. */
static bool is_copy(const struct ratio_row *max, const struct ratio_row *layout) {
    const size_t length = strlen(max->baseline);
    if (length < 4 || strcmp(max->baseline + length - 4, "-max") != 0 ||
        strncmp(max->baseline, layout->baseline, length - 4) != 0)
        return false;
    const char *rest = layout->baseline + length - 4;
    return (strcmp(rest, "-nn") == 0 || strcmp(rest, "-tn") == 0) && is_of_unit(max, layout) &&
           max->ratio == layout->ratio && max->round_sd == layout->round_sd;
}

/* The row that a -max row is a copy of; it stands before it, in the same unit. NULL: it is none. */
static struct ratio_row *copied_by(const struct rows *rows, size_t at) {
    for (size_t i = at; i > 0 && is_of_unit(&rows->ratios[i - 1], &rows->ratios[at]); i--)
        if (is_copy(&rows->ratios[at], &rows->ratios[i - 1]))
            return &rows->ratios[i - 1];
    return NULL;
}

static bool has_rounds(const struct ratio_row *row) {
    return row->ratio > 0 && isfinite(row->round_sd) && row->freedom >= 1;
}

static int compare_series(const struct member *a, const struct member *b) {
    const int order = strcmp(a->row->lens, b->row->lens);
    return order ? order : strcmp(a->row->mode, b->row->mode);
}

/* By lens, mode, size class and, so that the order does not depend on the sort, place. */
static int compare_members(const void *left, const void *right) {
    const struct member *a = left, *b = right;
    const int order = compare_series(a, b);
    return order                            ? order
           : a->size_class != b->size_class ? a->size_class - b->size_class
                                            : (a->row > b->row) - (a->row < b->row);
}

static size_t list_members(const struct rows *rows, struct member *members) {
    size_t count = 0;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        struct ratio_row *row = &rows->ratios[i];
        if (has_rounds(row) && !copied_by(rows, i))
            members[count++] = (struct member){row, size_class_of(row->shape)};
    }
    qsort(members, count, sizeof *members, compare_members);
    return count;
}

static struct rounds rounds_of(const struct ratio_row *row) {
    const double variance = row->round_sd * row->round_sd + row->clock_step * row->clock_step / 12;
    return (struct rounds){.estimate = log(row->ratio),
                           .count = (size_t)(row->freedom + 1.5),
                           .own = {variance, row->freedom},
                           .plain_error = row->block_error};
}

static void put_moderated(struct ratio_row *row, const struct rounds *rounds) {
    const double least = row->clock_step / 2;
    if (!isfinite(rounds->low) || !isfinite(rounds->high))
        return;
    row->ci_low = exp(fmin(rounds->low, rounds->estimate - least));
    row->ci_high = exp(fmax(rounds->high, rounds->estimate + least));
    row->freedom = rounds->used.freedom;
    if (strcmp(row->verdict, "environment") != 0)
        snprintf(row->verdict, sizeof row->verdict, "%s", rows_verdict(row->ci_low, row->ci_high));
}

/* The `count` members that are a class by themselves into moderated[]; room is for as many. */
static void moderate_class(const struct member *members, size_t count, struct rounds *moderated) {
    for (size_t i = 0; i < count; i++)
        moderated[i] = rounds_of(members[i].row);
    rounds_moderate_all(moderated, count, 0.95);
}

/* All members of a lens and a mode; rows change only when all of them were read. */
static void moderate_series(const struct member *members, size_t count, struct rounds *of_all,
                            struct rounds *of_class) {
    moderate_class(members, count, of_all);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && members[end].size_class == members[first].size_class;)
            end++;
        if (end - first >= MODERATE_LEAST)
            moderate_class(members + first, end - first, of_class + first);
        else
            memcpy(of_class + first, of_all + first, (end - first) * sizeof *of_class);
    }
    for (size_t i = 0; i < count; i++)
        put_moderated(members[i].row, &of_class[i]);
}

/* A copy of a row that was moderated has the row's values, but for its name and note. */
static void follow(const struct rows *rows, struct ratio_row *const *copied) {
    for (size_t i = 0; i < rows->ratio_count; i++) {
        struct ratio_row *row = &rows->ratios[i];
        if (!copied[i])
            continue;
        row->ci_low = copied[i]->ci_low;
        row->ci_high = copied[i]->ci_high;
        row->freedom = copied[i]->freedom;
        memcpy(row->verdict, copied[i]->verdict, sizeof row->verdict);
    }
}

void moderate_rows(struct rows *rows) {
    const size_t most = rows->ratio_count + 1;
    struct member *members = malloc(most * sizeof *members);
    struct ratio_row **copied = malloc(most * sizeof *copied);
    struct rounds *room = malloc(2 * most * sizeof *room);
    if (members && copied && room) {
        const size_t count = list_members(rows, members);
        for (size_t i = 0; i < rows->ratio_count; i++)
            copied[i] = copied_by(rows, i);
        for (size_t first = 0, end; first < count; first = end) {
            for (end = first + 1;
                 end < count && compare_series(members + first, members + end) == 0;)
                end++;
            moderate_series(members + first, end - first, room, room + most);
        }
        follow(rows, copied);
    }
    free(room);
    free(copied);
    free(members);
}
