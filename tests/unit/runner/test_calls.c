/* Calls that nobody times: a library's first product, and one whose operands are looked at. On a
 * device that fails where it is told to (support/fake_device.h). */

#include "bench/base/outcome.h"
#include "bench/runner/requests/requests.h"
#include "correctness/numbers/input.h"
#include "tests/support/runner_memory.h"
#include "tests/support/test.h"

static struct device_ops device;
static struct runner runner;
static struct wire_reply reply;
static int status; /* what a launch returns */
static uint16_t shared[4 * 6];

static int launch(void *state, const struct gemm_args *args) {
    (void)state;
    for (int i = 0; i < 8 * 16; i++)
        ((uint16_t *)args->c)[i] = (uint16_t)i;
    return status;
}

static const struct kernel_ops ops = {.launch = launch};

static int begin(void **state) {
    (void)state;
    device = fake_device_ops();
    memset(&reply, 0, sizeof reply);
    status = 0;
    runner = (struct runner){.device = &device, .shape = {4, 6, 8}, .shared = shared};
    return device_host.open(0, &runner.device_state);
}

static int end(void **state) {
    (void)state;
    return runner_memory_end(&runner);
}

/* Which leaves nothing behind, whether or not it could be made. */
TEST_WITH(a_first_product_is_made, begin, end) {
    assert_int_equal(runner_rehearse(&runner), 0);
    assert_string_equal(fake_noted(), "sync sync ");
    assert_int_equal(fake_device.held, 0);
    fake_device.fails = "sync";
    assert_int_equal(runner_rehearse(&runner), -1);
    assert_int_equal(fake_device.held, 0);
    fake_device.fails = NULL;
    for (fake_device.most_held = 1; fake_device.most_held < 4; fake_device.most_held++) {
        assert_int_equal(runner_rehearse(&runner), -1);
        assert_int_equal(fake_device.held, 0);
    }
    fake_device.most_held = 0;
    fake_noted();
    device.device = 99; /* for which there is no library */
    assert_int_equal(runner_rehearse(&runner), 0);
    assert_string_equal(fake_noted(), "");
}

/* A kernel whose operands are padded to 8 x 16 x 8. */
static void call(void) {
    const struct shape padded = {8, 16, 8};
    runner.arms[0] = (struct arm){.ops = &ops,
                                  .problem = {8, 16, 8, GEMM_F32},
                                  .operands = runner_operands(&runner, padded, LAYOUT_CANDIDATE)};
    memset(&reply, 0, sizeof reply);
    runner_call(&runner, &(struct wire_call){.input_kind = INPUT_BINARY}, &reply);
}

TEST_WITH(c_comes_out_without_its_padding, begin, end) {
    call();
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_int_equal(reply.call.changed_inputs + reply.call.changed_guards, 0);
    assert_true(reply.call.seconds > 0 && reply.call.seconds < 50);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++)
            assert_int_equal(shared[i * 6 + j], i * 16 + j);
}

TEST_WITH(what_fails_is_told, begin, end) {
    status = 7;
    call();
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_string_equal(reply.text, "status 7");
    assert_int_equal(reply.status, 0);
    status = 0;
    static const char *const fails[] = {"fill", "count_changed", "sync"};
    for (int i = 0; i < 3; i++) {
        fake_device.fails = fails[i];
        call();
        assert_int_equal(reply.status, -1);
        assert_string_equal(reply.text,
                            i == 2 ? "the checked call could not be prepared or read: the device "
                                     "is lost"
                                   : "the checked call could not be prepared or read");
    }
    fake_device.fails = NULL;
    guarded_free(&device, runner.device_state, &runner.outputs[0]);
    runner.output_count = 0;
    fake_device.most_held = fake_device.held; /* no room for C */
    call();
    assert_int_equal(reply.status, -1);
    fake_device.most_held = 0;
}
