/* What timed calls have left is looked at, and judged: on a device that tells what a test wants it
 * to have seen (support/fake_device.h). */
#include "bench/runner/inspect.h"

#include "bench/base/outcome.h"
#include "correctness/numbers/input.h"
#include "tests/support/doubles.h"
#include "tests/support/runner_memory.h"
#include "tests/support/test.h"

static struct device_ops device;
static struct runner runner;
static struct wire_time request;
static struct wire_reply reply;
static bool sealed;
static struct seen seen[8]; /* at the stop: of outputs 0 to 2; now: of suspects 3 and 4 */
static const struct kernel_ops ops;

/* Arm 10 is a library, arms 11 and 12 are suspects. */
static int begin(void **state) {
    (void)state;
    static uint16_t table[INPUT_TABLE_SIZE];
    device = fake_device_ops();
    memset(seen, 0, sizeof seen);
    memset(&reply, 0, sizeof reply);
    runner = (struct runner){.device = &device, .shape = {4, 6, 8}};
    input_table(ELEMENT_F16, INPUT_NORMAL, input_density(ELEMENT_F16, 8), table);
    if (device_host.open(0, &runner.device_state) < 0 ||
        device_host.load_table(runner.device_state, INPUT_NORMAL, table) < 0 ||
        !runner_operands(&runner, runner.shape, LAYOUT_PLAIN))
        return -1;
    request = (struct wire_time){.seed = 5,
                                 .arm_count = 3,
                                 .arms = {10, 11, 12},
                                 .suspects = {1, 2},
                                 .suspect_count = 2,
                                 .library = 0,
                                 .tolerance = {0.5, 0.25},
                                 .coarse = {3, 4}};
    for (int i = 0; i < 3; i++) {
        runner.arms[10 + i] = (struct arm){
            .ops = &ops, .problem = {4, 6, 8, GEMM_F32}, .operands = &runner.operands[0]};
    }
    sealed = true;
    return runner_outputs(&runner, 3, 24) < 0 || runner_refresh(&runner, 1, 3) < 0 ? -1 : 0;
}

static int end(void **state) {
    (void)state;
    return runner_memory_end(&runner);
}

/* Of visit 0, in which the slots have the outputs of their numbers. */
static void is_found(enum outcome outcome, int arm, const char *text) {
    memset(&reply, 0, sizeof reply);
    fake_device.seen = seen;
    const int found = inspect_outputs(&runner, &request, 0, 0, 0, sealed, &reply);
    if (found != (int)outcome || !strstr(reply.text, text))
        fail_msg("%s: \"%s\"", outcome_word((enum outcome)found), reply.text);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.time.failed_arm, arm);
}

TEST_WITH(what_changed_after_its_interval_escaped, begin, end) {
    is_found(OUTCOME_OK, -1, "");
    seen[1].nan = 7;
    is_found(OUTCOME_OK, -1, ""); /* what counts is what is there now */
    seen[3].seal = 1;
    is_found(OUTCOME_ESCAPED, 11,
             "block 0: C changed after the interval had ended; 7 elements were not written then");
    sealed = false; /* it was not looked at then */
    is_found(OUTCOME_OK, -1, "");
    sealed = true;
    seen[3].seal = 0;
    seen[4].seal = 1;
    is_found(OUTCOME_ESCAPED, 12, "0 elements were not written then");
}

/* Of 24 elements half are enough to show that the call was skipped. */
TEST_WITH(what_is_missing_is_found, begin, end) {
    seen[3].nan = 1;
    is_found(OUTCOME_UNSTABLE, 11, "block 0: 1 of 24 elements of C were left unwritten or NaN");
    seen[3].nan = 11;
    is_found(OUTCOME_UNSTABLE, 11, "11 of 24");
    seen[3].off = 1;
    is_found(OUTCOME_REPLAYED, 11, "11 of 24");
    seen[3].off = 0;
    seen[3].nan = 12;
    is_found(OUTCOME_REPLAYED, 11, "12 of 24");
    request.library = -1; /* NaN is wrong without one, too */
    is_found(OUTCOME_REPLAYED, 11, "12 of 24");
}

TEST_WITH(what_is_off_is_found, begin, end) {
    seen[4] = (struct seen){.off = 11, .deviation = 1.5};
    is_found(OUTCOME_UNSTABLE, 12,
             "block 0: 11 of 24 elements of C are off by up to 1.5 from those of a library on the "
             "same fresh inputs; 0.25 is allowed");
    seen[4].off = 12;
    is_found(OUTCOME_REPLAYED, 12, "12 of 24 elements");
    seen[3].off = 1; /* the first that is found is told */
    is_found(OUTCOME_UNSTABLE, 11, "0.5 is allowed");
    request.library = -1;
    is_found(OUTCOME_OK, -1, "");
}

TEST_WITH(what_is_coarse_is_found, begin, end) {
    seen[3].coarse = 3;
    seen[4].coarse = 4;
    is_found(OUTCOME_OK, -1, "");
    seen[4].coarse = 5;
    is_found(
        OUTCOME_PRECISION, 12,
        "block 0: 5 of 24 elements of C are more than 3 last places from those of a library on "
        "the same fresh inputs; by its checks 4 may be");
    request.library = -1;
    is_found(OUTCOME_OK, -1, "");
}

/* Of all passes one is drawn, of which the judge is told some elements of each suspect's C. */
TEST_WITH(elements_of_a_drawn_pass_are_told, begin, end) {
    int last = 0;
    fake_device.seen = seen;
    for (request.seed = 0; request.seed < 64; request.seed++) {
        memset(&reply, 0, sizeof reply);
        for (uint64_t pass = 0; pass < 4; pass++) {
            for (int i = 0; i < 24; i++) {
                runner.outputs[1].data[i] = (uint16_t)(100 * pass + (uint64_t)i);
                runner.outputs[2].data[i] = (uint16_t)(1000 + 100 * pass + (uint64_t)i);
            }
            for (int i = 0; i < 3; i++)
                inspect_hide(&runner, &request, pass, &runner.arms[10 + i], i, false, &reply);
            assert_int_equal(inspect_outputs(&runner, &request, 0, pass, 3, false, &reply),
                             OUTCOME_OK);
        }
        const struct block_taken at = block_taken(&request, reply.time.pass, runner.shape);
        assert_int_equal(reply.time.looked, 4);
        assert_int_equal(reply.time.call, 3);
        assert_int_equal(at.columns, 6);
        for (int i = 0; i < 2; i++)
            for (int64_t e = 0; e < at.columns; e++)
                assert_int_equal(reply.time.taken[i][e],
                                 1000 * i + 100 * (int)reply.time.pass + (int)(at.row * 6 + e));
        last += reply.time.pass == 3;
    }
    assert_in_range(last, 6, 28); /* of 64 one in four */
}

TEST_WITH(what_cannot_be_looked_at_is_a_fault, begin, end) {
    static const char *const fails[] = {"looks", "look", "mask"};
    for (int i = 0; i < 3; i++) {
        memset(&reply, 0, sizeof reply);
        fake_device.seen = seen;
        fake_device.fails = fails[i];
        const int outcome = inspect_outputs(&runner, &request, 0, 0, 0, sealed, &reply);
        assert_int_equal(outcome, OUTCOME_OK);
        assert_int_equal(reply.status, -1);
        assert_non_null(strstr(reply.text, "the outputs of timed calls cannot be looked at"));
        fake_device.fails = NULL;
    }
}

static bool forgot;
static int forgetting; /* its status */

static int forget(void *state) {
    (void)state;
    forgot = true;
    return forgetting;
}

/* What one arm has made is not there for the next to copy, and comes back when it is looked at. */
TEST_WITH(an_output_is_masked_until_it_is_looked_at, begin, end) {
    const struct baseline library = {.forget = forget};
    uint16_t before[24];
    for (int i = 0; i < 24; i++)
        runner.outputs[1].data[i] = (uint16_t)(i + 1);
    memcpy(before, runner.outputs[1].data, sizeof before);
    runner.arms[11].baseline = &library;
    fake_noted();
    assert_int_equal(inspect_hide(&runner, &request, 9, &runner.arms[11], 1, false, &reply), 0);
    assert_string_equal(fake_noted(), "mask ");
    assert_true(forgot);
    int same = 0;
    for (int i = 0; i < 24; i++)
        same += runner.outputs[1].data[i] == before[i];
    assert_true(same < 4);
    fake_device.seen = seen;
    inspect_outputs(&runner, &request, 0, 9, 0, sealed, &reply);
    assert_memory_equal(runner.outputs[1].data, before, sizeof before);
    memset(&reply, 0, sizeof reply);
    fake_device.fails = "mask";
    assert_int_equal(inspect_hide(&runner, &request, 9, &runner.arms[12], 2, false, &reply), -1);
    assert_int_equal(reply.status, -1);
    assert_string_equal(reply.text, "the output of a timed call cannot be masked");
    fake_device.fails = NULL;
}

/* On a device a plain call would find the cache as that has left it. */
TEST_WITH(what_a_library_leaves_on_a_device_is_emptied_behind_a_hold, begin, end) {
    const struct baseline library = {.forget = forget};
    device.device = GEMM_CUDA;
    runner.arms[10].baseline = &library;
    for (int held = 0; held < 2; held++) {
        forgot = false;
        assert_int_equal(inspect_hide(&runner, &request, 9, &runner.arms[10], 0, held, &reply), 0);
        assert_int_equal(forgot, held);
    }
    forgetting = 700;
    assert_int_equal(inspect_hide(&runner, &request, 9, &runner.arms[10], 0, true, &reply), -1);
    assert_int_equal(reply.status, -1);
    forgetting = 0;
}

/* Each with another key: two equal products look different. */
TEST_WITH(no_two_outputs_are_masked_alike, begin, end) {
    for (int i = 0; i < 3; i++)
        memset(runner.outputs[i].data, 0, 48);
    for (int i = 0; i < 3; i++)
        inspect_hide(&runner, &request, (uint64_t)(i / 2), &runner.arms[10], i, false, &reply);
    for (int i = 0; i < 3; i++)
        assert_memory_not_equal(runner.outputs[i].data, runner.outputs[(i + 1) % 3].data, 48);
}

TEST_WITH(stray_writes_are_found, begin, end) {
    assert_int_equal(inspect_guards(&runner, &request, &reply), OUTCOME_OK);
    runner.operands[0].calls[0].a.data[-1] = 1;
    runner.operands[0].calls[0].b_row.data[8 * 6] = 1;
    runner.operands[0].calls[0].b_col.data[-2] = 1;
    runner.outputs[2].data[24] = 1;
    assert_int_equal(inspect_guards(&runner, &request, &reply), OUTCOME_WROTE_OUTSIDE);
    assert_string_equal(reply.text, "4 elements around A, B or C were written");
    assert_int_equal(reply.time.failed_arm, 11);
    assert_int_equal(reply.status, 0);
    fake_device.fails = "count_changed";
    memset(&reply, 0, sizeof reply);
    assert_int_equal(inspect_guards(&runner, &request, &reply), OUTCOME_OK);
    assert_int_equal(reply.status, -1);
    assert_string_equal(reply.text, "the guard zones cannot be looked at");
    fake_device.fails = NULL;
}
