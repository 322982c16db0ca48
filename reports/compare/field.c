#include "reports/compare/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/layouts.h"

/* A speed and the run that it is from. */
struct item {
    const struct pair *speed;
    size_t run;
};

/* Where a row is made: the items of one shape, mode, lens and cache. */
struct group {
    const struct item *items;
    size_t count;
};

static int compare_rows(const struct pair *a, const struct pair *b) {
    int order = shape_compare(a->shape, b->shape);
    order = order ? order : strcmp(a->mode, b->mode);
    order = order ? order : strcmp(a->lens, b->lens);
    return order ? order : strcmp(a->cache, b->cache);
}

static int compare_items(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    int order = compare_rows(a->speed, b->speed);
    order = order ? order : (a->run > b->run) - (a->run < b->run);
    order = order ? order : strcmp(a->speed->candidate, b->speed->candidate);
    return order ? order : strcmp(a->speed->reference, b->speed->reference);
}

/* X-max is one of two layouts that are here themselves. */
static bool is_single_layout(const char *reference) {
    return strcmp(reference, RUNDIR_PREVIOUS) != 0 && !layouts_is_max(reference);
}

static bool is_wanted(const struct pair *speed, const char *mode, const char *lens) {
    return is_single_layout(speed->reference) && !speed->unrecorded &&
           strcmp(speed->mode, mode) == 0 && strcmp(speed->lens, lens) == 0;
}

static size_t count_unrecorded(const struct pairs *speeds) {
    const struct pair *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct pair *speed = &speeds->list[i];
        const bool same = last && shape_compare(last->shape, speed->shape) == 0 &&
                          strcmp(last->candidate, speed->candidate) == 0;
        if (!speed->unrecorded || !is_single_layout(speed->reference) || same)
            continue;
        last = speed;
        count++;
    }
    return count;
}

/* The speed of the item's kernel against the library; NULL: it was not timed beside it. */
static const struct pair *against(const struct group *group, const struct item *item,
                                  const char *library) {
    for (size_t i = 0; i < group->count; i++)
        if (group->items[i].run == item->run &&
            strcmp(group->items[i].speed->candidate, item->speed->candidate) == 0 &&
            strcmp(group->items[i].speed->reference, library) == 0)
            return group->items[i].speed;
    return NULL;
}

/* Whether every kernel of the group was timed beside the library; its mean time. */
static bool is_common(const struct group *group, const char *library, double *seconds) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct pair *speed = against(group, &group->items[i], library);
        if (!speed)
            return false;
        sum += speed->reference_seconds;
        count++;
    }
    *seconds = sum / (double)count;
    return true;
}

/* Fills in the strongest library that all have. Who has all has those of the first kernel. */
static void find_library(const struct group *group, struct field_row *row) {
    const char *kernel = group->items[0].speed->candidate;
    double seconds;
    row->library_seconds = INFINITY;
    for (size_t i = 0; i < group->count && strcmp(group->items[i].speed->candidate, kernel) == 0;
         i++)
        if (is_common(group, group->items[i].speed->reference, &seconds) &&
            seconds < row->library_seconds) {
            row->library_seconds = seconds;
            row->library = group->items[i].speed->reference;
        }
}

static void add_kernel(const struct item *item, size_t together, struct field_row *row) {
    const struct estimate is = estimate_together(item->speed, together);
    row->kernels[row->count++] =
        (struct field_kernel){.name = item->speed->candidate,
                              .run = item->run,
                              .timed_visits = item->speed->timed_visits,
                              .left_out = item->speed->left_out,
                              .ratio = is,
                              .verdict = estimate_verdict(&is, item->speed, NULL, row->margin)};
}

static int compare_kernels(const void *left, const void *right) {
    const struct field_kernel *a = left, *b = right;
    if (a->ratio.ratio != b->ratio.ratio)
        return a->ratio.ratio < b->ratio.ratio ? 1 : -1;
    return strcmp(a->name, b->name);
}

static void put_winner(struct field_row *row) {
    for (size_t i = row->count; i-- > 0;)
        if (row->kernels[i].verdict == VERDICT_FASTER) {
            row->wins = true;
            row->best = i;
        }
}

/* Fills the row from its items; it has room for a kernel an item. */
static void fill_row(const struct group *group, struct field_row *row) {
    size_t together = 0;
    for (size_t i = 0; i < group->count; i++)
        together += strcmp(group->items[i].speed->reference, row->library) == 0;
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->items[i].speed->reference, row->library) == 0)
            add_kernel(&group->items[i], together, row);
    qsort(row->kernels, row->count, sizeof *row->kernels, compare_kernels);
    put_winner(row);
}

static void add_row(const struct group *group, const struct gate_policy *policy,
                    struct field *field) {
    const struct pair *first = group->items[0].speed;
    struct field_row *row = &field->rows[field->count];
    *row = (struct field_row){.shape = first->shape,
                              .mode = first->mode,
                              .lens = first->lens,
                              .margin = gate_policy_class(policy, first->shape)->margin};
    find_library(group, row);
    if (!row->library) {
        field->lone++;
        return;
    }
    row->kernels = need(group->count, sizeof *row->kernels);
    field->count++;
    fill_row(group, row);
}

static void add_rows(const struct item *items, size_t count, const struct gate_policy *policy,
                     struct field *field) {
    for (size_t first = 0, last; first < count; first = last) {
        for (last = first + 1;
             last < count && compare_rows(items[first].speed, items[last].speed) == 0; last++)
            ;
        const struct group group = {items + first, last - first};
        add_row(&group, policy, field);
    }
}

void field_make(const struct field_run *runs, size_t run_count, const char *mode, const char *lens,
                const struct gate_policy *policy, struct field *field) {
    size_t most = 0, count = 0;
    *field = (struct field){0};
    for (size_t r = 0; r < run_count; r++)
        most += runs[r].speeds.count;
    struct item *items = need(most, sizeof *items);
    field->rows = need(most, sizeof *field->rows);
    for (size_t r = 0; r < run_count; r++)
        field->unrecorded += count_unrecorded(&runs[r].speeds);
    for (size_t r = 0; r < run_count; r++)
        for (size_t i = 0; i < runs[r].speeds.count; i++)
            if (is_wanted(&runs[r].speeds.list[i], mode, lens))
                items[count++] = (struct item){&runs[r].speeds.list[i], r};
    qsort(items, count, sizeof *items, compare_items);
    add_rows(items, count, policy, field);
    free(items);
}

void field_free(struct field *field) {
    for (size_t i = 0; i < field->count; i++)
        free(field->rows[i].kernels);
    free(field->rows);
    *field = (struct field){0};
}
