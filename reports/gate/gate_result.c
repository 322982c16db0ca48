#include "reports/gate/gate_result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"

#define X(name, word, text) word,
const char *const gate_status_words[] = {GATE_STATUSES(X) NULL};
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

struct gate_row *gate_add_row(struct gate *gate, struct shape shape, const char *candidate,
                              enum gate_status status) {
    gate->rows = need_more(gate->rows, gate->count, sizeof *gate->rows);
    struct gate_row *row = &gate->rows[gate->count++];
    const struct gate_class *size_class = gate_policy_class(gate->call.policy, shape);
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

/* Undecided, and slower than the margin allows from one end of the interval to the other. */
static bool is_beyond(const struct gate_row *row) {
    return row->status == GATE_UNDECIDED && row->ci_high < 1 / (1 + row->margin);
}

void gate_sort(struct gate *gate) {
    memset(gate->statuses, 0, sizeof gate->statuses);
    memset(gate->whys, 0, sizeof gate->whys);
    gate->timed = gate->by_call = gate->left_out = gate->beyond = 0;
    if (gate->count)
        qsort(gate->rows, gate->count, sizeof *gate->rows, compare_rows);
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        gate->statuses[row->status]++;
        gate->whys[row->why]++;
        gate->timed += *row->lens != 0;
        gate->by_call += row->unrecorded;
        gate->left_out += row->left_out > 0;
        gate->beyond += is_beyond(row);
    }
}

static bool is_in(const struct gate_total *total, const struct gate_row *row) {
    return row->now && strcmp(total->mode, row->mode) == 0 && strcmp(total->lens, row->lens) == 0 &&
           (!*total->size_class || strcmp(total->size_class, row->size_class) == 0);
}

/* Adds the total of the row's mode and lens, and of its size class ("": all), unless it is there. */
static void begin_total(struct gate *gate, const struct gate_row *row, const char *size_class) {
    struct gate_total total = {.size_class = size_class};
    strcpy(total.mode, row->mode);
    strcpy(total.lens, row->lens);
    for (size_t i = 0; i < gate->total_count; i++)
        if (is_in(&gate->totals[i], row) && !*gate->totals[i].size_class == !*size_class)
            return;
    gate->totals = need_more(gate->totals, gate->total_count, sizeof *gate->totals);
    gate->totals[gate->total_count++] = total;
}

/* Names of classes stand in the policy in the order of their size. */
static int compare_totals(const void *left, const void *right) {
    const struct gate_total *a = left, *b = right;
    int order = strcmp(a->mode, b->mode);
    order = order ? order : strcmp(a->lens, b->lens);
    order = order ? order : (*a->size_class != 0) - (*b->size_class != 0);
    return order ? order : (a->size_class > b->size_class) - (a->size_class < b->size_class);
}

/* Counts the rows; their geometric mean has no interval where a row has none. */
static void fill_total(const struct gate *gate, struct gate_total *total) {
    const struct pair **now = need(2 * gate->count, sizeof *now), **before = now + gate->count;
    bool known = true;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (!is_in(total, row))
            continue;
        total->statuses[row->status]++;
        total->unrecorded += row->unrecorded;
        total->left_out += row->now->left_out > 0 || (row->before && row->before->left_out > 0);
        known = known && isfinite(estimate_over(row->now, row->before).low);
        now[total->rows] = row->now;
        before[total->rows++] = row->before;
    }
    const struct suite_mean mean = estimate_mean_over(now, *before ? before : NULL, total->rows);
    free(now);
    total->ratio = exp(mean.estimate);
    total->ci_low = known && isfinite(mean.low) ? exp(mean.low) : NAN;
    total->ci_high = known && isfinite(mean.high) ? exp(mean.high) : NAN;
}

void gate_add_totals(struct gate *gate) {
    for (size_t i = 0; i < gate->count; i++)
        if (gate->rows[i].now) {
            begin_total(gate, &gate->rows[i], "");
            begin_total(gate, &gate->rows[i], gate->rows[i].size_class);
        }
    if (gate->total_count)
        qsort(gate->totals, gate->total_count, sizeof *gate->totals, compare_totals);
    for (size_t i = 0; i < gate->total_count; i++)
        fill_total(gate, &gate->totals[i]);
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
    rundir_close(&gate->run);
    rundir_close(&gate->confirm);
    rundir_close(&gate->base.run);
    free(gate->evidence);
    free(gate->decisions);
    free(gate->rows);
    free(gate->totals);
    *gate = (struct gate){0};
}
