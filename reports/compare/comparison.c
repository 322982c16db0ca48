#include "reports/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "timing/stats.h"
#include "timing/tails.h"

static void put_row(const struct pair *pair, const struct pair *old,
                    const struct gate_policy *policy, struct comparison *comparison) {
    const struct gate_class *class = gate_policy_class(policy, pair->shape);
    const struct estimate is = estimate_over(pair, old);
    comparison->rows[comparison->count++] =
        (struct comparison_row){.pair = pair,
                                .old = old,
                                .old_seconds = pair->seconds * is.ratio,
                                .new_seconds = pair->seconds,
                                .ratio = is.ratio,
                                .ci_low = is.low,
                                .ci_high = is.high,
                                .unrecorded = pair->unrecorded || (old && old->unrecorded),
                                .sd = pair->visits > 1 ? sqrt(pair->used.variance) : NAN,
                                .margin = class->margin,
                                .size_class = class->name,
                                .verdict = estimate_verdict(&is, pair, old, class->margin)};
}

/* Room for every speed against the reference. */
static void make_rows(const struct pairs *speeds, const char *reference,
                      struct comparison *comparison) {
    size_t count = 0;
    for (size_t i = 0; i < speeds->count; i++)
        count += strcmp(speeds->list[i].reference, reference) == 0;
    comparison->rows = need(count, sizeof *comparison->rows);
}

void comparison_paired(const struct pairs *speeds, const struct gate_policy *policy,
                       struct comparison *comparison) {
    *comparison = (struct comparison){.paired = true};
    make_rows(speeds, RUNDIR_PREVIOUS, comparison);
    for (size_t i = 0; i < speeds->count; i++) {
        const struct pair *pair = &speeds->list[i];
        if (strcmp(pair->reference, RUNDIR_PREVIOUS) == 0)
            put_row(pair, NULL, policy, comparison);
    }
}

const struct pair *comparison_partner(const struct pairs *others, const struct pair *speed) {
    const struct pair *found = pairs_find(others, speed, speed->reference);
    return found && strcmp(found->cache, speed->cache) == 0 ? found : NULL;
}

void comparison_crossed(const struct pairs *old, const struct pairs *new_, const char *baseline,
                        const struct gate_policy *policy, struct comparison *comparison) {
    *comparison = (struct comparison){0};
    make_rows(new_, baseline, comparison);
    for (size_t i = 0; i < new_->count; i++) {
        const struct pair *speed = &new_->list[i];
        const struct pair *before =
            strcmp(speed->reference, baseline) == 0 ? comparison_partner(old, speed) : NULL;
        if (before)
            put_row(speed, before, policy, comparison);
    }
}

void comparison_free(struct comparison *comparison) {
    free(comparison->rows);
    free(comparison->absent);
    unserved_free(&comparison->unserved);
    *comparison = (struct comparison){0};
}

/* By mode, lens and size: the rows of a size class stand together. */
static int compare_sizes(const void *left, const void *right) {
    const struct comparison_row *a = *(const struct comparison_row *const *)left;
    const struct comparison_row *b = *(const struct comparison_row *const *)right;
    const double a_size = shape_flops(a->pair->shape), b_size = shape_flops(b->pair->shape);
    int order = strcmp(a->pair->mode, b->pair->mode);
    order = order ? order : strcmp(a->pair->lens, b->pair->lens);
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

/* The rows' mean, on the scale of ln(t_old / t_new). */
static struct suite_mean mean_over_rows(const struct comparison_row *const *rows, size_t count) {
    const struct pair **pairs = need(2 * count, sizeof *pairs);
    bool known = true;
    for (size_t i = 0; i < count; i++) {
        known = known && isfinite(rows[i]->ci_low);
        pairs[i] = rows[i]->pair;
        pairs[count + i] = rows[i]->old;
    }
    struct suite_mean mean = estimate_mean_over(pairs, rows[0]->old ? pairs + count : NULL, count);
    free(pairs);
    if (!known)
        mean.low = mean.high = NAN;
    return mean;
}

static void put_geomean(const struct comparison_row *const *rows, size_t count,
                        struct comparison_total *total) {
    const struct suite_mean mean = mean_over_rows(rows, count);
    total->geomean = exp(mean.estimate);
    total->low = isfinite(mean.low) ? exp(mean.low) : NAN;
    total->high = isfinite(mean.high) ? exp(mean.high) : NAN;
}

static struct comparison_total total_of(const struct comparison_row *const *rows, size_t count,
                                        const char *size_class) {
    struct comparison_total total = {.size_class = size_class, .shapes = count, .judged = count};
    snprintf(total.mode, sizeof total.mode, "%s", rows[0]->pair->mode);
    snprintf(total.lens, sizeof total.lens, "%s", rows[0]->pair->lens);
    for (size_t i = 0; i < count; i++) {
        total.verdicts[rows[i]->verdict]++;
        total.unrecorded += rows[i]->unrecorded;
        total.left_out +=
            rows[i]->pair->left_out > 0 || (rows[i]->old && rows[i]->old->left_out > 0);
    }
    put_geomean(rows, count, &total);
    return total;
}

/* How many rows from the first on are of its mode and lens, and of its size class if that is asked.
 */
static size_t alike(const struct comparison_row *const *rows, size_t count, bool same_class) {
    size_t n = 1;
    while (n < count && strcmp(rows[n]->pair->mode, rows[0]->pair->mode) == 0 &&
           strcmp(rows[n]->pair->lens, rows[0]->pair->lens) == 0 &&
           (!same_class || strcmp(rows[n]->size_class, rows[0]->size_class) == 0))
        n++;
    return n;
}

static int add_total(const struct comparison_row *const *rows, size_t count, const char *size_class,
                     struct comparison_total totals[COMPARISON_TOTALS], int *total_count) {
    if (*total_count == COMPARISON_TOTALS)
        return error("more than %d modes, lenses and size classes", COMPARISON_TOTALS);
    totals[(*total_count)++] = total_of(rows, count, size_class);
    return 0;
}

int comparison_totals(const struct comparison *comparison,
                      struct comparison_total totals[COMPARISON_TOTALS]) {
    const size_t count = comparison->count;
    const struct comparison_row **rows = need(count, sizeof *rows);
    int total_count = 0, status = 0;
    for (size_t i = 0; i < count; i++)
        rows[i] = &comparison->rows[i];
    qsort(rows, count, sizeof *rows, compare_sizes);
    for (size_t first = 0, last; first < count && status == 0; first = last) {
        last = first + alike(rows + first, count - first, false);
        status = add_total(rows + first, last - first, "", totals, &total_count);
        for (size_t i = first, n; i < last && status == 0; i += n) {
            n = alike(rows + i, last - i, true);
            status = add_total(rows + i, n, rows[i]->size_class, totals, &total_count);
        }
    }
    free(rows);
    return status < 0 ? -1 : total_count;
}
