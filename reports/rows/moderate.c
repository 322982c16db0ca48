#include "reports/rows/moderate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/rows/derive_controls.h"
#include "reports/rows/size_class.h"
#include "timing/rounds.h"

/* A row of several rounds: a ratio's or a control's. */
struct member {
    struct ratio_row *ratio;
    struct control_row *control; /* NULL: a ratio */
    const char *kind, *lens, *mode;
    int size_class;
};

static bool has_rounds(double estimate, double round_sd, double freedom) {
    return isfinite(estimate) && isfinite(round_sd) && freedom >= 1;
}

static int compare_series(const struct member *a, const struct member *b) {
    int order = strcmp(a->kind, b->kind);
    order = order ? order : strcmp(a->lens, b->lens);
    return order ? order : strcmp(a->mode, b->mode);
}

/* By kind, lens, mode, size class and, so that the order does not depend on the sort, place. */
static int compare_members(const void *left, const void *right) {
    const struct member *a = left, *b = right;
    const int order = compare_series(a, b);
    return order                            ? order
           : a->size_class != b->size_class ? a->size_class - b->size_class
           : a->control                     ? (a->control > b->control) - (a->control < b->control)
                                            : (a->ratio > b->ratio) - (a->ratio < b->ratio);
}

static size_t list_members(const struct rows *rows, struct member *members) {
    size_t count = 0;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        struct ratio_row *row = &rows->ratios[i];
        if (has_rounds(log(row->ratio), row->round_sd, row->freedom))
            members[count++] = (struct member){row,       NULL,      "ratio",
                                               row->lens, row->mode, size_class_of(row->shape)};
    }
    for (size_t i = 0; i < rows->control_count; i++) {
        struct control_row *row = &rows->controls[i];
        if (has_rounds(row->ratio, row->round_sd, row->freedom))
            members[count++] = (struct member){NULL,      row,       row->control,
                                               row->lens, row->mode, size_class_of(row->shape)};
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

static void put_ratio(struct ratio_row *row, const struct rounds *rounds) {
    const double least = row->clock_step / 2;
    row->ci_low = exp(fmin(rounds->low, rounds->estimate - least));
    row->ci_high = exp(fmax(rounds->high, rounds->estimate + least));
    row->freedom = rounds->used.freedom;
    if (strcmp(row->verdict, "environment") != 0)
        snprintf(row->verdict, sizeof row->verdict, "%s", rows_verdict(row->ci_low, row->ci_high));
}

static void put_moderated(const struct member *member, const struct rounds *rounds) {
    if (!isfinite(rounds->low) || !isfinite(rounds->high))
        return;
    if (member->control)
        derive_control_put(member->control, rounds);
    else
        put_ratio(member->ratio, rounds);
}

/* The `count` members that are a class by themselves into moderated[]; room is for as many. */
static void moderate_class(const struct member *members, size_t count, struct rounds *moderated) {
    for (size_t i = 0; i < count; i++)
        moderated[i] = members[i].control ? derive_control_rounds(members[i].control)
                                          : rounds_of(members[i].ratio);
    rounds_moderate_all(moderated, count, 0.95);
}

/* All members of a kind, a lens and a mode; rows change only when all of them were read. */
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
        put_moderated(&members[i], &of_class[i]);
}

void moderate_rows(struct rows *rows) {
    const size_t most = rows->ratio_count + rows->control_count + 1;
    struct member *members = malloc(most * sizeof *members);
    struct rounds *room = malloc(2 * most * sizeof *room);
    if (members && room) {
        const size_t count = list_members(rows, members);
        for (size_t first = 0, end; first < count; first = end) {
            for (end = first + 1;
                 end < count && compare_series(members + first, members + end) == 0;)
                end++;
            moderate_series(members + first, end - first, room, room + most);
        }
    }
    free(room);
    free(members);
}
