#include "reports/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "timing/stats.h"
#include "timing/tails.h"

const char *comparison_word(enum comparison_verdict verdict) {
    static const char *const words[] = {[COMPARISON_FASTER] = "faster",
                                        [COMPARISON_SAME] = "same",
                                        [COMPARISON_SLOWER] = "slower",
                                        [COMPARISON_UNDECIDED] = "undecided"};
    return words[verdict];
}

enum comparison_verdict comparison_judge(double ci_low, double ci_high, double margin) {
    return ci_low > 1 / (1 + margin) && ci_high < 1 + margin ? COMPARISON_SAME
           : ci_low > 1                                      ? COMPARISON_FASTER
           : ci_high < 1                                     ? COMPARISON_SLOWER
                                                             : COMPARISON_UNDECIDED;
}

struct comparison_ratio comparison_ratio_of(const double *x, size_t n, const double *old,
                                            size_t old_n, double confidence) {
    const double mean = stats_mean(x, n) - (old_n ? stats_mean(old, old_n) : 0);
    const double own = pow(stats_sd(x, n), 2) / (double)n;
    const double other = old_n ? pow(stats_sd(old, old_n), 2) / (double)old_n : 0;
    const double freedom =
        pow(own + other, 2) /
        (own * own / ((double)n - 1) + (old_n ? other * other / ((double)old_n - 1) : 0));
    /* Rounds that are all equal have no spread and no freedom. */
    const double half = own + other == 0 ? 0
                                         : tails_student_quantile((1 + confidence) / 2, freedom) *
                                               sqrt(own + other);
    return (struct comparison_ratio){exp(-mean), exp(-(mean + half)), exp(-(mean - half))};
}

/* comparison_ratio_of at COMPARISON_CONFIDENCE, into three places. */
static void put_ratio(const double *x, size_t n, const double *old, size_t old_n, double *ratio,
                      double *low, double *high) {
    const struct comparison_ratio is = comparison_ratio_of(x, n, old, old_n, COMPARISON_CONFIDENCE);
    *ratio = is.ratio;
    *low = is.low;
    *high = is.high;
}

/* What follows from the speed, the old rounds and the times. */
static void judge_row(struct comparison_row *row, const struct gate_policy *policy) {
    const struct gate_class *class = gate_policy_class(policy, row->speed.shape);
    row->size_class = class->name;
    row->margin = class->margin;
    row->sd = stats_sd(row->speed.x, row->speed.rounds);
    put_ratio(row->speed.x, row->speed.rounds, row->old_x, row->old_rounds, &row->ratio,
              &row->ci_low, &row->ci_high);
    row->verdict = comparison_judge(row->ci_low, row->ci_high, row->margin);
}

/* Room for every speed against the reference. */
static int make_rows(const struct round_speeds *speeds, const char *reference,
                     struct comparison *comparison) {
    size_t count = 0;
    for (size_t i = 0; i < speeds->count; i++)
        count += strcmp(speeds->list[i].reference, reference) == 0;
    comparison->rows = calloc(count + 1, sizeof *comparison->rows);
    return comparison->rows ? 0 : error("no memory for the comparison of %zu speeds", count);
}

int comparison_paired(const struct round_speeds *speeds, const struct gate_policy *policy,
                      struct comparison *comparison) {
    *comparison = (struct comparison){.paired = true};
    if (make_rows(speeds, RUNDIR_PREVIOUS, comparison) < 0)
        return -1;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct round_speed *speed = &speeds->list[i];
        if (strcmp(speed->reference, RUNDIR_PREVIOUS) != 0)
            continue;
        struct comparison_row *row = &comparison->rows[comparison->count++];
        row->speed = *speed;
        row->old_seconds = speed->reference_seconds;
        row->new_seconds = speed->seconds;
        row->place = round_speeds_place(speed, NULL);
        judge_row(row, policy);
    }
    return 0;
}

/* The other run's speed of the same thing, or NULL. */
static const struct round_speed *partner(const struct round_speeds *others,
                                         const struct round_speed *speed) {
    const struct round_speed *found = round_speeds_find(others, speed, speed->reference);
    return found && strcmp(found->cache, speed->cache) == 0 ? found : NULL;
}

/* Kernels of a shape with a speed against the baseline that the others have not. Levels are sorted
 * by shape and kernel. */
static size_t count_alone(const struct round_speeds *speeds, const struct round_speeds *others,
                          const char *baseline) {
    const struct round_speed *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct round_speed *speed = &speeds->list[i];
        if (strcmp(speed->reference, baseline) != 0 || partner(others, speed) ||
            (last && shape_compare(last->shape, speed->shape) == 0 &&
             strcmp(last->candidate, speed->candidate) == 0))
            continue;
        last = speed;
        count++;
    }
    return count;
}

static void cross(const struct round_speed *old, const struct round_speed *new_,
                  struct comparison_row *row) {
    const double mean = stats_mean(old->x, old->rounds);
    row->speed = *new_;
    for (size_t i = 0; i < new_->rounds; i++)
        row->speed.x[i] -= mean;
    row->old_rounds = old->rounds;
    for (size_t i = 0; i < old->rounds; i++)
        row->old_x[i] = old->x[i] - mean;
    row->old_seconds = old->seconds;
    row->new_seconds = new_->seconds;
    row->place = round_speeds_place(new_, old);
}

int comparison_crossed(const struct round_speeds *old, const struct round_speeds *new_,
                       const char *baseline, const struct gate_policy *policy,
                       struct comparison *comparison) {
    *comparison = (struct comparison){.only_old = count_alone(old, new_, baseline),
                                      .only_new = count_alone(new_, old, baseline)};
    if (make_rows(new_, baseline, comparison) < 0)
        return -1;
    for (size_t i = 0; i < new_->count; i++) {
        const struct round_speed *speed = &new_->list[i];
        const struct round_speed *before =
            strcmp(speed->reference, baseline) == 0 ? partner(old, speed) : NULL;
        if (!before)
            continue;
        struct comparison_row *row = &comparison->rows[comparison->count++];
        cross(before, speed, row);
        judge_row(row, policy);
    }
    return 0;
}

void comparison_free(struct comparison *comparison) {
    free(comparison->rows);
    *comparison = (struct comparison){0};
}

/* By mode, lens and size: the rows of a size class stand together. */
static int compare_sizes(const void *left, const void *right) {
    const struct comparison_row *a = *(const struct comparison_row *const *)left;
    const struct comparison_row *b = *(const struct comparison_row *const *)right;
    const double a_size = shape_flops(a->speed.shape), b_size = shape_flops(b->speed.shape);
    int order = strcmp(a->speed.mode, b->speed.mode);
    order = order ? order : strcmp(a->speed.lens, b->speed.lens);
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

/* The geometric mean over all rows, from the rounds that every one has. */
static void put_geomean(const struct comparison_row *const *rows, size_t count,
                        struct comparison_total *total) {
    double x[ROUND_SPEEDS_ROUNDS] = {0}, old[ROUND_SPEEDS_ROUNDS] = {0};
    size_t rounds = ROUND_SPEEDS_ROUNDS, old_rounds = ROUND_SPEEDS_ROUNDS;
    for (size_t i = 0; i < count; i++) {
        rounds = rows[i]->speed.rounds < rounds ? rows[i]->speed.rounds : rounds;
        old_rounds = rows[i]->old_rounds < old_rounds ? rows[i]->old_rounds : old_rounds;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t r = 0; r < rounds; r++)
            x[r] += rows[i]->speed.x[r] / (double)count;
        for (size_t r = 0; r < old_rounds; r++)
            old[r] += rows[i]->old_x[r] / (double)count;
    }
    put_ratio(x, rounds, old, old_rounds, &total->geomean, &total->low, &total->high);
}

/* ln(time of the traffic with the new kernels / with `x` more or less of it), by rounds that all
 * rows have: a row counts as much as its share of the time. */
static size_t traffic_rounds(const struct comparison_row *const *rows, size_t count,
                             const struct weights *weights, bool old,
                             double x[ROUND_SPEEDS_ROUNDS]) {
    size_t rounds = ROUND_SPEEDS_ROUNDS;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t own = old ? rows[i]->old_rounds : rows[i]->speed.rounds;
        rounds = own < rounds ? own : rounds;
    }
    for (size_t r = 0; r < rounds; r++)
        x[r] = 0;
    for (size_t i = 0; i < count; i++) {
        const double share = weights_of(weights, rows[i]->speed.shape) * rows[i]->new_seconds;
        sum += share;
        for (size_t r = 0; r < rounds; r++)
            x[r] += share * exp(old ? -rows[i]->old_x[r] : -rows[i]->speed.x[r]);
    }
    for (size_t r = 0; r < rounds; r++)
        x[r] = -log(x[r] / sum);
    return sum > 0 ? rounds : 0;
}

/* The change of the traffic's time, from the rounds of the new run and those of the old. */
static void put_traffic(const struct comparison_row *const *rows, size_t count,
                        const struct weights *weights, struct comparison_total *total) {
    double x[ROUND_SPEEDS_ROUNDS], old[ROUND_SPEEDS_ROUNDS];
    const size_t rounds = traffic_rounds(rows, count, weights, false, x);
    const size_t old_rounds = traffic_rounds(rows, count, weights, true, old);
    for (size_t i = 0; i < count; i++) {
        const double weight = weights_of(weights, rows[i]->speed.shape);
        total->new_seconds += weight * rows[i]->new_seconds;
        total->old_seconds += weight * rows[i]->new_seconds * rows[i]->ratio;
    }
    total->change = total->new_seconds / total->old_seconds - 1;
    total->change_low = total->change_high = NAN;
    if (rounds < 2)
        return;
    const struct comparison_ratio all =
        comparison_ratio_of(x, rounds, old, old_rounds, COMPARISON_CONFIDENCE);
    /* Over the rounds that all rows have, as the interval. */
    total->change = 1 / all.ratio - 1;
    total->old_seconds = total->new_seconds * all.ratio;
    total->change_low = 1 / all.high - 1;
    total->change_high = 1 / all.low - 1;
}

static struct comparison_total total_of(const struct comparison_row *const *rows, size_t count,
                                        const char *size_class, const struct weights *weights) {
    struct comparison_total total = {.size_class = size_class, .shapes = count};
    size_t verdicts[COMPARISON_UNDECIDED + 1] = {0};
    memcpy(total.mode, rows[0]->speed.mode, sizeof total.mode);
    memcpy(total.lens, rows[0]->speed.lens, sizeof total.lens);
    for (size_t i = 0; i < count; i++) {
        verdicts[rows[i]->verdict]++;
        total.native += *words_place_mark(rows[i]->place) != 0;
    }
    total.faster = verdicts[COMPARISON_FASTER];
    total.same = verdicts[COMPARISON_SAME];
    total.slower = verdicts[COMPARISON_SLOWER];
    total.undecided = verdicts[COMPARISON_UNDECIDED];
    put_geomean(rows, count, &total);
    put_traffic(rows, count, weights, &total);
    return total;
}

/* How many rows from the first on are of its mode and lens, and of its size class if that is asked.
 */
static size_t alike(const struct comparison_row *const *rows, size_t count, bool same_class) {
    size_t n = 1;
    while (n < count && strcmp(rows[n]->speed.mode, rows[0]->speed.mode) == 0 &&
           strcmp(rows[n]->speed.lens, rows[0]->speed.lens) == 0 &&
           (!same_class || strcmp(rows[n]->size_class, rows[0]->size_class) == 0))
        n++;
    return n;
}

static int add_total(const struct comparison_row *const *rows, size_t count, const char *size_class,
                     const struct weights *weights,
                     struct comparison_total totals[COMPARISON_TOTALS], int *total_count) {
    if (*total_count == COMPARISON_TOTALS)
        return error("more than %d modes, lenses and size classes", COMPARISON_TOTALS);
    totals[(*total_count)++] = total_of(rows, count, size_class, weights);
    return 0;
}

int comparison_totals(const struct comparison *comparison, const struct weights *weights,
                      struct comparison_total totals[COMPARISON_TOTALS]) {
    const size_t count = comparison->count;
    const struct comparison_row **rows = malloc((count + 1) * sizeof *rows);
    int total_count = 0, status = 0;
    if (!rows)
        return error("no memory for the totals of %zu rows", count);
    for (size_t i = 0; i < count; i++)
        rows[i] = &comparison->rows[i];
    qsort(rows, count, sizeof *rows, compare_sizes);
    for (size_t first = 0, last; first < count && status == 0; first = last) {
        last = first + alike(rows + first, count - first, false);
        status = add_total(rows + first, last - first, "", weights, totals, &total_count);
        for (size_t i = first, n; i < last && status == 0; i += n) {
            n = alike(rows + i, last - i, true);
            status = add_total(rows + i, n, rows[i]->size_class, weights, totals, &total_count);
        }
    }
    free(rows);
    return status < 0 ? -1 : total_count;
}
