#include "reports/gate/gate_result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"

#define X(name, word, text) word,
const char *const gate_status_words[] = {GATE_STATUSES(X)};
#undef X
#define X(name, word, text) text,
const char *const gate_status_texts[] = {GATE_STATUSES(X)};
#undef X

static const struct {
    const char *word;
    int exit;
    bool judged; /* it is on the kernels */
} verdicts[GATE_VERDICT_COUNT] = {
    [GATE_INTERRUPTED] = {"interrupted", EXIT_INTERRUPTED, false},
    [GATE_ERROR] = {"error", EXIT_TROUBLE, false},
    [GATE_VERDICT_WRONG] = {"wrong", EXIT_REFUSED, true},
    [GATE_VERDICT_ENVIRONMENT] = {"environment", EXIT_ENVIRONMENT, false},
    [GATE_NOT_COMPARABLE] = {"not-comparable", EXIT_NOT_COMPARABLE, false},
    [GATE_REGRESSION] = {"regression", EXIT_REGRESSION, true},
    [GATE_COVERAGE] = {"coverage", EXIT_REGRESSION, true},
    [GATE_INCONCLUSIVE] = {"inconclusive", EXIT_INCONCLUSIVE, true},
    [GATE_PASS] = {"pass", EXIT_PASS, true},
};

const char *gate_verdict_word(enum gate_verdict verdict) {
    return verdicts[verdict].word;
}

int gate_verdict_exit(enum gate_verdict verdict) {
    return verdicts[verdict].exit;
}

bool gate_verdict_judged(const char *word) {
    for (size_t i = 0; i < GATE_VERDICT_COUNT; i++)
        if (strcmp(word, verdicts[i].word) == 0)
            return verdicts[i].judged;
    return false;
}

struct gate_row *gate_add_row(struct gate *gate, const struct gate_policy *policy,
                              struct shape shape, const char *candidate, enum gate_status status) {
    gate->rows = need_more(gate->rows, gate->count, sizeof *gate->rows);
    struct gate_row *row = &gate->rows[gate->count++];
    const struct gate_class *size_class = gate_policy_class(policy, shape);
    *row = (struct gate_row){.shape = shape,
                             .size_class = size_class->name,
                             .status = status,
                             .ratio = NAN,
                             .ci_low = NAN,
                             .ci_high = NAN,
                             .reference_seconds = NAN,
                             .seconds = NAN,
                             .margin = size_class->margin,
                             .p = NAN,
                             .visits = NAN,
                             .device_ratio = NAN,
                             .call_ratio = NAN,
                             .wall_seconds = NAN};
    snprintf(row->candidate, sizeof row->candidate, "%s", candidate);
    return row;
}

/* A row without a ratio comes last of its status. */
static double slowness(const struct gate_row *row) {
    return isnan(row->ratio) ? INFINITY : row->ratio;
}

static int compare_rows(const void *left, const void *right) {
    const struct gate_row *a = left, *b = right;
    int order = (a->status > b->status) - (a->status < b->status);
    order = order ? order : (slowness(a) > slowness(b)) - (slowness(a) < slowness(b));
    order = order ? order : shape_compare(a->shape, b->shape);
    order = order ? order : strcmp(a->candidate, b->candidate);
    order = order ? order : strcmp(a->mode, b->mode);
    return order ? order : strcmp(a->lens, b->lens);
}

void gate_sort(struct gate *gate) {
    memset(gate->statuses, 0, sizeof gate->statuses);
    if (gate->count)
        qsort(gate->rows, gate->count, sizeof *gate->rows, compare_rows);
    for (size_t i = 0; i < gate->count; i++)
        gate->statuses[gate->rows[i].status]++;
}

/* By mode, lens and size: the rows of a size class stand together. */
static int compare_sizes(const void *left, const void *right) {
    const struct gate_row *a = *(const struct gate_row *const *)left;
    const struct gate_row *b = *(const struct gate_row *const *)right;
    const double a_size = shape_flops(a->shape), b_size = shape_flops(b->shape);
    int order = strcmp(a->mode, b->mode);
    order = order ? order : strcmp(a->lens, b->lens);
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

/* The geometric mean; it has no interval where a row has none. */
static void put_mean(const struct gate_row *const *rows, size_t count, struct gate_total *total) {
    const struct pair **pairs = need(2 * count, sizeof *pairs);
    bool known = true;
    for (size_t i = 0; i < count; i++) {
        const struct estimate is = estimate_over(rows[i]->now, rows[i]->before);
        known = known && isfinite(is.low);
        pairs[i] = rows[i]->now;
        pairs[count + i] = rows[i]->before;
    }
    const struct suite_mean mean =
        estimate_mean_over(pairs, rows[0]->before ? pairs + count : NULL, count);
    free(pairs);
    total->ratio = exp(mean.estimate);
    total->ci_low = known && isfinite(mean.low) ? exp(mean.low) : NAN;
    total->ci_high = known && isfinite(mean.high) ? exp(mean.high) : NAN;
}

static void add_total(struct gate *gate, const struct gate_row *const *rows, size_t count,
                      const char *size_class) {
    gate->totals = need_more(gate->totals, gate->total_count, sizeof *gate->totals);
    struct gate_total *total = &gate->totals[gate->total_count++];
    *total = (struct gate_total){.size_class = size_class, .rows = count};
    strcpy(total->mode, rows[0]->mode);
    strcpy(total->lens, rows[0]->lens);
    for (size_t i = 0; i < count; i++) {
        total->statuses[rows[i]->status]++;
        total->unrecorded += rows[i]->unrecorded;
        total->left_out +=
            rows[i]->now->left_out > 0 || (rows[i]->before && rows[i]->before->left_out > 0);
    }
    put_mean(rows, count, total);
}

/* How many rows from the first on are of its mode and lens, and of its size class where that is
 * asked. */
static size_t alike(const struct gate_row *const *rows, size_t count, bool same_class) {
    size_t n = 1;
    while (n < count && strcmp(rows[n]->mode, rows[0]->mode) == 0 &&
           strcmp(rows[n]->lens, rows[0]->lens) == 0 &&
           (!same_class || strcmp(rows[n]->size_class, rows[0]->size_class) == 0))
        n++;
    return n;
}

void gate_add_totals(struct gate *gate) {
    const struct gate_row **rows = need(gate->count, sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < gate->count; i++)
        if (gate->rows[i].now)
            rows[count++] = &gate->rows[i];
    if (count)
        qsort(rows, count, sizeof *rows, compare_sizes);
    for (size_t first = 0, last; first < count; first = last) {
        last = first + alike(rows + first, count - first, false);
        add_total(gate, rows + first, last - first, "");
        for (size_t i = first, n; i < last; i += n) {
            n = alike(rows + i, last - i, true);
            add_total(gate, rows + i, n, rows[i]->size_class);
        }
    }
    free(rows);
}

void gate_warn(struct gate *gate, const char *format, ...) {
    va_list args;
    if (gate->warning_count == GATE_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(gate->warnings[gate->warning_count++], sizeof gate->warnings[0], format, args);
    va_end(args);
}

void gate_free(struct gate *gate) {
    free(gate->rows);
    free(gate->totals);
    *gate = (struct gate){0};
}
