#include "reports/gate/gate_result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/tables/lines.h"

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

/* A row of the table `gate_rows` (gate_summed.sql). */
struct gate_row_summed {
    struct shape shape;
    const char *kernel, *link, *mode, *lens, *class, *verdict;
    double class_place, ratio, seconds, left_out, unrecorded, known;
};

static const struct rows_column summed_columns[] = {QUERY_SHAPE(gate_row_summed),
                                                    QUERY_TEXT(gate_row_summed, kernel),
                                                    QUERY_TEXT(gate_row_summed, link),
                                                    QUERY_TEXT(gate_row_summed, mode),
                                                    QUERY_TEXT(gate_row_summed, lens),
                                                    QUERY_TEXT(gate_row_summed, class),
                                                    QUERY_TEXT(gate_row_summed, verdict),
                                                    QUERY_NUMBER(gate_row_summed, class_place),
                                                    QUERY_NUMBER(gate_row_summed, ratio),
                                                    QUERY_NUMBER(gate_row_summed, seconds),
                                                    QUERY_NUMBER(gate_row_summed, left_out),
                                                    QUERY_NUMBER(gate_row_summed, unrecorded),
                                                    QUERY_NUMBER(gate_row_summed, known)};
static const struct rows_file summed_file =
    QUERY_ROWS("gate_rows", gate_row_summed, summed_columns);

/* Of the screening, as are the intervals of lines: they are over the same visits of all rows. */
static struct gate_row_summed summed_of(const struct gate *gate, const struct gate_row *row) {
    const struct pair *now = row->now, *before = row->before;
    const struct estimate is = estimate_over(now, before);
    return (struct gate_row_summed){
        .shape = row->shape,
        .kernel = row->candidate,
        .link = now->reference,
        .mode = row->mode,
        .lens = row->lens,
        .class = row->size_class,
        .verdict = gate_status_words[row->status],
        .class_place =
            (double)(gate_policy_class(gate->call.policy, row->shape) - gate->call.policy->classes),
        .ratio = is.ratio,
        .seconds = now->seconds,
        .left_out = now->left_out > 0 || (before && before->left_out > 0),
        .unrecorded = row->unrecorded,
        .known = isfinite(is.low)};
}

void gate_add_lines(struct gate *gate) {
    struct gate_row_summed *rows = need(gate->count, sizeof *rows);
    char wrong[24];
    size_t count = 0;
    for (size_t i = 0; i < gate->count; i++)
        if (gate->rows[i].now)
            rows[count++] = summed_of(gate, &gate->rows[i]);
    gate->lines = count ? query_open() : NULL;
    if (gate->lines) {
        query_add(gate->lines, &summed_file, "", rows, count);
        query_next(query_ask(gate->lines, query_gate_summed, NULL));
        lines_add(gate->lines, "gate", &gate->run.speeds,
                  gate->base.stored ? &gate->base.run.speeds : NULL);
        query_next(
            query_ask(gate->lines, query_gate_unknown, gate->base.other_card ? "other" : "", NULL));
        snprintf(wrong, sizeof wrong, "%zu", gate->statuses[GATE_WRONG]);
        query_next(
            query_ask(gate->lines, "UPDATE lines SET refused = CAST(?1 AS INTEGER)", wrong, NULL));
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
    rundir_close(&gate->run);
    rundir_close(&gate->confirm);
    rundir_close(&gate->base.run);
    free(gate->evidence);
    free(gate->decisions);
    free(gate->rows);
    sqlite3_close(gate->lines);
    *gate = (struct gate){0};
}
