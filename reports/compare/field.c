#include "reports/compare/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"

/* A speed and the run that it is from. */
struct item {
    const struct round_speed *speed;
    size_t run;
};

/* Where a row is made: the items of one shape, mode, lens and cache. */
struct group {
    const struct item *items;
    size_t count;
};

static int compare_rows(const struct round_speed *a, const struct round_speed *b) {
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
static bool is_library(const char *reference) {
    const size_t length = strlen(reference);
    return strcmp(reference, RUNDIR_PREVIOUS) != 0 &&
           !(length > 4 && strcmp(reference + length - 4, "-max") == 0);
}

static bool is_wanted(const struct round_speed *speed, const char *mode, const char *lens) {
    return is_library(speed->reference) && (!mode || strcmp(speed->mode, mode) == 0) &&
           (!lens || strcmp(speed->lens, lens) == 0);
}

/* The speed of the item's kernel against the library; NULL: it was not timed beside it. */
static const struct round_speed *against(const struct group *group, const struct item *item,
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
        const struct round_speed *speed = against(group, &group->items[i], library);
        if (!speed)
            return false;
        sum += speed->reference_seconds;
        count++;
    }
    *seconds = sum / (double)count;
    return true;
}

/* The strongest library that all have; NULL: none. Who has all has those of the first kernel. */
static const char *find_anchor(const struct group *group) {
    const char *best = NULL, *kernel = group->items[0].speed->candidate;
    double least = INFINITY, seconds;
    for (size_t i = 0; i < group->count && strcmp(group->items[i].speed->candidate, kernel) == 0;
         i++)
        if (is_common(group, group->items[i].speed->reference, &seconds) && seconds < least) {
            least = seconds;
            best = group->items[i].speed->reference;
        }
    return best;
}

static bool is_there(const struct field_row *row, const char *name, bool library, size_t run) {
    for (size_t i = 0; i < row->count; i++)
        if (row->entries[i].is_library == library && strcmp(row->entries[i].name, name) == 0 &&
            (library || row->entries[i].run == run))
            return true;
    return false;
}

static void add_kernel(const struct item *item, struct field_row *row) {
    struct field_entry *entry = &row->entries[row->count++];
    *entry = (struct field_entry){.name = item->speed->candidate,
                                  .run = item->run,
                                  .place = words_places[item->speed->place],
                                  .seconds = item->speed->seconds,
                                  .rounds = item->speed->rounds};
    memcpy(entry->x, item->speed->x, sizeof entry->x);
}

/* A library's rounds, run by run: each is the mean over the run's kernels that were timed beside
 * it. Of the anchor all are 0. */
static void add_rounds(const struct group *group, size_t run, const char *anchor,
                       struct field_entry *entry) {
    double sums[ROUND_SPEEDS_ROUNDS] = {0};
    size_t rounds = ROUND_SPEEDS_ROUNDS, kernels = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct item *item = &group->items[i];
        if (item->run != run || strcmp(item->speed->reference, entry->name) != 0)
            continue;
        const struct round_speed *base = against(group, item, anchor);
        rounds = item->speed->rounds < rounds ? item->speed->rounds : rounds;
        rounds = base->rounds < rounds ? base->rounds : rounds;
        for (size_t r = 0; r < rounds; r++)
            sums[r] += base->x[r] - item->speed->x[r];
        kernels++;
    }
    for (size_t r = 0; kernels > 0 && r < rounds && entry->rounds < ROUND_SPEEDS_ROUNDS; r++)
        entry->x[entry->rounds++] = sums[r] / (double)kernels;
}

static void add_library(const struct group *group, const char *name, const char *anchor,
                        struct field_row *row) {
    struct field_entry *entry = &row->entries[row->count++];
    double sum = 0;
    size_t count = 0;
    *entry = (struct field_entry){
        .name = name, .run = FIELD_RUNS, .is_library = true, .place = words_places[PLACE_OWN]};
    for (size_t run = 0; run < FIELD_RUNS; run++)
        add_rounds(group, run, anchor, entry);
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->items[i].speed->reference, name) == 0) {
            sum += group->items[i].speed->reference_seconds;
            if (!*words_place_mark(entry->place))
                entry->place = words_places[group->items[i].speed->place];
            count++;
        }
    entry->seconds = sum / (double)count;
}

static int compare_entries(const void *left, const void *right) {
    const struct field_entry *a = left, *b = right;
    if (a->ratio.ratio != b->ratio.ratio)
        return a->ratio.ratio < b->ratio.ratio ? 1 : -1;
    const int order = (int)b->is_library - (int)a->is_library;
    return order ? order : strcmp(a->name, b->name);
}

/* Whether the later of two is shown to be slower. */
static bool is_apart(const double *x, size_t n, const double *first, size_t first_n,
                     double margin) {
    const struct comparison_ratio ratio =
        comparison_ratio_of(x, n, first, first_n, COMPARISON_CONFIDENCE);
    return comparison_judge(ratio.low, ratio.high, margin) == COMPARISON_SLOWER;
}

static void put_ranks(struct field_row *row) {
    for (size_t i = 0, first = 0; i < row->count; i++) {
        const struct field_entry *best = &row->entries[first], *entry = &row->entries[i];
        if (is_apart(entry->x, entry->rounds, best->x, best->rounds, row->margin))
            first = i;
        row->entries[i].rank = first + 1;
    }
}

static void put_ratios(struct field_row *row) {
    size_t kernels = 0;
    for (size_t i = 0; i < row->count; i++)
        kernels += !row->entries[i].is_library;
    for (size_t i = 0; i < row->count; i++) {
        struct field_entry *entry = &row->entries[i];
        const double doubt = 1 - COMPARISON_CONFIDENCE;
        entry->ratio =
            comparison_ratio_of(entry->x, entry->rounds, NULL, 0,
                                1 - (entry->is_library ? doubt : doubt / (double)kernels));
    }
}

static bool may_win(const struct field_entry *entry, const struct gate_policy *policy) {
    return !entry->is_library && !(policy->native_refused && *words_place_mark(entry->place));
}

static void put_winner(struct field_row *row, const struct gate_policy *policy) {
    size_t first = 0;
    while (row->entries[first].is_library)
        first++;
    row->kernel = first;
    while (row->kernel < row->count && !may_win(&row->entries[row->kernel], policy))
        row->kernel++;
    const bool none = row->kernel == row->count;
    row->passed_over = row->kernel != first;
    row->kernel = none ? first : row->kernel;
    const struct comparison_ratio best = row->entries[row->kernel].ratio;
    row->winner = !none && best.low > 1 && best.ratio > 1 + row->margin ? row->kernel : row->anchor;
}

/* Fills the row from its items; it has room for an entry an item and one more. */
static void fill(const struct group *group, const char *anchor, const struct gate_policy *policy,
                 struct field_row *row) {
    const struct gate_class *class = gate_policy_class(policy, row->shape);
    row->size_class = class->name;
    row->margin = class->margin;
    for (size_t i = 0; i < group->count; i++) {
        const struct item *item = &group->items[i];
        const char *library = item->speed->reference;
        double unused;
        if (strcmp(library, anchor) == 0)
            add_kernel(item, row);
        if (!is_there(row, library, true, 0) && is_common(group, library, &unused))
            add_library(group, library, anchor, row);
    }
    put_ratios(row);
    qsort(row->entries, row->count, sizeof *row->entries, compare_entries);
    put_ranks(row);
    while (strcmp(row->entries[row->anchor].name, anchor) != 0 ||
           !row->entries[row->anchor].is_library)
        row->anchor++;
    put_winner(row, policy);
}

static int add_row(const struct group *group, const struct gate_policy *policy,
                   const struct weights *weights, struct field *field) {
    const struct round_speed *first = group->items[0].speed;
    const char *anchor = find_anchor(group);
    struct field_row *row = &field->rows[field->count];
    if (!anchor) {
        field->lone++;
        return 0;
    }
    *row = (struct field_row){.shape = first->shape,
                              .mode = first->mode,
                              .lens = first->lens,
                              .cache = first->cache,
                              .entries = calloc(2 * group->count, sizeof *row->entries),
                              .weight = weights_of(weights, first->shape)};
    if (!row->entries)
        return error("no memory for %zu speeds of one shape", group->count);
    field->count++;
    fill(group, anchor, policy, row);
    return 0;
}

static int add_rows(const struct item *items, size_t count, const struct gate_policy *policy,
                    const struct weights *weights, struct field *field) {
    for (size_t first = 0, last; first < count; first = last) {
        for (last = first + 1;
             last < count && compare_rows(items[first].speed, items[last].speed) == 0; last++)
            ;
        const struct group group = {items + first, last - first};
        if (add_row(&group, policy, weights, field) < 0)
            return -1;
    }
    return 0;
}

int field_make(const struct field_run *runs, size_t run_count, const char *mode, const char *lens,
               const struct gate_policy *policy, const struct weights *weights,
               struct field *field) {
    size_t most = 0, count = 0;
    *field = (struct field){0};
    for (size_t r = 0; r < run_count; r++)
        most += runs[r].speeds.count;
    struct item *items = malloc((most + 1) * sizeof *items);
    field->rows = malloc((most + 1) * sizeof *field->rows);
    int status = items && field->rows ? 0 : error("no memory for %zu speeds", most);
    for (size_t r = 0; r < run_count && status == 0; r++)
        for (size_t i = 0; i < runs[r].speeds.count; i++)
            if (is_wanted(&runs[r].speeds.list[i], mode, lens))
                items[count++] = (struct item){&runs[r].speeds.list[i], r};
    if (status == 0) {
        qsort(items, count, sizeof *items, compare_items);
        status = add_rows(items, count, policy, weights, field);
    }
    free(items);
    if (status < 0)
        field_free(field);
    return status;
}

void field_free(struct field *field) {
    for (size_t i = 0; i < field->count; i++)
        free(field->rows[i].entries);
    free(field->rows);
    *field = (struct field){0};
}
