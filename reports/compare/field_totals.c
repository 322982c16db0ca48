/* Each kernel and library of a field over all shapes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/compare/field.h"

/* A total on its way: which rows it is in. */
struct making {
    const struct field *field;
    struct field_total *totals;
    size_t count;
};

static bool is_alike(const struct field_total *total, const struct field_row *row) {
    return strcmp(total->mode, row->mode) == 0 && strcmp(total->lens, row->lens) == 0;
}

static const struct field_entry *find_entry(const struct field_row *row,
                                            const struct field_total *total) {
    for (size_t i = 0; is_alike(total, row) && i < row->count; i++)
        if (row->entries[i].run == total->run && strcmp(row->entries[i].name, total->name) == 0)
            return &row->entries[i];
    return NULL;
}

static struct field_total *find_total(struct making *making, const struct field_row *row,
                                      const struct field_entry *entry) {
    for (size_t i = 0; i < making->count; i++)
        if (is_alike(&making->totals[i], row) && making->totals[i].run == entry->run &&
            strcmp(making->totals[i].name, entry->name) == 0)
            return &making->totals[i];
    struct field_total *total = &making->totals[making->count++];
    *total = (struct field_total){.mode = row->mode,
                                  .lens = row->lens,
                                  .name = entry->name,
                                  .run = entry->run,
                                  .is_library = entry->is_library};
    return total;
}

static int collect(struct making *making) {
    size_t most = 0;
    for (size_t i = 0; i < making->field->count; i++)
        most += making->field->rows[i].count;
    making->totals = calloc(most + 1, sizeof *making->totals);
    if (!making->totals)
        return error("no memory for the totals of %zu speeds", most);
    for (size_t i = 0; i < making->field->count; i++)
        for (size_t j = 0; j < making->field->rows[i].count; j++) {
            const struct field_entry *entry = &making->field->rows[i].entries[j];
            struct field_total *total = find_total(making, &making->field->rows[i], entry);
            total->shapes++;
            total->first += entry->rank == 1;
            total->native += *words_place_mark(entry->place) != 0;
        }
    return 0;
}

static bool same_lens(const struct field_total *a, const struct field_total *b) {
    return strcmp(a->mode, b->mode) == 0 && strcmp(a->lens, b->lens) == 0;
}

/* Whether the total has half of the shapes of its mode and lens, and so is ranked. */
static bool is_ranked(const struct making *making, const struct field_total *total) {
    size_t rows = 0;
    for (size_t i = 0; i < making->field->count; i++)
        rows += is_alike(total, &making->field->rows[i]);
    return 2 * total->shapes >= rows;
}

/* Whether all totals that are ranked, by the marks, are in the row. */
static bool is_common(const struct making *making, const bool *ranked,
                      const struct field_row *row) {
    for (size_t i = 0; i < making->count; i++)
        if (ranked[i] && is_alike(&making->totals[i], row) && !find_entry(row, &making->totals[i]))
            return false;
    return true;
}

/* The mean over the common rows, in each round that all of them have. */
static void sum_up(const struct making *making, const bool *ranked, struct field_total *total) {
    total->rounds = ROUND_SPEEDS_ROUNDS;
    for (size_t i = 0; i < making->field->count; i++) {
        const struct field_row *row = &making->field->rows[i];
        const struct field_entry *entry = find_entry(row, total);
        if (!entry || !is_common(making, ranked, row))
            continue;
        total->rounds = entry->rounds < total->rounds ? entry->rounds : total->rounds;
        for (size_t r = 0; r < total->rounds; r++)
            total->x[r] += entry->x[r];
        total->seconds += row->weight * row->entries[row->anchor].seconds / entry->ratio.ratio;
        total->common++;
    }
    total->rounds = total->common > 0 ? total->rounds : 0;
    for (size_t r = 0; r < total->rounds; r++)
        total->x[r] /= (double)total->common;
    total->ratio = comparison_ratio_of(total->x, total->rounds, NULL, 0, COMPARISON_CONFIDENCE);
}

/* By mode and lens; ranked ones first, the fastest first. Until they are ranked, a rank of 1 says
 * that they will be. */
static int compare_totals(const void *left, const void *right) {
    const struct field_total *a = left, *b = right;
    int order = strcmp(a->mode, b->mode);
    order = order ? order : strcmp(a->lens, b->lens);
    order = order ? order : (b->rank > 0) - (a->rank > 0);
    if (order || a->ratio.ratio == b->ratio.ratio)
        return order ? order : strcmp(a->name, b->name);
    return a->ratio.ratio < b->ratio.ratio ? 1 : -1;
}

static void put_ranks(struct field_total *totals, size_t count, double margin) {
    size_t start = 0, first = 0;
    for (size_t i = 0; i < count && totals[i].rank > 0; i++) {
        if (i == 0 || !same_lens(&totals[i], &totals[i - 1]))
            start = first = i;
        const struct comparison_ratio ratio =
            comparison_ratio_of(totals[i].x, totals[i].rounds, totals[first].x,
                                totals[first].rounds, COMPARISON_CONFIDENCE);
        if (comparison_judge(ratio.low, ratio.high, margin) == COMPARISON_SLOWER)
            first = i;
        totals[i].rank = first - start + 1;
    }
}

long field_totals(const struct field *field, const struct gate_policy *policy,
                  struct field_total **totals) {
    struct making making = {.field = field};
    *totals = NULL;
    if (collect(&making) < 0)
        return -1;
    bool *ranked = calloc(making.count + 1, sizeof *ranked);
    if (!ranked) {
        free(making.totals);
        return error("no memory for %zu totals", making.count);
    }
    for (size_t i = 0; i < making.count; i++)
        ranked[i] = is_ranked(&making, &making.totals[i]);
    for (size_t i = 0; i < making.count; i++) {
        sum_up(&making, ranked, &making.totals[i]);
        making.totals[i].rank = ranked[i] && making.totals[i].common > 0;
    }
    free(ranked);
    qsort(making.totals, making.count, sizeof *making.totals, compare_totals);
    for (size_t i = 0, n; i < making.count; i += n) {
        for (n = 1; i + n < making.count && same_lens(&making.totals[i], &making.totals[i + n]);
             n++)
            ;
        put_ranks(making.totals + i, n, policy->margin);
    }
    *totals = making.totals;
    return (long)making.count;
}
