#include "bench/checks/taken.h"

#include <math.h>
#include <stdio.h>

#include "bench/runner/block.h"
#include "correctness/numbers/number16.h"

/* A product may be four bounds of its deviation from a library's, which may be one from the truth.
 */
#define TAKEN_TIMES 1.25

/* A row of A, and the columns of B of a group. */
static uint16_t a[SHAPE_MAX_SIZE], b[SHAPE_MAX_SIZE][PHILOX_GROUP];

static void make_inputs(const uint16_t *table, uint64_t seed, struct shape s,
                        const struct block_taken *at) {
    input_fill_span(table, seed, INPUT_A, at->row, 0, s.k, a);
    for (int64_t l = 0; l < s.k; l++)
        input_fill_span(table, seed, INPUT_B, l, at->column, at->columns, b[l]);
}

static void multiply_group(enum element element, struct shape s, const struct block_taken *at,
                           double c[PHILOX_GROUP]) {
    for (int64_t e = 0; e < at->columns; e++) {
        c[e] = 0;
        for (int64_t l = 0; l < s.k; l++)
            c[e] += (double)number16_to_float(element, a[l]) *
                    (double)number16_to_float(element, b[l][e]);
    }
}

bool taken_is_right(const struct wire_time *request, const struct wire_time_reply *told,
                    enum element element, enum timed_inputs inputs, struct shape shape, int suspect,
                    char *text, size_t size) {
    const uint16_t *table = input_table_for(element, (enum input_kind)inputs, 0);
    const struct block_taken at = block_taken(request, told->pass, shape);
    const double allowed = TAKEN_TIMES * request->tolerance[suspect];
    double want[PHILOX_GROUP];
    if (isnan(allowed))
        return true;
    make_inputs(table, block_inputs(request, told->pass, told->call), shape, &at);
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
