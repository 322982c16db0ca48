/* What a runner claims of a batch of timed blocks, and what is believed; with runners that are
 * faked. */
#include "bench/jobs/batch.h"

#include <math.h>
#include <stdio.h>

#include "reports/rows/derive.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_measure.h"
#include "tests/support/test.h"

/* How many coarse elements a timed C may have: of what is known of kernel and library. */
TEST_WITH(coarse_elements_are_counted, open_measured, fake_unit_end) {
    check_arms();
    const double all = 24 * 16;
    context.checked.arms[0].row.coarse = 0.02;
    context.checked.arms[2].row.coarse = 0.5; /* claims f32: no more than the library's and 0.01 */
    measured(0, OUTCOME_OK, "");
    double likely = all * 2 * (0.03 + 0.02);
    assert_int_equal(last_timed()->coarse[0], (int)(likely + 6 * sqrt(likely + 1)));
    plan.accumulate = GEMM_F16;
    measured(0, OUTCOME_OK, "");
    assert_int_equal(last_timed()->coarse[0], 24 * 16);
    context.checked.arms[2].row.coarse = 0.1;
    measured(0, OUTCOME_OK, "");
    likely = all * 2 * (0.1 + 0.02);
    assert_int_equal(last_timed()->coarse[0], (int)(likely + 6 * sqrt(likely + 1)));
    context.checked.arms[0].row.coarse = NAN; /* not known: nothing is too much */
    measured(0, OUTCOME_OK, "");
    assert_int_equal(last_timed()->coarse[0], 24 * 16);
}

/* Nothing bounds a product beside no library, or one whose bound is not known. */
TEST_WITH(without_a_bound_nothing_is_compared, open_measured, fake_unit_end) {
    check_arms();
    context.checked.arms[2].row.bound = NAN;
    measured(0, OUTCOME_OK, "");
    assert_int_equal(last_timed()->library, -1);
    context.checked.arms[2].row.bound = 1;
    measured(0, OUTCOME_OK, "");
    assert_int_equal(last_timed()->library, 0);
    context.checked.arms[0].outcome = context.checked.arms[1].outcome = OUTCOME_UNSUPPORTED;
    context.control_count = 0;
    forget_series();
    measured(0, OUTCOME_OK, "");
    assert_int_equal(last_timed()->library, -1);
    assert_int_equal(last_timed()->arm_count, 1);
}

TEST_WITH(libraries_alone_have_no_suspect, open_measured, fake_unit_end) {
    unit.candidate = NULL;
    check_arms();
    measured(0, OUTCOME_OK, "");
    assert_int_equal(last_timed()->suspect_count, 0);
    assert_int_equal(last_timed()->library, -1);
    assert_string_equal(result.rows.conditions[0].candidate, "");
}

TEST_WITH(the_copies_of_b_that_it_reads_are_told, open_measured, fake_unit_end) {
    const int expected[] = {WIRE_B_ROW, WIRE_B_COL, WIRE_B_ROW | WIRE_B_COL};
    const unsigned reads[] = {FAKE_ROW, FAKE_COL, FAKE_ROW | FAKE_COL};
    for (int i = 0; i < 3; i++) {
        context.checked.arm_count = 0;
        forget_series();
        context.checked.kernel[UNIT_CANDIDATE] = -1;
        kernel->reads = reads[i];
        check_arms();
        measured(0, OUTCOME_OK, "");
        assert_int_equal(last_timed()->reads[2], expected[i]);
        assert_int_equal(last_timed()->reads[0], 0);
    }
}

TEST_WITH(limits_hold_for_the_slowest_call, open_measured, fake_unit_end) {
    check_arms();
    measured(0, OUTCOME_OK, "");
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_TIME)
            assert_double_near(fake.limit[i],
                               fake.log[i].time.seconds +
                                   fake.log[i].time.arm_count * unit_call_limit(&context),
                               1e-9);
}

/* A lie in the first batch, told by what is said of it. */
static float sample;
static uint64_t blocks;

static void claims_blocks(const struct wire_request *request, struct wire_reply *reply,
                          void *shared) {
    (void)shared;
    if (request->verb == WIRE_TIME && request->time.most_blocks < 1000)
        reply->time.blocks = blocks ? request->time.most_blocks + blocks - 1 : 0;
}

static void claims_sample(const struct wire_request *request, struct wire_reply *reply,
                          void *shared) {
    (void)reply;
    if (request->verb == WIRE_TIME)
        ((float *)shared)[3] = sample;
}

TEST_WITH(what_cannot_be_is_a_lie, open_measured, fake_unit_end) {
    check_arms();
    fake.edit = claims_blocks;
    for (blocks = 0; blocks < 3; blocks++) {
        forget_series();
        context.checked.arms[2].outcome = OUTCOME_OK;
        measured(0, blocks == 1 ? OUTCOME_OK : OUTCOME_DISHONEST, "blocks that cannot be there");
        if (blocks != 1)
            assert_ptr_equal(failed, &context.checked.arms[2]);
    }
    fake.edit = claims_sample;
    const float bad[] = {0, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        sample = bad[i];
        context.checked.arms[2].outcome = OUTCOME_OK;
        measured(0, OUTCOME_DISHONEST, "a sample is no time");
    }
    for (int sign = -1; sign <= 1; sign += 2) { /* marked samples are times, too */
        sample = 0.05F * (float)sign;
        context.checked.arms[2].outcome = OUTCOME_OK;
        measured(0, OUTCOME_DISHONEST, " s of intervals within ");
    }
    sample = -1e-4F;
    context.checked.arms[2].outcome = OUTCOME_OK;
    measured(0, OUTCOME_OK, "");
}

/* The memory holds only so many blocks, however many were asked for. */
static void claims_too_much(const struct wire_request *request, struct wire_reply *reply,
                            void *shared) {
    (void)shared;
    if (request->verb == WIRE_TIME && request->time.most_blocks == UINT64_MAX)
        reply->time.blocks = context.process.shared_bytes / sizeof(float) / 10 + 1;
}

TEST_WITH(blocks_fit_into_the_memory, open_measured, fake_unit_end) {
    check_arms();
    fake.edit = claims_too_much;
    measured(0, OUTCOME_DISHONEST, "blocks that cannot be there");
}

/* The judge makes a few elements of each suspect's C itself. */
static void says_nothing_was_looked_at(const struct wire_request *request, struct wire_reply *reply,
                                       void *shared) {
    (void)shared;
    if (request->verb == WIRE_TIME)
        reply->time.looked = 0;
}

TEST_WITH(the_judge_makes_elements_itself, open_measured, fake_unit_end) {
    check_arms();
    kernel->timed_error = 4.1 * 1.25;
    context.checked.arms[2].row.bound = 1;
    measured(0, OUTCOME_INPUT_CHANGED, "by the seed of the inputs; 5 is allowed");
    assert_ptr_equal(failed, &context.checked.arms[2]);
    context.checked.arms[2].outcome = OUTCOME_OK;
    kernel->timed_error = 3.9 * 1.25;
    forget_series();
    measured(0, OUTCOME_OK, "");
    fake.edit = says_nothing_was_looked_at;
    forget_series();
    measured(0, OUTCOME_DISHONEST, "it claims blocks that nobody looked at");
}

TEST_WITH(who_fails_while_timed_is_found, open_measured, fake_unit_end) {
    check_arms();
    struct fake_fault *fault = fake_fail(WIRE_TIME, "", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_LAUNCH_FAILED;
    fault->failed_arm = 1 + 1;
    fault->text = "status 4";
    measured(0, OUTCOME_LAUNCH_FAILED, "while timed: status 4");
    assert_ptr_equal(failed, &context.checked.arms[1]);
    context.checked.arms[1].outcome = OUTCOME_OK;
    fault = fake_fail(WIRE_TIME, "", PROCESS_CRASHED); /* who was at it nobody has told */
    fault->code = 11;
    fault->failed_arm = 1 + 1;
    measured(0, OUTCOME_CRASHED, "while timed: signal 11");
    assert_ptr_equal(failed, &context.checked.arms[2]);
    context.checked.arms[2].outcome = OUTCOME_OK;
    fake_fail(WIRE_TIME, "", PROCESS_TROUBLE);
    assert_int_equal(measure(0), TROUBLE);
}
