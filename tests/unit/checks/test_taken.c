/* Elements of a timed C that the judge makes itself, against what a host device makes of operands.
 */
#include "bench/checks/taken.h"

#include <math.h>
#include <string.h>

#include "bench/runner/block.h"
#include "correctness/numbers/number16.h"
#include "tests/support/matrix.h"
#include "tests/support/test.h"

enum { M = 5, N = 21, K = 300 };
static const struct shape shape = {M, N, K};
static uint16_t a[M * K], b[K * N];
static struct wire_time request;
static enum timed_inputs inputs;
static struct wire_time_reply told;

/* What the runner writes for a call of a pass, by its own way. */
static void write_operands(enum element element) {
    const uint16_t *table = input_table_for(element, (enum input_kind)inputs, 0);
    const uint64_t seed = block_inputs(&request, told.pass, told.call);
    matrix_fill(table, seed, INPUT_A, M, K, K, a);
    matrix_fill(table, seed, INPUT_B, K, N, N, b);
}

static void take(enum element element) {
    const struct block_taken at = block_taken(&request, told.pass, shape);
    assert_in_range(at.columns, 1, PHILOX_GROUP);
    assert_in_range(at.row, 0, M - 1);
    assert_in_range(at.column + at.columns, 1, N);
    for (int64_t e = 0; e < at.columns; e++) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += number16_to_float(element, a[at.row * K + k]) *
                   number16_to_float(element, b[k * N + at.column + e]);
        told.taken[1][e] = number16_from_float(element, sum);
    }
}

static bool is_right(enum element element) {
    static char text[320];
    *text = 0;
    const bool right =
        taken_is_right(&request, &told, element, inputs, shape, 1, text, sizeof text);
    assert_int_equal(right, strlen(text) == 0);
    return right;
}

TEST(what_is_made_of_the_seed_is_right) {
    for (int way = 0; way < ELEMENT_COUNT * INPUTS_COUNT; way++)
        for (uint64_t pass = 0; pass < 200; pass++) {
            const enum element element = (enum element)(way % ELEMENT_COUNT);
            inputs = (enum timed_inputs)(way / ELEMENT_COUNT);
            request = (struct wire_time){.seed = pass / 3,
                                         .lenses = 1 << LENS_STREAM,
                                         .suspect_count = 2,
                                         .tolerance = {0, 0.1}};
            request.tolerance[1] = element == ELEMENT_BF16 ? 0.8 : 0.1;
            told = (struct wire_time_reply){.pass = pass, .call = (int)(pass % 4)};
            write_operands(element);
            take(element);
            assert_true(is_right(element));
            told.taken[1][0] ^= 0x4000;
            assert_false(is_right(element));
            request.tolerance[1] = (double)NAN; /* nobody knows */
            assert_true(is_right(element));
        }
}

TEST(other_operands_are_seen) {
    inputs = INPUTS_NORMAL;
    request = (struct wire_time){.seed = 4, .suspect_count = 2, .tolerance = {0, 0.1}};
    told = (struct wire_time_reply){.pass = 7};
    write_operands(ELEMENT_F16);
    memset(b, 0, sizeof b);
    take(ELEMENT_F16);
    assert_false(is_right(ELEMENT_F16));
    int wrong = 0; /* another call's operands are others */
    for (told.pass = 0; told.pass < 64; told.pass++) {
        told.call = 0;
        write_operands(ELEMENT_F16);
        take(ELEMENT_F16);
        told.call = 2;
        wrong += !is_right(ELEMENT_F16);
    }
    assert_int_equal(wrong, 64);
}

/* But where all products are zero, and a wrong operand makes none other. */
TEST(operands_of_another_kind_are_seen) {
    request = (struct wire_time){.seed = 4, .suspect_count = 2, .tolerance = {0, 0.1}};
    told = (struct wire_time_reply){.pass = 7};
    for (int kind = 0; kind < INPUTS_COUNT; kind++) {
        inputs = (enum timed_inputs)kind;
        write_operands(ELEMENT_F16);
        take(ELEMENT_F16);
        inputs = (enum timed_inputs)((kind + 1) % INPUTS_COUNT);
        assert_false(is_right(ELEMENT_F16));
    }
    inputs = INPUTS_ZEROS;
    memset(a, 0, sizeof a);
    memset(b, 0x55, sizeof b);
    take(ELEMENT_F16);
    assert_true(is_right(ELEMENT_F16));
}
