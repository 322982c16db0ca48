/* What the products of an arm show: deviations, precision, values, the probe. */

#include "bench/checks/checks.h"
#include "bench/checks/values_check.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"
#include "tests/support/checked_arms.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_unit.h"
#include "tests/support/test.h"

TEST_WITH(a_deviation_is_held_against_the_libraries, open_unit, fake_unit_end) {
    tn->error = 0.25;
    kernel->error = 0.27;
    assert_int_equal(checks_libraries(&context), 0);
    struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_DEVIATES, "C[0][0] = ");
    assert_double_near(arm->row.paper_bound, 0.25, 0.005);
    assert_double_near(arm->row.bound, 0.25, 0.01);
    assert_non_null(strstr(arm->row.detail, "bound 0.2"));
    assert_null(strstr(arm->row.detail, "it claims"));
    assert_string_equal(arm->row.seen, "f32");
    kernel->error = 0.24;
    outcome_is(check_candidate(), OUTCOME_OK, "");
}

/* f16 is bounded by what libraries deviate, and a quarter. */
TEST_WITH(an_f16_deviation_is_judged_beside_libraries, open_unit, fake_unit_end) {
    plan.accumulate = GEMM_F16;
    nn->error = 0.25;
    kernel->f16 = true;
    kernel->error = 0.29;
    assert_int_equal(checks_libraries(&context), 0);
    struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_OK, "");
    assert_string_equal(arm->row.claimed, "f16");
    assert_string_equal(arm->row.seen, "f16");
    assert_double_near(arm->row.bound, 1.25 * context.checked.largest_deviation, 0.005);
    assert_string_equal(arm->row.note, "");
    kernel->error = 0.34;
    outcome_is(check_candidate(), OUTCOME_DEVIATES, "bound 0.3");
}

TEST_WITH(without_a_library_f16_is_not_judged_and_f32_is, open_unit, fake_unit_end) {
    plan.baseline_count = 0;
    kernel->error = 3;
    outcome_is(check_candidate(), OUTCOME_DEVIATES, "off by 2.999");
    plan.accumulate = GEMM_F16;
    const struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_OK, "");
    assert_string_equal(arm->row.note, "no baseline ran, so nothing bounds an f16 deviation");
    assert_nan(arm->row.bound);
    assert_nan(arm->row.paper_bound);
    assert_double_near(arm->row.deviation, 3, 0.05);
}

TEST_WITH(less_than_it_claims_is_refused, open_unit, fake_unit_end) {
    nn->error = 1; /* so that deviation alone would pass */
    kernel->f16 = true;
    assert_int_equal(checks_libraries(&context), 0);
    outcome_is(check_candidate(), OUTCOME_PRECISION, "it claims f32; ");
    plan.accumulate = GEMM_F16;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    nn->f16 = true; /* libraries are not accused */
    plan.accumulate = GEMM_F32;
    context.checked.arm_count = 0;
    assert_int_equal(checks_libraries(&context), 0);
    outcome_is(&context.checked.arms[0], OUTCOME_OK, "");
    assert_string_equal(context.checked.arms[0].row.seen, "f16");
}

/* No element is off by more than a last place or two, and many are. */
static void two_places_off(uint16_t *c, struct shape shape, const struct wire_call *call) {
    for (int64_t i = 0; call->input_kind == INPUT_NORMAL && i < shape.m * shape.n; i += 8)
        if ((c[i] & 0x7fff) < 0x4000) /* below 2 */
            c[i] += 2;
}

TEST_WITH(many_coarse_elements_are_refused, open_unit, fake_unit_end) {
    kernel->spoil = two_places_off;
    assert_int_equal(checks_libraries(&context), 0);
    const struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_OK, ""); /* few of 384 */
    assert_true(arm->row.coarse > 0);
    unit.shape = (struct shape){80, 80, 48};
    process_end(&context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    context.checked.arm_count = 0;
    assert_int_equal(checks_libraries(&context), 0);
    arm = check_candidate();
    outcome_is(arm, OUTCOME_PRECISION, "are more than 1.5 last places from the FP32 product");
    assert_true(arm->row.deviation <= arm->row.bound);
    plan.accumulate = GEMM_F16;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    plan.accumulate = GEMM_F32;
    nn->spoil = two_places_off; /* as a library is */
    context.checked.arm_count = 0;
    assert_int_equal(checks_libraries(&context), 0);
    outcome_is(check_candidate(), OUTCOME_OK, "");
}

static int wrong_kind;

static void wrong_on_a_kind(uint16_t *c, struct shape shape, const struct wire_call *call) {
    if (call->input_kind == wrong_kind)
        c[shape.n + 2] ^= 0x8000;
}

TEST_WITH(wrong_values_are_refused, open_unit, fake_unit_end) {
    const int kinds[] = {INPUT_SCALED, INPUT_LARGE, INPUT_SMALL};
    const char *const words[] = {"scaled inputs: 1 ", "large inputs: 1 ", "small inputs: 1 "};
    kernel->spoil = wrong_on_a_kind;
    assert_int_equal(checks_libraries(&context), 0);
    for (int i = 0; i < 3; i++) {
        wrong_kind = kinds[i];
        outcome_is(check_candidate(), OUTCOME_VALUES, words[i]);
        assert_non_null(
            strstr(context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]].row.detail,
                   "the first C[1][2] = "));
    }
    plan.accumulate = GEMM_F16; /* there partial sums may overflow */
    wrong_kind = INPUT_LARGE;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    wrong_kind = INPUT_SCALED;
    outcome_is(check_candidate(), OUTCOME_VALUES, "scaled inputs: 1 ");
}

TEST_WITH(what_a_library_gets_wrong_is_not_asked, open_unit, fake_unit_end) {
    kernel->spoil = tn->spoil = wrong_on_a_kind;
    wrong_kind = INPUT_LARGE;
    session.side_by_side = 2;
    assert_int_equal(checks_libraries(&context), 0);
    const struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_OK, "");
    assert_int_equal(fake.started, 2); /* they are asked in a process of theirs */
    assert_string_equal(arm->row.note,
                        "values: large inputs are not asked for, as lib-tn gets them wrong, too");
    assert_int_equal(fake_last(WIRE_CALL, "mine.so")->call.input_kind, INPUT_PROBE);
}

TEST_WITH(a_deviation_says_what_it_may_come_of, open_unit, fake_unit_end) {
    assert_int_equal(checks_libraries(&context), 0);
    kernel->f16 = true;
    kernel->error = 3;
    outcome_is(check_candidate(), OUTCOME_DEVIATES, "; it claims f32 and keeps f16");
}

/* A product that no accumulator explains. */
static void wrong_on_the_probe(uint16_t *c, struct shape shape, const struct wire_call *call) {
    (void)shape;
    if (call->input_kind == INPUT_PROBE)
        c[5] = number16_from_float(ELEMENT_F16, 0.37F);
}

TEST_WITH(a_wrong_product_of_the_probe_is_wrong, open_unit, fake_unit_end) {
    kernel->spoil = wrong_on_the_probe;
    assert_int_equal(checks_libraries(&context), 0);
    const struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_INEXACT, "1 entries are wrong in a way that no accumulator explains");
    assert_string_equal(arm->row.seen, "unknown");
    plan.accumulate = GEMM_F16;
    outcome_is(check_candidate(), OUTCOME_INEXACT, "no accumulator explains");
}

/* What a library gets wrong is not asked of others; it is then said. */
TEST_WITH(a_library_that_is_wrong_on_the_probe_excuses, open_unit, fake_unit_end) {
    session.side_by_side = 2;
    kernel->spoil = tn->spoil = wrong_on_the_probe;
    assert_int_equal(checks_libraries(&context), 0);
    const struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_OK, "");
    assert_string_equal(arm->row.seen, "unknown");
    assert_memory_equal(arm->row.note, "accumulator: ", 13);
    kernel->held_bytes = (uint64_t)1 << 30; /* the audits behind it are made */
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "bytes; its workspace is");
}

/* As where the kernel's process, which lives on beside it, holds the memory of the device. */
TEST_WITH(a_library_that_cannot_be_set_up_excuses_nothing, open_unit, fake_unit_end) {
    session.side_by_side = 2;
    assert_int_equal(checks_libraries(&context), 0);
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-nn", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_NO_MEMORY;
    fault->always = true;
    kernel->spoil = wrong_on_the_probe;
    outcome_is(check_candidate(), OUTCOME_INEXACT, "no accumulator explains");
    kernel->spoil = wrong_on_a_kind;
    wrong_kind = INPUT_LARGE;
    outcome_is(check_candidate(), OUTCOME_VALUES, "large inputs: 1 ");
}

/* Libraries of large products are asked when somebody is wrong, and then only: in a process that has
 * not loaded the kernel. */
TEST_WITH(libraries_are_probed_late_where_c_is_large, open_unit, fake_unit_end) {
    session.side_by_side = 2;
    unit.shape = (struct shape){1 << 11, (1 << 11) + 1, 16};
    process_end(&context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(checks_libraries(&context), 0);
    assert_string_equal(context.checked.arms[0].row.seen, "");
    kernel->spoil = wrong_on_the_probe;
    outcome_is(check_candidate(), OUTCOME_INEXACT, "no accumulator explains");
    const int last = fake.asked - 1;
    assert_string_equal(fake.asked_of[last], "lib-tn");
    assert_int_equal(fake.log[last].call.input_kind, INPUT_PROBE);
    for (int i = 0; i < fake.asked; i++)
        assert_true(strcmp(fake.asked_of[i], "mine.so") != 0 ||
                    fake.asked_in[i] != fake.asked_in[last]);
}

TEST_WITH(a_k_too_small_is_not_probed, open_unit, fake_unit_end) {
    unit.shape.k = 8;
    process_end(&context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    fake.asked = 0;
    const struct arm_state *arm = check_candidate();
    outcome_is(arm, OUTCOME_OK, "");
    assert_string_equal(arm->row.seen, "");
    assert_int_equal(fake_count(WIRE_CALL, "mine.so"), 4 + VALUES_CALLS); /* none for the probe */
}

static int spoiled; /* the inputs on which it is */

static void leaves_nan(uint16_t *c, struct shape shape, const struct wire_call *call) {
    if (call->input_kind == spoiled)
        c[2 * shape.n + 3] = c[2 * shape.n + 5] = ELEMENT_NAN;
}

static void adds_one(uint16_t *c, struct shape shape, const struct wire_call *call) {
    if (call->input_kind == spoiled)
        c[shape.n + 2] =
            number16_from_float(ELEMENT_F16, number16_to_float(ELEMENT_F16, c[shape.n + 2]) + 1);
}

TEST_WITH(wrong_products_are_told_by_place, open_unit, fake_unit_end) {
    assert_int_equal(checks_libraries(&context), 0);
    kernel->spoil = leaves_nan;
    spoiled = INPUT_BINARY;
    outcome_is(check_candidate(), OUTCOME_NAN_LEFT, "first at C[2][3]");
    assert_non_null(strstr(context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]].row.detail,
                           "2 NaN and 2 wrong of "));
    spoiled = INPUT_NORMAL;
    outcome_is(check_candidate(), OUTCOME_NAN_LEFT, "first at C[2][3]; 2 NaN on normal inputs");
    assert_nan(context.checked.arms[context.checked.kernel[UNIT_CANDIDATE]].row.deviation);
    kernel->spoil = adds_one;
    spoiled = INPUT_BINARY;
    outcome_is(check_candidate(), OUTCOME_INEXACT, "first at C[1][2]");
    assert_int_equal(fake_count(WIRE_CALL, "mine.so"), 1 + 2 + 1); /* no check after the failed */
}

TEST_WITH(a_library_that_is_wrong_is_told, open_unit, fake_unit_end) {
    nn->spoil = adds_one;
    spoiled = INPUT_BINARY;
    assert_int_equal(checks_libraries(&context), 0);
    outcome_is(&context.checked.arms[0], OUTCOME_INEXACT, "C[1][2]");
    outcome_is(&context.checked.arms[1], OUTCOME_OK, "");
}
