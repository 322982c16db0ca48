#include "bench/checks/checks.h"

#include <math.h>
#include <stdio.h>

#include "bench/runner/visit.h"
#include "correctness/numbers/number16.h"

/* A product may be four bounds of its deviation from a library's, which may be one from the truth.
 */
#define TAKEN_TIMES 1.25

/* A row of A, and the columns of B of a group. */
static uint16_t a[SHAPE_MAX_SIZE], b[SHAPE_MAX_SIZE][PHILOX_GROUP];

static void make_inputs(const uint16_t *table, uint64_t seed, struct shape s,
                        const struct visit_taken *at) {
    input_fill_span(table, seed, INPUT_A, at->row, 0, s.k, a);
    for (int64_t l = 0; l < s.k; l++)
        input_fill_span(table, seed, INPUT_B, l, at->column, at->columns, b[l]);
}

/* As the runner does before a call in a row (chain.h). */
static void change_inputs(const uint16_t *table, uint64_t places, struct shape s,
                          const struct visit_taken *at) {
    int64_t row, column;
    for (uint32_t i = 0; i < DEVICE_PLACES; i++) {
        philox_place(places, INPUT_A, i, s.m, s.k, &row, &column);
        if (row == at->row)
            a[column] = input_element(table, places, INPUT_A, row, column);
        philox_place(places, INPUT_B, i, s.k, s.n, &row, &column);
        if (column >= at->column && column < at->column + at->columns)
            b[row][column - at->column] = input_element(table, places, INPUT_B, row, column);
    }
}

static void multiply_group(enum element element, struct shape s, const struct visit_taken *at,
                           double c[PHILOX_GROUP]) {
    for (int64_t e = 0; e < at->columns; e++) {
        c[e] = 0;
        for (int64_t l = 0; l < s.k; l++)
            c[e] += (double)number16_to_float(element, a[l]) *
                    (double)number16_to_float(element, b[l][e]);
    }
}

bool taken_is_right(const struct wire_time *request, const struct wire_time_reply *told,
                    enum element element, struct shape shape, int suspect, char *text,
                    size_t size) {
    const uint16_t *table = input_normal_table(element);
    const struct visit_taken at = visit_taken(request, told->pass, shape);
    const uint64_t places = visit_places(visit_secret(request, told->pass), told->call);
    const bool whole = request->interval.whole;
    const double allowed = TAKEN_TIMES * request->tolerance[suspect];
    double want[PHILOX_GROUP];
    if (isnan(allowed))
        return true;
    make_inputs(table, told->call >= 0 && whole ? places : visit_inputs(request, told->pass), shape,
                &at);
    if (told->call >= 0 && !whole)
        change_inputs(table, places, shape, &at);
    multiply_group(element, shape, &at, want);
    for (int64_t e = 0; e < at.columns; e++) {
        const double is = (double)number16_to_float(element, told->taken[suspect][e]);
        if (fabs(is - want[e]) <= allowed)
            continue;
        snprintf(
            text, size,
            "C[%lld][%lld] is %.6g and not %.6g, by the seed of the inputs; %.4g is allowed: A "
            "or B was not what was drawn, or the product is wrong",
            (long long)at.row, (long long)at.column + e, is, want[e], allowed);
        return false;
    }
    return true;
}
